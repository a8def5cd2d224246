import { ApiError } from "../../lib/errors.ts";

/** A token bucket per name. Time is monotonic: a clock that jumps neither opens nor closes the door. */
export interface RateLimiter {
  /** Takes `weight` tokens, one by default; false if there are fewer. A weight above the burst takes the whole burst. */
  take(name: string, weight?: number): boolean;
  giveBack(name: string): void;
  state(name: string, weight?: number): RateState;
  /** From now on takes are noted, for whoever keeps the buckets of several processes equal (see shared-limits.ts). */
  share(onHurry: () => void): SharedBuckets;
}

export interface SharedBuckets {
  perSecond: number;
  burst: number;
  /** What was taken here since the last report, by name. */
  report(): Map<string, number>;
  /** A report that did not arrive. */
  takeBack(report: ReadonlyMap<string, number>): void;
  /** A bucket as all processes together left it; less than nothing when they took too much. */
  correct(name: string, tokens: number): void;
}

export interface RateState {
  limit: number;
  remaining: number;
  /** Seconds until the bucket is full again. */
  resetSeconds: number;
  /** Whole seconds, at least 1, until the tokens are there. */
  retryAfterSeconds: number;
}

const sweepFrom = 50_000;
/** A bucket of which this part went since the last report is worth reporting at once. */
const hurryFrom = 1 / 8;

export function rateLimiter(
  perSecond: number,
  burst: number,
  nowMs: () => number = () => performance.now(),
): RateLimiter {
  const buckets = new Map<string, { tokens: number; at: number }>();
  let sweepAt = sweepFrom;
  /** Since the last report; absent while nobody asks for reports. */
  let taken: Map<string, number> | undefined;
  let hurry = () => {};

  // Only full buckets are worth forgetting, and most are: a quiet key's bucket equals a new one. Sweeping again only when
  // the number has doubled keeps a flood of new addresses from paying for a whole sweep each.
  function sweep(now: number): void {
    for (const name of buckets.keys()) if (isFull(name, now)) buckets.delete(name);
    sweepAt = Math.max(sweepFrom, 2 * buckets.size);
  }

  function refill(name: string) {
    const now = nowMs();
    let bucket = buckets.get(name);
    if (!bucket) {
      if (buckets.size >= sweepAt) sweep(now);
      bucket = { tokens: burst, at: now };
      buckets.set(name, bucket);
    }
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    return bucket;
  }

  function isFull(name: string, now: number): boolean {
    const bucket = buckets.get(name)!;
    return bucket.tokens + ((now - bucket.at) / 1000) * perSecond >= burst;
  }

  function note(name: string, change: number): void {
    if (!taken) return;
    const sum = (taken.get(name) ?? 0) + change;
    taken.set(name, sum);
    if (sum >= burst * hurryFrom) hurry();
  }

  return {
    take(name, weight = 1) {
      const bucket = refill(name);
      const taking = Math.min(weight, burst);
      if (bucket.tokens < taking) return false;
      bucket.tokens -= taking;
      note(name, taking);
      return true;
    },
    giveBack(name) {
      const bucket = refill(name);
      bucket.tokens = Math.min(burst, bucket.tokens + 1);
      note(name, -1);
    },
    state(name, weight = 1) {
      const { tokens } = refill(name);
      return {
        limit: burst,
        remaining: Math.max(0, Math.floor(tokens)),
        resetSeconds: Math.ceil((burst - tokens) / perSecond),
        retryAfterSeconds: Math.max(1, Math.ceil((Math.min(weight, burst) - tokens) / perSecond)),
      };
    },
    share(onHurry) {
      taken = new Map();
      hurry = onHurry;
      return {
        perSecond,
        burst,
        report() {
          const report = taken!;
          taken = new Map();
          return report;
        },
        takeBack(report) {
          for (const [name, count] of report) {
            // What has come back here since is paid. The shared bucket cannot tell: it never holds more than a burst.
            const owed = burst - refill(name).tokens;
            const left = Math.min((taken!.get(name) ?? 0) + count, owed);
            if (left === 0) taken!.delete(name);
            else taken!.set(name, left);
          }
        },
        correct(name, tokens) {
          // What went while the report was on its way is not in the answer.
          refill(name).tokens = Math.min(burst, tokens - (taken!.get(name) ?? 0));
        },
      };
    },
  };
}

export function rateLimited(state: RateState): ApiError {
  return new ApiError("RATE_LIMITED", { headers: { "retry-after": String(state.retryAfterSeconds) } });
}
