import type { Metrics } from "../../lib/metrics.ts";
import type { Answer } from "./authority.ts";
import type { Circuit } from "./circuit.ts";

const boundsSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const answers: readonly Answer["kind"][] = [
  "accepted",
  "rejected",
  "duplicate",
  "processing",
  "unknown",
  "unavailable",
  "misconfigured",
];

export interface AuthorityMeter {
  asked(answer: Answer["kind"], ms: number): void;
  stop(): void;
}

/** What the operator sees of the authority from this process: its answers, its time, and whether it counts as down. */
export function authorityMeter(metrics: Metrics, circuit: Pick<Circuit, "isOpen">): AuthorityMeter {
  const counted = new Map(
    answers.map((answer) => [
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
    asked(answer, ms) {
      counted.get(answer)!.value += 1;
      took.observe(ms / 1000);
    },
    stop,
  };
}
