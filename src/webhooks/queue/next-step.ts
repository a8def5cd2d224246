import type { Outcome } from "../sending/failure-classes.ts";

export type NextStep = { kind: "delivered" } | { kind: "retry"; at: Date } | { kind: "failed" };

/**
 * What follows an attempt. `attemptNumber` counts from 1; `attemptedAt` is the time that the history shows for it, from
 * which the next wait runs.
 */
export function nextStep(outcome: Pick<Outcome, "delivered">, attemptNumber: number, attemptedAt: Date): NextStep {
  if (!Number.isInteger(attemptNumber) || attemptNumber < 1) throw new RangeError(`no attempt ${attemptNumber}`);
  if (outcome.delivered) return { kind: "delivered" };
  const waitMs = retryWaitsMs[attemptNumber - 1];
  if (waitMs === undefined) return { kind: "failed" };
  return { kind: "retry", at: new Date(attemptedAt.getTime() + waitMs) };
}

const minute = 60_000;
const hour = 60 * minute;

/** Waits before attempts 2 to 8, from the previous attempt (service document: retry schedule). */
export const retryWaitsMs: readonly number[] = [
  minute,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  10 * hour,
];

export const maxAttempts = retryWaitsMs.length + 1;
