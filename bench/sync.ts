import type { BenchOptions } from "./options.ts";
import { type Bench, startBench } from "./support/dataset.ts";
import type { Figure } from "./support/measure.ts";
import { measurePushes } from "./sync/pushes.ts";
import { measureIdle, measureWakeUps } from "./sync/waiting.ts";

/**
 * Uploads compared with bare multi-row INSERTs of the same rows; how soon a waiting register receives an API write; the
 * cost of waiting.
 */
export async function run({ rounds, note }: BenchOptions): Promise<Figure[]> {
  const pushes = await withBench((bench) => measurePushes(bench, rounds, note));
  const wakeUps = await withBench((bench) => measureWakeUps(bench, note));
  // Each has its own database: vacuuming and writing out the uploads would count as the cost of waiting.
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
