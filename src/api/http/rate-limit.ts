import { ApiError } from "../../lib/errors.ts";

/** A token bucket per name. It uses monotonic time, so that a clock that jumps has no effect. */
export interface RateLimiter {
  /** Takes `weight` tokens (one by default, at most the burst); false if there are fewer. */
  take(name: string, weight?: number): boolean;
  giveBack(name: string): void;
  state(name: string, weight?: number): RateState;
  /** From now on records what is taken, for shared-limits.ts, which keeps the buckets of several processes equal. */
  share(onUrgent: () => void): SharedBuckets;
}

export interface SharedBuckets {
  perSecond: number;
  burst: number;
  /** What this process took since the last report, by name. */
  report(): Map<string, number>;
  /** Restores a report that could not be delivered. */
  restore(report: ReadonlyMap<string, number>): void;
  /** Sets a bucket to its shared value; negative if the processes together took too much. */
  correct(name: string, tokens: number): void;
}

export interface RateState {
  limit: number;
  remaining: number;
  /** Seconds until the bucket is full again. */
  resetSeconds: number;
  /** Whole seconds, at least 1, until there are enough tokens. */
  retryAfterSeconds: number;
}

const sweepFrom = 50_000;
/** Report at once when this share of a bucket was taken since the last report. */
const urgentShare = 1 / 8;

export function rateLimiter(
  perSecond: number,
  burst: number,
  nowMs: () => number = () => performance.now(),
): RateLimiter {
  const buckets = new Map<string, { tokens: number; at: number }>();
  let sweepAt = sweepFrom;
  /** Since the last report; undefined unless the limiter is shared. */
  let taken: Map<string, number> | undefined;
  let reportUrgently = () => {};

  // A full bucket equals a new one and can be dropped. Sweeping again only once the number has doubled keeps a flood of new
  // addresses from causing a full sweep each.
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
    if (sum >= burst * urgentShare) reportUrgently();
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
    share(onUrgent) {
      taken = new Map();
      reportUrgently = onUrgent;
      return {
        perSecond,
        burst,
        report() {
          const report = taken!;
          taken = new Map();
          return report;
        },
        restore(report) {
          for (const [name, count] of report) {
            // Tokens refilled here since then no longer count. The shared bucket cannot know: it is capped at the burst.
            const owed = burst - refill(name).tokens;
            const left = Math.min((taken!.get(name) ?? 0) + count, owed);
            if (left === 0) taken!.delete(name);
            else taken!.set(name, left);
          }
        },
        correct(name, tokens) {
          // The shared value does not include what was taken while the report was in flight.
          refill(name).tokens = Math.min(burst, tokens - (taken!.get(name) ?? 0));
        },
      };
    },
  };
}

export function rateLimited(state: RateState, message?: string): ApiError {
  const headers = { "retry-after": String(state.retryAfterSeconds) };
  return new ApiError("RATE_LIMITED", { headers, ...(message !== undefined && { message }) });
}

/** The refusal of a credential that is malformed or unknown, once its address has sent too many of them. */
export function tooManyFailures(state: RateState): ApiError {
  return rateLimited(
    state,
    "Hubo demasiadas autenticaciones fallidas desde su dirección. Revise la credencial que envía: una válida se acepta siempre. Para probar otra, espere los segundos de `Retry-After`.",
  );
}

export function takeOrRefuse(limiter: RateLimiter, name: string): void {
  if (!limiter.take(name)) throw rateLimited(limiter.state(name));
}
