import { randomBytes } from "node:crypto";
import * as fs from "node:fs/promises";
import { dirname, join } from "node:path";
import { isAlive } from "./postmaster.ts";
import { EmbeddedPostgresError, refuseTooLong, serverProblem } from "./problem.ts";
import { type Program, spawnProgram, type User } from "./program.ts";

/** Paths under dataDir/postgres, with symbolic links resolved: PostgreSQL must not depend on them. */
export interface Layout {
  home: string;
  data: string;
  password: string;
  log: string;
}

export async function findLayout(dataDir: string): Promise<Layout> {
  const home = await fs.realpath(join(dataDir, "postgres"));
  const data = await fs.realpath(join(home, "data")).catch(() => join(home, "data"));
  return { home, data, password: join(home, "password"), log: join(home, "postgres.log") };
}

export async function openLayout(dataDir: string): Promise<Layout> {
  refuseTooLong(dataDir);
  await fs.mkdir(join(dataDir, "postgres"), { recursive: true });
  const layout = await findLayout(dataDir);
  refuseTooLong(layout.data);
  await refuseForeignData(layout);
  // The unprivileged user that runs PostgreSQL must pass through this directory, but owns only the data in it.
  if (process.getuid?.() === 0 && (await fs.stat(layout.home)).uid === 0) await fs.chmod(layout.home, 0o711);
  return layout;
}

/** Creates the database cluster the first time. A killed start never leaves a half-made cluster in place. */
export async function ensureCluster(layout: Layout, program: Program, isSynced: boolean): Promise<void> {
  if (await isCluster(layout.data)) {
    if (program.user && (await fs.stat(layout.data)).uid === 0) await chownTree(layout.data, program.user);
    return;
  }
  await removeLeftovers(layout.home, (ownerPid) => !isAlive(ownerPid));
  const staging = await fs.mkdtemp(join(layout.home, `initdb-${process.pid}-`));
  try {
    const password = await agreeOnPassword(layout.password, staging);
    await initialize(program, staging, password, isSynced);
    await fs.rename(join(staging, "data"), layout.data);
    await syncDirectory(layout.home);
  } catch (error) {
    // A concurrent start may have been faster, and has then removed our staging directory.
    if (!(await isCluster(layout.data))) throw asOccupied(error, layout.data);
  } finally {
    const isCreated = await isCluster(layout.data);
    await removeLeftovers(layout.home, (ownerPid) => isCreated || ownerPid === process.pid);
  }
}

export async function readPassword(layout: Layout): Promise<string> {
  try {
    return (await fs.readFile(layout.password, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new EmbeddedPostgresError(
      `Falta «${layout.password}», la contraseña de la base de datos: recupérelo de la copia de seguridad junto con los datos.`,
    );
  }
}

async function refuseForeignData(layout: Layout): Promise<void> {
  const uid = process.getuid?.();
  const owner = (await fs.stat(layout.data).catch(ignoreAbsent)) ?? (await fs.stat(layout.home));
  if (uid === 0 || uid === owner.uid) return;
  throw new EmbeddedPostgresError(
    `Los datos en «${layout.home}» son de otro usuario (uid ${owner.uid}): inicie el servicio con ese usuario, o elija otro directorio con DATA_DIR.`,
  );
}

async function isCluster(data: string): Promise<boolean> {
  return (await fs.stat(join(data, "PG_VERSION")).catch(ignoreAbsent)) !== undefined;
}

/** Linking a complete file into place makes concurrent starts use the same password. */
async function agreeOnPassword(path: string, staging: string): Promise<string> {
  const draft = join(staging, "draft");
  await fs.writeFile(draft, `${randomBytes(24).toString("base64url")}\n`, { mode: 0o600, flush: true });
  await fs.link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  return fs.readFile(path, "utf8");
}

/** The builtin locale provider sorts and folds case the same on every system. */
async function initialize(program: Program, staging: string, password: string, isSynced: boolean): Promise<void> {
  const passwordFile = join(staging, "password");
  await fs.writeFile(passwordFile, password, { mode: 0o600 });
  if (program.user) await Promise.all([staging, passwordFile].map((path) => chownPath(path, program.user as User)));
  const output = await runInitdb(program, [
    ...["-D", join(staging, "data"), "-U", "mostrador", "--pwfile", passwordFile, "--auth=scram-sha-256"],
    ...["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"],
    ...["--data-checksums", "--no-instructions", ...(isSynced ? [] : ["--no-sync"])],
  ]);
  if (output === undefined) return;
  throw await serverProblem(
    output,
    dirname(staging),
    (decisive) => `initdb no pudo crear la base de datos (${decisive}): corrija eso y vuelva a iniciar.`,
  );
}

/** Resolves with what initdb printed if it failed. */
function runInitdb(program: Program, args: string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawnProgram(program, program.initdb, args, { stdio: ["ignore", "ignore", "pipe"] });
    let output = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.once("error", (error) => resolve(`error: ${error.message}`));
    child.once("close", (code, signal) => resolve(code === 0 ? undefined : output || `error: ${signal ?? code}`));
  });
}

/** From the inside out: after an interruption the outermost directory still has its old owner, so it is done again. */
async function chownTree(directory: string, user: User): Promise<void> {
  for (const entry of await fs.readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    await (entry.isDirectory() ? chownTree(path, user) : fs.lchown(path, user.uid, user.gid));
  }
  await chownPath(directory, user);
}

async function chownPath(path: string, user: User): Promise<void> {
  await fs.chown(path, user.uid, user.gid).catch((cause) => {
    throw new EmbeddedPostgresError(
      `PostgreSQL no corre como root y aquí no se puede dar «${path}» a otro usuario: inicie el servicio con un usuario ordinario, o indique un PostgreSQL en DATABASE_URL.`,
      { cause },
    );
  });
}

async function removeLeftovers(home: string, isLeftover: (ownerPid: number) => boolean): Promise<void> {
  for (const name of await fs.readdir(home)) {
    const ownerPid = Number(/^initdb-(\d+)-/.exec(name)?.[1]);
    // An orphaned initdb may still be writing into it; then the next start removes it.
    if (ownerPid && isLeftover(ownerPid))
      await fs.rm(join(home, name), { recursive: true, force: true }).catch(() => {});
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await fs.open(path);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function asOccupied(error: unknown, data: string): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== "ENOTEMPTY" && code !== "EEXIST") return error;
  return new EmbeddedPostgresError(
    `«${data}» tiene archivos que no son de una base de datos: muévalos a otro lugar y vuelva a iniciar.`,
  );
}

function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
