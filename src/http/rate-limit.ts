import { ApiError } from "../lib/errors.ts";

/** A token bucket per name. Time is monotonic: a clock that jumps neither opens nor closes the door. */
export interface RateLimiter {
  /** Takes one token; false when there is none. */
  take(name: string): boolean;
  giveBack(name: string): void;
  state(name: string): RateState;
}

export interface RateState {
  limit: number;
  remaining: number;
  /** Seconds until the bucket is full again. */
  resetSeconds: number;
  /** Whole seconds, at least 1, until one token is there. */
  retryAfterSeconds: number;
}

const sweepFrom = 50_000;

export function rateLimiter(
  perSecond: number,
  burst: number,
  nowMs: () => number = () => performance.now(),
): RateLimiter {
  const buckets = new Map<string, { tokens: number; at: number }>();
  let sweepAt = sweepFrom;

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

  return {
    take(name) {
      const bucket = refill(name);
      if (bucket.tokens < 1) return false;
      bucket.tokens -= 1;
      return true;
    },
    giveBack(name) {
      const bucket = refill(name);
      bucket.tokens = Math.min(burst, bucket.tokens + 1);
    },
    state(name) {
      const { tokens } = refill(name);
      return {
        limit: burst,
        remaining: Math.floor(tokens),
        resetSeconds: Math.ceil((burst - tokens) / perSecond),
        retryAfterSeconds: Math.max(1, Math.ceil((1 - tokens) / perSecond)),
      };
    },
  };
}

export function rateLimited(state: RateState): ApiError {
  return new ApiError("RATE_LIMITED", { headers: { "retry-after": String(state.retryAfterSeconds) } });
}
