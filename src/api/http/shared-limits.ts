import type { Pool } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import { day } from "../../lib/clock.ts";
import type { RateLimiter, SharedBuckets } from "./rate-limit.ts";

/** Keeps the limits of several processes on one database equal. */
export interface SharedLimits {
  /** `kind` tells the buckets of one limiter from another's: "key", "address". */
  join(kind: string, limiter: RateLimiter): void;
  /** Reports what this process took and applies what the others took. */
  sync(): Promise<void>;
  stop(): Promise<void>;
}

/** Without any taken tokens there is no query. */
const syncEveryMs = 500;
/** The shortest time between two syncs, however fast a bucket empties. */
const minGapMs = 50;
/** After a failure the pause doubles each time, up to this. */
const maxPauseMs = 5_000;

/**
 * Each process decides by its own buckets, in memory. About twice a second, and at once when a bucket empties fast, it
 * reports to the database what it took and learns what is left. Two processes may thus briefly overdraw a bucket; it then
 * goes negative and admits nobody until it has refilled. While the database is down each process uses its own buckets.
 */
export function shareLimits(pool: Pool, onError: (error: Error) => void): SharedLimits {
  const members: { kind: string; buckets: SharedBuckets }[] = [];
  let syncing: Promise<void> | undefined;
  let lastAt = 0;
  let pauseMs = 0;
  let isUrgent = false;
  let stopped = false;

  function syncSoon(): void {
    if (isUrgent || stopped || pauseMs > 0) return;
    isUrgent = true;
    setTimeout(() => void sync(), Math.max(0, lastAt + minGapMs - performance.now())).unref();
  }

  function syncUnlessPaused(): void {
    if (performance.now() - lastAt >= pauseMs) void sync();
  }

  function sync(): Promise<void> {
    syncing ??= exchangeAll().finally(() => {
      syncing = undefined;
    });
    return syncing;
  }

  async function exchangeAll(): Promise<void> {
    isUrgent = false;
    lastAt = performance.now();
    for (const { kind, buckets } of members) {
      const report = buckets.report();
      if (report.size === 0) continue;
      try {
        for (const [name, tokens] of await exchange(pool, kind, buckets, report)) buckets.correct(name, tokens);
        pauseMs = 0;
      } catch (error) {
        buckets.restore(report);
        pauseMs = Math.min(Math.max(2 * pauseMs, syncEveryMs), maxPauseMs);
        onError(error as Error);
      }
    }
  }

  const timer = setInterval(syncUnlessPaused, syncEveryMs);
  timer.unref();
  return {
    join(kind, limiter) {
      members.push({ kind, buckets: limiter.share(syncSoon) });
    },
    async sync() {
      // Include what was taken while a report was in flight.
      await syncing;
      await sync();
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await syncing;
      await sync();
    },
  };
}

async function exchange(
  pool: Pool,
  kind: string,
  { perSecond, burst }: SharedBuckets,
  report: ReadonlyMap<string, number>,
): Promise<[string, number][]> {
  // Sorted, so that processes that report the same names cannot deadlock.
  const names = [...report.keys()].sort();
  const taken = names.map((name) => report.get(name)!);
  const { rows } = await pool.query<{ name: string; tokens: number }>(
    prepared(exchangeText, [kind, names, taken, burst, perSecond]),
  );
  return rows.map(({ name, tokens }) => [name, tokens]);
}

// Buckets refill by the database's clock, because those of the processes may differ.
const exchangeText = `
  insert into rate_buckets as b (kind, name, tokens, at)
  select $1, u.name, $4::float8 - u.taken, clock_timestamp()
  from unnest($2::text[], $3::float8[]) as u(name, taken) order by u.name
  on conflict (kind, name) do update set
    tokens = least($4::float8, b.tokens + extract(epoch from greatest(excluded.at, b.at) - b.at)::float8 * $5::float8)
      + excluded.tokens - $4::float8,
    at = greatest(excluded.at, b.at)
  returning b.name, b.tokens`;

/** A bucket that was not used for a day is full, and equals a new one. */
export async function forgetFullBuckets(pool: Pool): Promise<void> {
  await pool.query(prepared(`delete from rate_buckets where at < now() - $1::int * interval '1 millisecond'`, [day]));
}
