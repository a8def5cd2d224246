import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../../deps.ts";
import { minute } from "../../lib/clock.ts";
import { runEvery } from "../../lib/run-every.ts";
import { fillOnce, pendingFills } from "./fill.ts";

/** Between two batches, so that requests come first. */
const pauseMs = 100;

/**
 * Fills, in batches, what migrations left behind. Of several processes one does it; the others look again in a minute, and go on
 * when it has ended.
 */
export function startFills(deps: Pick<Deps, "pool" | "clock" | "log">): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  async function fill(): Promise<void> {
    for (const name of await pendingFills(deps.pool)) {
      for (;;) {
        const progress = await fillOnce(deps.pool, name, false);
        if (progress?.isFinished) deps.log.info({ fill: name, ...progress }, "filled what a migration left");
        if (!progress || progress.isFinished || progress.waits) break;
        await delay(pauseMs, undefined, { ref: false, signal: stopping.signal });
      }
    }
  }
  const running = runEvery(deps.clock, minute, fill, (error) => {
    if (!stopping.signal.aborted) deps.log.warn({ err: error }, "a fill was interrupted; it goes on in a minute");
  });
  return {
    stop() {
      stopping.abort();
      return running.stop();
    },
  };
}
