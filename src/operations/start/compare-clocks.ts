import type { Logger } from "pino";
import type { Pool } from "../../db/pool.ts";
import { minute, second, type TimeSource } from "../../lib/clock.ts";
import type { Metrics } from "../../lib/metrics.ts";
import { maxTrustedOffsetMs, type SteadyTime, steadyTime, warnOffsetMs } from "../../lib/steady-time.ts";

/** Drifting by a second takes hours; a clock that is set is noticed without asking. */
const everyMs = minute;
/** While the two are apart, whoever mends one of them should not have to wait for it to be seen. */
const everyMsWhileApart = 5 * second;

/** The time by which this process lives: the database's. */
export interface ComparedClock extends TimeSource {
  /** What an operator should know of the host's clock. */
  standing(): ClockStanding;
  /** Resolves once host and database agree well enough to write. */
  untilTrusted(): Promise<void>;
  stop(): void;
}

export interface ClockStanding {
  state: "right" | "off" | "away";
  /** Empty when there is nothing to say. */
  sentence: string;
}

/** Compares the host's clock with the database's now, every minute, and whenever the host's was set. */
export async function compareClocks(pool: Pool, log: Logger, metrics?: Metrics): Promise<ComparedClock> {
  const time = steadyTime();
  await compareOnce(pool, time);
  const waiting: (() => void)[] = [];
  let told: ClockStanding["state"] = "right";
  let isStopped = false;
  let comparing = false;
  let timer: NodeJS.Timeout;

  function tell(): void {
    const { state, sentence } = standingOf(time);
    if (state !== "away") for (const resolve of waiting.splice(0)) resolve();
    if (state === told) return;
    told = state;
    if (state === "right") log.info("the host's clock and the database's agree again");
    else log[state === "away" ? "error" : "warn"]({ ahead_ms: Math.round(time.aheadMs()) }, sentence);
  }

  async function compare(): Promise<void> {
    if (comparing || isStopped) return;
    comparing = true;
    clearTimeout(timer);
    // While the database is away there is nothing to compare with; the time runs on as it was.
    await compareOnce(pool, time).catch(() => {});
    comparing = false;
    tell();
    again();
  }

  function again(): void {
    if (isStopped) return;
    timer = setTimeout(() => void compare(), standingOf(time).state === "away" ? everyMsWhileApart : everyMs);
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
  tell();
  again();
  return {
    now: time.now,
    isTrusted: () => isTrusted(time),
    standing: () => standingOf(time),
    untilTrusted: async () => {
      if (!isTrusted(time)) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

/** The database's time for as long as a command takes. */
export async function databaseTime(pool: Pool): Promise<TimeSource & { standing(): ClockStanding }> {
  const time = steadyTime();
  await compareOnce(pool, time);
  return { now: time.now, isTrusted: () => isTrusted(time), standing: () => standingOf(time) };
}

async function compareOnce(pool: Pool, time: SteadyTime): Promise<void> {
  const client = await pool.connect();
  try {
    // Only the question itself is timed, not the wait for a connection.
    const before = time.now();
    const { rows } = await client.query<{ shown: number }>(
      "select extract(epoch from clock_timestamp())::float8 * 1000 as shown",
    );
    time.learn({ before, shown: rows[0]!.shown, after: time.now() });
    client.release();
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}

function isTrusted(time: SteadyTime): boolean {
  return Math.abs(time.aheadMs()) <= maxTrustedOffsetMs;
}

function standingOf(time: SteadyTime): ClockStanding {
  const aheadMs = time.aheadMs();
  const apartMs = Math.abs(aheadMs);
  if (apartMs <= warnOffsetMs) return { state: "right", sentence: "" };
  const difference = `the host's clock is ${(apartMs / second).toFixed(1)} s ${aheadMs > 0 ? "ahead of" : "behind"} the database's`;
  return apartMs <= maxTrustedOffsetMs
    ? { state: "off", sentence: `${difference}; check NTP on both` }
    : { state: "away", sentence: `${difference}; nothing is written or dropped until they agree` };
}
