import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { EmbeddedPostgresError } from "./problem.ts";

/** What a PostgreSQL server writes in its lock file, postmaster.pid. */
export interface Postmaster {
  pid: number;
  port: number;
  status: "starting" | "ready" | "stopping";
}

/** Reads the lock file; the server that wrote it may be long dead. */
export async function readLockFile(data: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(data, "postmaster.pid"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const lines = text.split("\n").map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!(pid > 0)) return undefined;
  const status = lines[7] === "ready" || lines[7] === "stopping" ? lines[7] : "starting";
  return { pid, port: Number(lines[3]), status };
}

/** Whether this process is the PostgreSQL of this data directory, and not a program that reuses its id. */
export async function isPostmasterOf(pid: number, data: string): Promise<boolean> {
  if (process.platform !== "linux") {
    const { stdout } = await run("ps", ["-ww", "-p", String(pid), "-o", "command="]).catch(() => ({ stdout: "" }));
    return stdout.includes(`postgres -D ${data} `);
  }
  if ((await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "")) !== "postgres\n") return false;
  if ((await readlink(`/proc/${pid}/cwd`).catch(() => undefined)) === data) return true;
  // Root in a container often may not read another user's working directory; everyone may read the command line.
  const words = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
  return words[1] === "-D" && words[2] === data;
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Like pg_ctl: a fast shutdown, and if that hangs an immediate one, which needs recovery at the next start. */
export async function stopPostmaster(pid: number, data: string): Promise<void> {
  for (const [signal, waitMs] of [["SIGINT", 20_000] as const, ["SIGQUIT", 10_000] as const]) {
    if (!(await isPostmasterOf(pid, data))) return;
    process.kill(pid, signal);
    const deadline = Date.now() + waitMs;
    while (Date.now() < deadline) {
      if (!(await isPostmasterOf(pid, data))) return;
      await delay(10);
    }
  }
  throw new EmbeddedPostgresError(`PostgreSQL (proceso ${pid}) no se detiene: termínelo con «kill -9 ${pid}».`);
}

/** Requests a fast shutdown, unless the lock file says that the server is gone. */
export function requestStop(pid: number, data: string): void {
  try {
    if (Number.parseInt(readFileSync(join(data, "postmaster.pid"), "utf8"), 10) === pid) process.kill(pid, "SIGINT");
  } catch {
    // No lock file, or no such process: there is nothing left to stop.
  }
}

const run = promisify(execFile);
