import { minute, second } from "../../lib/clock.ts";
import type { Metrics } from "../../lib/metrics.ts";
import type { PushBody } from "./protocol.ts";
import type { LongPolls } from "./pull/long-polls.ts";

/** From registers that are online to those that were offline for days. */
const boundsSeconds = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400, 604_800];
const longestLagMs = 366 * 24 * 60 * minute;

export interface SyncMeter {
  pushed(body: PushBody): void;
  stop(): void;
}

/** Metrics about registers: how late their records arrive, and how many are long-polling. */
export function syncMeter(metrics: Metrics, polls: Pick<LongPolls, "size">): SyncMeter {
  const lag = metrics.histogram(
    "mostrador_sync_lag_seconds",
    "Age of the oldest record of each push, by the register's own clock.",
    boundsSeconds,
  );
  const records = metrics.counter("mostrador_sync_records_total", "Records that registers pushed.");
  const stop = metrics.collect(() => [
    { name: "mostrador_sync_waiting_registers", help: "Registers that wait for changes here.", value: polls.size() },
  ]);
  return {
    pushed(body) {
      records.value += body.records.length;
      const lagMs = oldestAgeMs(body);
      if (lagMs !== undefined) lag.observe(lagMs / second);
    },
    stop,
  };
}

/** Both times come from the register's clock, so its error cancels out. */
function oldestAgeMs({ sent_at, records }: PushBody): number | undefined {
  const edited = (records as { edited_at?: unknown }[])
    .map(({ edited_at }) => (typeof edited_at === "string" ? Date.parse(edited_at) : Number.NaN))
    .filter((at) => !Number.isNaN(at));
  const ageMs = Date.parse(sent_at ?? "") - Math.min(...edited);
  return ageMs >= 0 && ageMs <= longestLagMs ? ageMs : undefined;
}
