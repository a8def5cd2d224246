import { minute, second } from "../../lib/clock.ts";

/** Answers that say nothing, one after the other, before the authority counts as down. */
const failuresToOpen = 8;
const firstWaitMs = 5 * second;
const longestWaitMs = 2 * minute;

/** Keeps a thousand waiting documents from knocking at a closed door: while it is open, one of them asks now and then. */
export interface Circuit {
  /** How many more documents may be asked about at this moment. */
  allows(now: Date, most: number, inFlight: number): number;
  record(isAnswered: boolean, now: Date): void;
  isOpen(): boolean;
}

export function newCircuit(): Circuit {
  let failures = 0;
  let waitMs = firstWaitMs;
  let openUntil: number | undefined;
  return {
    allows(now, most, inFlight) {
      if (openUntil === undefined) return most;
      return now.getTime() >= openUntil && inFlight === 0 ? 1 : 0;
    },
    record(isAnswered, now) {
      if (isAnswered) {
        failures = 0;
        waitMs = firstWaitMs;
        openUntil = undefined;
        return;
      }
      failures += 1;
      if (failures < failuresToOpen) return;
      // Those in flight when it went down report one by one: only a new attempt makes the wait longer.
      if (openUntil !== undefined && now.getTime() < openUntil) return;
      if (openUntil !== undefined) waitMs = Math.min(waitMs * 2, longestWaitMs);
      openUntil = now.getTime() + waitMs;
    },
    isOpen: () => openUntil !== undefined,
  };
}
