import type { Metrics } from "../../lib/metrics.ts";
import { failureClasses, type Outcome } from "../sending/failure-classes.ts";
import { countWaiting, type EndpointQueues } from "./endpoint-queues.ts";

const boundsSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface DeliveryMeter {
  /** Without an outcome, the attempt failed for a reason of ours. */
  attempted(outcome: Outcome | undefined, durationMs: number): void;
  stop(): void;
}

/** The metrics of one worker: how its attempts end, how long they take, and how full its queues are. */
export function deliveryMeter(metrics: Metrics, queues: EndpointQueues): DeliveryMeter {
  // All series exist from the start: one that appears with its first failure has no rate to alert on.
  const counted = Object.fromEntries(
    ["delivered", "not_sent", ...failureClasses].map((outcome) => [
      outcome,
      metrics.counter("mostrador_webhook_attempts_total", "Delivery attempts by outcome.", { outcome }),
    ]),
  );
  const took = metrics.histogram("mostrador_webhook_attempt_seconds", "Time of one delivery attempt.", boundsSeconds);
  const stop = metrics.collect(() => {
    const help = "Endpoints this process is sending to, requests in flight, and deliveries claimed for them.";
    return [
      { name: "mostrador_webhook_lanes", help, labels: { state: "known" }, value: queues.byEndpoint.size },
      { name: "mostrador_webhook_lanes", help, labels: { state: "in_flight" }, value: queues.inFlight },
      { name: "mostrador_webhook_lanes", help, labels: { state: "waiting" }, value: countWaiting(queues) },
    ];
  });
  return {
    attempted(outcome, durationMs) {
      counted[!outcome ? "not_sent" : outcome.delivered ? "delivered" : outcome.failure]!.value += 1;
      took.observe(durationMs / 1000);
    },
    stop,
  };
}
