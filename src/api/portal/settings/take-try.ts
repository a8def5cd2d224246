import { type RateLimiter, rateLimited } from "../../http/rate-limit.ts";

/** Refuses a source that tries faster than a person would. */
export function takeTry(limiter: RateLimiter, name: string): void {
  if (!limiter.take(name)) throw rateLimited(limiter.state(name));
}
