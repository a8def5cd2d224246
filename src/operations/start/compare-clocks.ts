import type { Logger } from "pino";
import type { Pool } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { minute, second, type TimeSource } from "../../lib/clock.ts";
import type { Metrics } from "../../lib/metrics.ts";
import { maxTrustedOffsetMs, type SteadyTime, steadyTime, warnOffsetMs } from "../../lib/steady-time.ts";

/** Drifting by a second takes hours, and a clock that is set is noticed without a query. */
const everyMs = minute;
/** While the clocks differ, a correction should be noticed quickly. */
const everyMsWhileApart = 5 * second;

/** The time this process uses: the database's. */
export interface ComparedClock extends TimeSource {
  /** What an operator should know about the host's clock. */
  status(): ClockStatus;
  /** Resolves once host and database agree well enough to write. */
  untilTrusted(): Promise<void>;
  stop(): void;
}

export interface ClockStatus {
  state: "right" | "off" | "away";
  /** Empty when the clock is right. */
  message: string;
}

/** Compares the host's clock with the database's now, every minute, and whenever the host's was set. */
export async function compareClocks(pool: Pool, log: Logger, metrics?: Metrics): Promise<ComparedClock> {
  const time = steadyTime();
  await compareOnce(pool, time);
  const waiting: (() => void)[] = [];
  let reported: ClockStatus["state"] = "right";
  let isStopped = false;
  let isComparing = false;
  let timer: NodeJS.Timeout;

  function report(): void {
    const { state, message } = statusOf(time);
    if (state !== "away") for (const resolve of waiting.splice(0)) resolve();
    if (state === reported) return;
    reported = state;
    if (state === "right") log.info("the host's clock and the database's agree again");
    else log[state === "away" ? "error" : "warn"]({ ahead_ms: Math.round(time.aheadMs()) }, message);
  }

  async function compare(): Promise<void> {
    if (isComparing || isStopped) return;
    isComparing = true;
    clearTimeout(timer);
    // While the database is down the time continues uncorrected.
    await compareOnce(pool, time).catch(() => {});
    isComparing = false;
    report();
    schedule();
  }

  function schedule(): void {
    if (isStopped) return;
    timer = setTimeout(() => void compare(), statusOf(time).state === "away" ? everyMsWhileApart : everyMs);
    timer.unref();
  }

  time.onStep(() => setImmediate(() => void compare()));
  metrics?.collect(() => [
    {
      name: "mostrador_clock_ahead_seconds",
      help: "How far the host's clock is ahead of the database's.",
      value: Math.round(time.aheadMs()) / 1000,
    },
  ]);
  report();
  schedule();
  return {
    now: time.now,
    isTrusted: () => isTrusted(time),
    status: () => statusOf(time),
    untilTrusted: async () => {
      if (!isTrusted(time)) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** The database's time for the duration of a command. */
export async function databaseTime(pool: Pool): Promise<TimeSource & { status(): ClockStatus }> {
  const time = steadyTime();
  await compareOnce(pool, time);
  return { now: time.now, isTrusted: () => isTrusted(time), status: () => statusOf(time) };
}

async function compareOnce(pool: Pool, time: SteadyTime): Promise<void> {
  const client = await pool.connect();
  try {
    // Only the query is timed, not the wait for a connection.
    const before = time.now();
    const { rows } = await client.query<{ shown: number }>(
      "select extract(epoch from clock_timestamp())::float8 * 1000 as shown",
    );
    time.learn({ before, shown: oneRow(rows).shown, after: time.now() });
    client.release();
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}

function isTrusted(time: SteadyTime): boolean {
  return Math.abs(time.aheadMs()) <= maxTrustedOffsetMs;
}

function statusOf(time: SteadyTime): ClockStatus {
  const aheadMs = time.aheadMs();
  const apartMs = Math.abs(aheadMs);
  if (apartMs <= warnOffsetMs) return { state: "right", message: "" };
  const difference = `the host's clock is ${(apartMs / second).toFixed(1)} s ${aheadMs > 0 ? "ahead of" : "behind"} the database's`;
  return apartMs <= maxTrustedOffsetMs
    ? { state: "off", message: `${difference}; check NTP on both` }
    : { state: "away", message: `${difference}; nothing is written or dropped until they agree` };
}
