import type { BenchOptions } from "./options.ts";
import { type Bench, startBench } from "./support/dataset.ts";
import type { Figure } from "./support/measure.ts";
import { measurePushes } from "./sync/pushes.ts";
import { measureIdle, measureWakeUps } from "./sync/waiting.ts";

/**
 * Uploads beside the same rows by bare multi-row INSERTs; how soon a waiting register hears of an API write; what
 * waiting costs.
 */
export async function run({ rounds, note }: BenchOptions): Promise<Figure[]> {
  const pushes = await withBench((bench) => measurePushes(bench, rounds, note));
  const wakeUps = await withBench((bench) => measureWakeUps(bench, note));
  // What the uploads left to vacuum and write out would be counted as the cost of waiting, so each has its own database.
  const idle = await withBench((bench) => measureIdle(bench, note));
  return [...pushes, wakeUps, idle];
}

async function withBench<T>(measure: (bench: Bench) => Promise<T>): Promise<T> {
  const bench = await startBench();
  try {
    return await measure(bench);
  } finally {
    await bench.stop();
  }
}
