import { hour, minute } from "../../lib/clock.ts";
import type { Outcome } from "../sending/failure-classes.ts";

export type NextStep = { kind: "delivered" } | { kind: "retry"; at: Date } | { kind: "failed" };

/** What follows an attempt. `attemptNumber` counts from 1; the next wait runs from `attemptedAt`, which the history shows. */
export function nextStep(outcome: Pick<Outcome, "delivered">, attemptNumber: number, attemptedAt: Date): NextStep {
  if (!Number.isInteger(attemptNumber) || attemptNumber < 1) throw new RangeError(`no attempt ${attemptNumber}`);
  if (outcome.delivered) return { kind: "delivered" };
  const waitMs = retryWaitsMs[attemptNumber - 1];
  if (waitMs === undefined) return { kind: "failed" };
  return { kind: "retry", at: new Date(attemptedAt.getTime() + waitMs) };
}

/** Waits before attempts 2 to 8, from the previous attempt (service document: retry schedule). */
export const retryWaitsMs = [minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

export const maxAttempts = retryWaitsMs.length + 1;
