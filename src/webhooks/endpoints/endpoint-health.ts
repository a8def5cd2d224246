/** `failingSince` is the time of the first failure of the current run; null while the last attempt succeeded. */
export type EndpointHealth = { consecutiveFailures: number; failingSince: Date | null };

/**
 * `half_way` holds for every failure from there on: who sends the notice sends one per run, and `failingSince` names
 * the run.
 */
export type HealthVerdict = "active" | "half_way" | "deactivate";

export const healthy: EndpointHealth = { consecutiveFailures: 0, failingSince: null };

/**
 * To be asked when an attempt has just failed, with that attempt's time. Both limits must be passed: a burst
 * of failures in a short outage, and a few failures of an endpoint that seldom gets events, leave it active.
 */
export function judgeHealth({ consecutiveFailures, failingSince }: EndpointHealth, at: Date): HealthVerdict {
  if (failingSince === null) return "active";
  const failingMs = at.getTime() - failingSince.getTime();
  if (consecutiveFailures >= failuresToDeactivate && failingMs > failingMsToDeactivate) return "deactivate";
  if (consecutiveFailures >= failuresToDeactivate / 2 && failingMs > failingMsToDeactivate / 2) return "half_way";
  return "active";
}

/** Attempts run side by side and may be recorded out of order, so the run starts at the earliest failure seen. */
export function healthAfter(health: EndpointHealth, delivered: boolean, attemptedAt: Date): EndpointHealth {
  if (delivered) return healthy;
  const { consecutiveFailures, failingSince } = health;
  const isEarlier = failingSince === null || attemptedAt < failingSince;
  return { consecutiveFailures: consecutiveFailures + 1, failingSince: isEarlier ? attemptedAt : failingSince };
}

/** Service document: 20 consecutive failures lasting more than 24 h. */
export const failuresToDeactivate = 20;
export const failingMsToDeactivate = 24 * 60 * 60_000;
