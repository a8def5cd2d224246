import { readdirSync, readFileSync } from "node:fs";
import type { Pool } from "../../src/db/pool.ts";

/** Seconds of CPU time that the given processes and the whole database have used so far. Linux only. */
export async function cpuMeter(pool: Pool): Promise<(pids: readonly number[]) => number> {
  const { rows } = await pool.query<{ pid: number }>("select pg_backend_pid() as pid");
  const postmaster = Number(statOf(rows[0]!.pid)[1]);
  return (pids) => {
    let seconds = 0;
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      try {
        const stat = statOf(pid);
        const isPostmaster = Number(pid) === postmaster;
        const counts = isPostmaster || pids.includes(Number(pid)) || Number(stat[1]) === postmaster;
        if (counts) seconds += secondsOf(pid);
        // The time of a backend that ended counts for its parent; without it, the sum would decrease.
        if (isPostmaster) seconds += (Number(stat[13]) + Number(stat[14])) / ticksPerSecond;
      } catch {
        // The process ended in the meantime.
      }
    }
    return seconds;
  };
}

const ticksPerSecond = 100;

/** To the nanosecond, of all threads; `stat` has steps of 10 ms. */
function secondsOf(pid: string): number {
  return readdirSync(`/proc/${pid}/task`).reduce(
    (sum, task) => sum + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]) / 1e9,
    0,
  );
}

/** Fields of /proc/<pid>/stat after the name: 1 is the parent, 13 and 14 the user and system ticks of ended children. */
function statOf(pid: number | string): string[] {
  return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
}
