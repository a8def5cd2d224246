import { hour } from "../../lib/clock.ts";

/** `failingSince` is the time of the first failure of the current run; null while the last attempt succeeded. */
export type EndpointHealth = { consecutiveFailures: number; failingSince: Date | null };

/** Every failure from the half-way point on is `half_way`; the caller sends one notice per run, known by its `failingSince`. */
export type HealthVerdict = "active" | "half_way" | "deactivate";

export const healthy: EndpointHealth = { consecutiveFailures: 0, failingSince: null };

/**
 * Called when an attempt has just failed, with that attempt's time. Both limits must be exceeded: a burst of failures in a
 * short outage, and a few failures of an endpoint that seldom gets events, leave it active.
 */
export function judgeHealth({ consecutiveFailures, failingSince }: EndpointHealth, at: Date): HealthVerdict {
  if (failingSince === null) return "active";
  const failingMs = at.getTime() - failingSince.getTime();
  if (consecutiveFailures >= failuresToDeactivate && failingMs > failingMsToDeactivate) return "deactivate";
  if (consecutiveFailures >= failuresToDeactivate / 2 && failingMs > failingMsToDeactivate / 2) return "half_way";
  return "active";
}

/** Concurrent attempts may be recorded out of order, so the run starts at the earliest failure seen. */
export function healthAfter(health: EndpointHealth, delivered: boolean, attemptedAt: Date): EndpointHealth {
  if (delivered) return healthy;
  const { consecutiveFailures, failingSince } = health;
  const isEarlier = failingSince === null || attemptedAt < failingSince;
  return { consecutiveFailures: consecutiveFailures + 1, failingSince: isEarlier ? attemptedAt : failingSince };
}

/** Service document: 20 consecutive failures lasting more than 24 h. */
export const failuresToDeactivate = 20;
export const failingMsToDeactivate = 24 * hour;
