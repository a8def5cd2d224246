import type { Metrics } from "../../lib/metrics.ts";
import { must } from "../../lib/must.ts";
import type { AuthorityResponse } from "./authority.ts";
import type { CircuitBreaker } from "./circuit-breaker.ts";

const boundsSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const kinds: readonly AuthorityResponse["kind"][] = [
  "accepted",
  "rejected",
  "duplicate",
  "processing",
  "unknown",
  "unavailable",
  "misconfigured",
];

export interface AuthorityMeter {
  called(response: AuthorityResponse["kind"], ms: number): void;
  stop(): void;
}

/** The metrics of one process's calls to the authority: responses, durations, and whether it counts as down. */
export function authorityMeter(metrics: Metrics, circuit: Pick<CircuitBreaker, "isOpen">): AuthorityMeter {
  const counted = new Map(
    kinds.map((answer) => [
      answer,
      metrics.counter("mostrador_authority_answers_total", "Answers of the tax authority.", { answer }),
    ]),
  );
  const took = metrics.histogram("mostrador_authority_seconds", "Time of the tax authority's answers.", boundsSeconds);
  const stop = metrics.collect(() => [
    {
      name: "mostrador_authority_down",
      help: "1 while the authority counts as down and is asked only now and then.",
      value: circuit.isOpen() ? 1 : 0,
    },
  ]);
  return {
    called(response, ms) {
      must(counted.get(response), "Every kind of response is counted").value += 1;
      took.observe(ms / 1000);
    },
    stop,
  };
}
