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
  // JIT compilation pays off only for queries that take seconds; it slows the short ones down.
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  password_encryption: "scram-sha-256",
};

/** Starts a server on the given port or a free one, and waits until it accepts connections or dies. */
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
    // A session of its own: Ctrl-C then reaches only the service, which stops PostgreSQL last.
    detached: true,
    stdio: ["ignore", log.file.fd, log.file.fd],
    // PostgreSQL treats a lock file with this process id as stale. Unlike after deleting the file, it still checks that no
    // process of the dead server uses the shared memory.
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
  // Until it is ready nothing else knows about it, so an exit in between must stop it here.
  const stopOnExit = () => child.kill("SIGINT");
  process.once("exit", stopOnExit);
  try {
    return await untilReady();
  } finally {
    process.off("exit", stopOnExit);
  }

  async function untilReady(): Promise<Launch> {
    // Crash recovery may take minutes, and starts over if it is interrupted.
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

const maxLogBytes = 20_000_000;

async function openLog(layout: Layout, program: Program) {
  const old = await stat(layout.log).catch(() => undefined);
  if (old && old.size > maxLogBytes) await rename(layout.log, `${layout.log}.1`);
  const file = await open(layout.log, "a", 0o600);
  // The owner of the data must be able to start the service again after root did.
  if (program.user) await file.chown(program.user.uid, program.user.gid);
  return { file, size: (await file.stat()).size };
}

/** The lines of one server. Concurrent starts share the log; the process id tells them apart. */
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
