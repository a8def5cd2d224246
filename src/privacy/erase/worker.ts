import type { CoreDeps } from "../../engine/deps.ts";
import { second } from "../../lib/clock.ts";
import { runEvery } from "../../lib/run-every.ts";
import { type ErasingDeps, runErasures } from "./run.ts";

/** An owner who has just confirmed looks on. */
const lookEveryMs = 5 * second;

/** Goes on with the erasures that were asked for, or that a process left behind. */
export function startErasures(deps: ErasingDeps & Pick<CoreDeps, "log" | "clock">): { stop: () => Promise<void> } {
  return runEvery(
    deps.clock,
    lookEveryMs,
    () => runErasures(deps),
    (error) => deps.log.warn({ err: error }, "an erasure was interrupted; it goes on in a moment"),
  );
}
