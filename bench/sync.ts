import type { BenchOptions } from "./main.ts";
import { startBench } from "./support/dataset.ts";
import type { Figure } from "./support/measure.ts";
import { measurePushes } from "./sync/pushes.ts";
import { measureIdle, measureWakeUps } from "./sync/waiting.ts";

/**
 * Uploads beside the same rows by bare multi-row INSERTs; how soon a waiting register hears of an API write; what
 * waiting costs.
 */
export async function run({ rounds, note }: BenchOptions): Promise<Figure[]> {
  const bench = await startBench();
  try {
    const pushes = await measurePushes(bench, rounds, note);
    const wakeUps = await measureWakeUps(bench, note);
    const idle = await measureIdle(bench, note);
    return [...pushes, wakeUps, idle];
  } finally {
    await bench.stop();
  }
}
