import type { Deps } from "../deps.ts";
import { forgetFullBuckets } from "../http/shared-limits.ts";
import { hour } from "../lib/clock.ts";
import { forgetExpired } from "../portal-api/forget-expired.ts";
import { purgeTombstones } from "../sync/pull/purge-tombstones.ts";
import { dropLeftBehind } from "../webhooks/drop-left-behind.ts";

/** Housekeeping: partitions for the days ahead, and the end of those past their retention. */
export function startMaintenance(deps: Deps): { stop: () => Promise<void> } {
  async function tidy(): Promise<void> {
    const now = deps.clock.now();
    await deps.partitions.ensure(now);
    const purged = await purgeTombstones(deps);
    if (purged > 0) deps.log.info({ purged }, "took old tombstones out of the registers' feed");
    await forgetExpired(deps.pool, now);
    await forgetFullBuckets(deps.pool);
    const left = await dropLeftBehind(deps.pool, now);
    if (left > 0) deps.log.info({ left }, "dropped what was left in the queues of closed endpoints");
    // Last, because a backup that is under way puts it off.
    const dropped = await deps.partitions.dropExpired(now);
    if (dropped.length > 0) deps.log.info({ dropped }, "dropped expired partitions");
  }
  let running = Promise.resolve();
  const run = () => {
    running = tidy().catch((error: Error) =>
      deps.log.error({ err: error }, "housekeeping failed; it runs again in an hour"),
    );
  };
  const timer = setInterval(run, hour);
  timer.unref();
  run();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
