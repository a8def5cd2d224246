import { spawn } from "node:child_process";
import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findEmbedded } from "../../src/db/embedded.ts";
import { embeddedServers, ended, isAlive, keepRow, keptRows, query } from "../support/embedded.ts";
import { eventually } from "../support/eventually.ts";

const isRoot = process.getuid?.() === 0;
const { base, start, startElsewhere } = embeddedServers();

test("the first start creates a durable database in UTF-8 that nobody can open without its password", async () => {
  const dataDir = join(base.path, "first");
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
  const dataDir = join(base.path, "second");
  const first = await start(dataDir);
  expect(await findEmbedded(dataDir)).toBe(first.url);
  await keepRow(first.url);
  await first.stop();
  expect(await findEmbedded(dataDir)).toBeUndefined();
  const second = await start(dataDir);
  expect(second.adopted).toBe(false);
  expect(await keptRows(second.url)).toBe(1);
  expect(await findEmbedded(join(base.path, "never started"))).toBeUndefined();
});

test("a committed row survives kill -9 of PostgreSQL", async () => {
  const dataDir = join(base.path, "killed");
  const first = await start(dataDir, { shared_buffers: "16MB" });
  await keepRow(first.url);
  // A busy session does not notice the kill and keeps the shared memory: the next start has to wait for it.
  const endless =
    "do $$ declare t timestamptz := clock_timestamp(); begin while clock_timestamp() < t + '1 s' loop end loop; end $$";
  const busy = query(first.url, endless).catch(() => {});
  const computing = "select from pg_stat_activity where state = 'active' and query like 'do %'";
  await eventually(async () => (await query(first.url, computing)).length === 1);
  process.kill(first.pid, "SIGKILL");
  const second = await start(dataDir);
  expect(second).toMatchObject({ adopted: false });
  expect(second.pid).not.toBe(first.pid);
  expect(await keptRows(second.url)).toBe(1);
  await busy;
});

test("a server left behind by a killed service is adopted, and stops with the new one", async () => {
  const dataDir = join(base.path, "orphan");
  const service = startElsewhere(dataDir, { staysAlive: true });
  const orphan = await service.started;
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
  const service = startElsewhere(join(base.path, "unref"));
  await service.started;
  expect(await ended(service.child)).toBe(0);
  expect((await start(join(base.path, "unref"))).adopted).toBe(true);
});

test("the remains of an interrupted first start do not prevent the next one", async () => {
  const dataDir = join(base.path, "half");
  const home = join(dataDir, "postgres");
  const interrupted = startElsewhere(dataDir);
  interrupted.started.catch(() => {});
  await eventually(async () => (await filesIn(home)).some((path) => path.endsWith("data/PG_VERSION")));
  interrupted.child.kill("SIGKILL");
  await ended(interrupted.child);
  expect(await filesIn(home)).not.toContain("data/PG_VERSION");

  const server = await start(dataDir);
  expect(await query(server.url, "select 1 one")).toEqual([{ one: 1 }]);
  await eventually(async () => !(await readdir(home)).some((name) => name.startsWith("initdb-")));
});

test("spaces, accents and a long path are accepted", async () => {
  const dataDir = join(
    base.path,
    "Mi tienda «Doña Ñusta» $HOME 'x'",
    "a".repeat(200),
    "b".repeat(200),
    "c".repeat(200),
  );
  const server = await start(dataDir);
  expect(await findEmbedded(dataDir)).toBe(server.url);
});

test("two installations run side by side", async () => {
  const [one, other] = await Promise.all([start(join(base.path, "one")), start(join(base.path, "other"))]);
  await keepRow(one.url);
  await expect(keptRows(other.url)).rejects.toMatchObject({ code: "42P01" });
});

test("two concurrent first starts share one server", async () => {
  const dataDir = join(base.path, "at once");
  const answers = await Promise.all([1, 2, 3].map(() => startElsewhere(dataDir).started));
  expect(new Set(answers.map(({ pid }) => pid)).size).toBe(1);
  expect(answers.filter(({ adopted }) => !adopted)).toHaveLength(1);
  expect((await readdir(join(dataDir, "postgres"))).sort()).toEqual(["data", "password", "postgres.log"]);
  expect((await start(dataDir)).pid).toBe(answers[0]?.pid);
});

test("a program that has the dead server's process id does not block the start", async () => {
  const dataDir = join(base.path, "reused");
  const first = await start(dataDir);
  await keepRow(first.url);
  process.kill(first.pid, "SIGKILL");
  await eventually(() => !isAlive(first.pid));

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
  const dataDir = join(base.path, "empty lock");
  await (await start(dataDir)).stop();
  const lockFile = join(dataDir, "postgres/data/postmaster.pid");
  await writeFile(lockFile, "");
  await utimes(lockFile, 0, 0);
  expect((await start(dataDir)).adopted).toBe(false);
});

test("a server that dies on starting says why", async () => {
  const failure = start(join(base.path, "dies"), { shared_buffers: "mucho" });
  await expect(failure).rejects.toThrow(/^PostgreSQL no arrancó \(FATAL: .*shared_buffers.*\): mire .*postgres\.log/);
});

test("data of another major are left alone, with the way over", async () => {
  const dataDir = join(base.path, "major");
  await (await start(dataDir)).stop();
  await writeFile(join(dataDir, "postgres/data/PG_VERSION"), "17\n");
  await expect(start(dataDir)).rejects.toThrow(
    /^Los datos en «.*» son de PostgreSQL 17 y esta versión trae el \d+, .*\.$/,
  );
});

test("a DATA_DIR that is a file is refused in one line", async () => {
  await writeFile(join(base.path, "file"), "");
  await expect(start(join(base.path, "file"))).rejects.toThrow(/^«.*» no es un directorio: .*DATA_DIR\.$/);
});

test("a folder that holds something other than a database is left alone", async () => {
  const data = join(base.path, "occupied/postgres/data");
  await mkdir(data, { recursive: true });
  await writeFile(join(data, "fotos.txt"), "mías");
  await expect(start(join(base.path, "occupied"))).rejects.toThrow(/tiene archivos que no son de una base de datos/);
  expect(await readFile(join(data, "fotos.txt"), "utf8")).toBe("mías");
});

async function filesIn(directory: string): Promise<string[]> {
  return readdir(directory, { recursive: true }).catch(() => []);
}
