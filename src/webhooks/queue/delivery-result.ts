import { type EndpointHealth, healthAfter, healthy } from "../endpoints/endpoint-health.ts";
import type { Attempt } from "../history/delivery-history.ts";
import type { ClaimedDelivery } from "./claim.ts";
import type { NextStep } from "./next-step.ts";

export interface DeliveryResult {
  delivery: Pick<
    ClaimedDelivery,
    "accountId" | "endpointId" | "id" | "dueAt" | "createdAt" | "eventId" | "eventType" | "objectId" | "isTest"
  >;
  /** Null when nothing was sent, because there was nothing to send. */
  attempt: Attempt | null;
  /** `dropped`: it was not sent and never will be. */
  next: NextStep | { kind: "dropped" };
}

interface HealthChange {
  account_id: string;
  endpoint_id: string;
  failed: boolean;
  recovered: boolean;
  failures: number;
  failing_since: Date | null;
  last_failure_at: string | null;
  last_failure: string | null;
  last_failure_status: number | null;
}

/** Per endpoint: whether a delivery succeeded, and the run of failures after it. Tests do not count. */
export function healthChanges(batch: readonly DeliveryResult[]): HealthChange[] {
  const changes = new Map<string, { change: HealthChange; run: EndpointHealth }>();
  for (const { delivery, attempt } of batch) {
    if (attempt === null || delivery.isTest) continue;
    const entry = changes.get(delivery.endpointId) ?? {
      change: {
        account_id: delivery.accountId,
        endpoint_id: delivery.endpointId,
        failed: false,
        recovered: false,
        failures: 0,
        failing_since: null,
        last_failure_at: null,
        last_failure: null,
        last_failure_status: null,
      },
      run: healthy,
    };
    const isDelivered = attempt.failure === null;
    entry.run = healthAfter(entry.run, isDelivered, new Date(attempt.at));
    entry.change.failed ||= !isDelivered;
    entry.change.recovered ||= isDelivered;
    if (!isDelivered) {
      entry.change.last_failure_at = attempt.at;
      entry.change.last_failure = attempt.failure;
      entry.change.last_failure_status = attempt.status;
    }
    entry.change.failures = entry.run.consecutiveFailures;
    entry.change.failing_since = entry.run.failingSince;
    changes.set(delivery.endpointId, entry);
  }
  return [...changes.values()].map(({ change }) => change);
}
