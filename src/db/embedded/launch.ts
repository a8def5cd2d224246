import { open, readFile, rename, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Layout } from "./cluster.ts";
import { type Postmaster, readLockFile } from "./postmaster.ts";
import { EmbeddedPostgresError } from "./problem.ts";
import { type Program, spawnProgram } from "./program.ts";

export type Launch = { kind: "ready"; postmaster: Postmaster } | { kind: "died"; output: string };

const defaults: Record<string, string> = {
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  max_connections: "100",
  shared_buffers: "256MB",
  max_wal_size: "2GB",
  checkpoint_completion_target: "0.9",
  // Solid state disks read at random almost as fast as in order.
  random_page_cost: "1.1",
  // Compiling pays only for queries of seconds; here it would slow down the short ones.
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  password_encryption: "scram-sha-256",
};

/** Starts a server on the given port or a free one, and waits until it takes connections or dies. */
export async function launch(
  layout: Layout,
  program: Program,
  settings: Record<string, string>,
  { reusedPid, port = 0 }: { reusedPid: number | undefined; port: number | undefined },
): Promise<Launch> {
  // No socket file: its path would have to be shorter than 108 bytes.
  const listening = {
    port: String(port || (await freePort())),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
  };
  const chosen = Object.entries({ ...defaults, ...settings, ...listening });
  const args = ["-D", layout.data, ...chosen.flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  const log = await openLog(layout, program);
  const child = spawnProgram(program, program.postgres, args, {
    // Its own session: Ctrl-C reaches the service first, which stops PostgreSQL when it has finished.
    detached: true,
    stdio: ["ignore", log.file.fd, log.file.fd],
    // PostgreSQL takes a lock file with this number for stale, as it does with its own. It still checks, unlike after
    // removing the file, that no process of the dead server uses the shared memory.
    env: reusedPid ? { PG_GRANDPARENT_PID: String(reusedPid) } : {},
  });
  child.unref();
  let death: string | undefined;
  child.once("error", (error) => {
    death = `error: ${error.message}`;
  });
  child.once("exit", (code, signal) => {
    death = `error: postgres terminó con ${signal ?? code}`;
  });
  await log.file.close();
  // Until it is ready nobody else knows of it: whoever exits meanwhile would leave it behind.
  const endWithUs = () => child.kill("SIGINT");
  process.once("exit", endWithUs);
  try {
    return await ready();
  } finally {
    process.off("exit", endWithUs);
  }

  async function ready(): Promise<Launch> {
    // Replaying the log after a crash may take minutes, and starts again from zero when it is cut short.
    const deadline = Date.now() + 600_000;
    while (Date.now() < deadline) {
      if (death !== undefined) return { kind: "died", output: await outputOf(layout.log, log.size, child.pid, death) };
      const postmaster = await readLockFile(layout.data);
      if (postmaster?.pid === child.pid && postmaster?.status === "ready") return { kind: "ready", postmaster };
      await delay(10);
    }
    throw new EmbeddedPostgresError(
      `PostgreSQL sigue recuperando sus datos después de diez minutos: mire ${layout.log} y vuelva a iniciar cuando termine.`,
    );
  }
}

const longestLogBytes = 20_000_000;

async function openLog(layout: Layout, program: Program) {
  const old = await stat(layout.log).catch(() => undefined);
  if (old && old.size > longestLogBytes) await rename(layout.log, `${layout.log}.1`);
  const file = await open(layout.log, "a", 0o600);
  // So that the user who owns the data can start the service again after root did.
  if (program.user) await file.chown(program.user.uid, program.user.gid);
  return { file, size: (await file.stat()).size };
}

/** What one server wrote; another that starts at the same time shares the log, so the process id tells them apart. */
async function outputOf(log: string, from: number, pid: number | undefined, death: string): Promise<string> {
  const lines = (await readFile(log)).subarray(from).toString().split("\n");
  const own = lines.filter((line) => line.includes(`[${pid}]`) || !/ \[\d+\] /.test(line));
  return [death, ...own].join("\n");
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
