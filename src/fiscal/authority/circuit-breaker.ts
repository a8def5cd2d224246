import { minute, second } from "../../lib/clock.ts";

/** Failed calls in a row before the authority counts as down. */
const failuresToOpen = 8;
const firstWaitMs = 5 * second;
const longestWaitMs = 2 * minute;

/** A circuit breaker: while it is open, one document at a time probes the authority instead of a thousand. */
export interface CircuitBreaker {
  /** How many more calls may start now. */
  allows(now: Date, most: number, inFlight: number): number;
  record(isAvailable: boolean, now: Date): void;
  isOpen(): boolean;
}

export function newCircuitBreaker(): CircuitBreaker {
  let failures = 0;
  let waitMs = firstWaitMs;
  let openUntil: number | undefined;
  return {
    allows(now, most, inFlight) {
      if (openUntil === undefined) return most;
      return now.getTime() >= openUntil && inFlight === 0 ? 1 : 0;
    },
    record(isAvailable, now) {
      if (isAvailable) {
        failures = 0;
        waitMs = firstWaitMs;
        openUntil = undefined;
        return;
      }
      failures += 1;
      if (failures < failuresToOpen) return;
      // Calls in flight when it went down fail one by one: only a new probe makes the wait longer.
      if (openUntil !== undefined && now.getTime() < openUntil) return;
      if (openUntil !== undefined) waitMs = Math.min(waitMs * 2, longestWaitMs);
      openUntil = now.getTime() + waitMs;
    },
    isOpen: () => openUntil !== undefined,
  };
}
