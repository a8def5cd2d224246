import { setTimeout as delay } from "node:timers/promises";
import { startWebhookWorker } from "../../src/webhooks/queue/worker.ts";
import type { BenchOptions } from "../options.ts";
import { type Figure, median, share } from "../support/measure.ts";
import { type Stage, startStage } from "../support/webhook-stage.ts";

const endpointCounts = [1, 2, 3, 4, 5];
/** Divisible by each of the counts. */
const deliveries = 12_000;

/** The same number of pending deliveries, spread over more and more endpoints of one account. */
export async function growEndpoints({ rounds, note, chart }: BenchOptions): Promise<Figure[]> {
  const stage = await startStage();
  try {
    const rates = endpointCounts.map((): number[] => []);
    for (let round = 0; round <= rounds; round++) {
      note(`endpoints: round ${round} of ${rounds}`);
      for (const [i, count] of endpointCounts.entries()) {
        const perSecond = await deliverAll(stage, count);
        // The first round warms up.
        if (round > 0) rates[i]!.push(perSecond);
      }
    }
    const values = rates.map(median);
    const name = "webhook deliveries";
    const title = "Webhook deliveries a second, by the endpoints they are spread over";
    const series = [{ name, values }];
    chart({ file: "growth-endpoints", title, unit: "1/s", along: "endpoints", at: endpointCounts, series });
    return [share(`${name}, ${endpointCounts.at(-1)} endpoints against 1`, "1/s", [values.at(-1)!, values[0]!])];
  } finally {
    await stage.close();
  }
}

async function deliverAll(stage: Stage, endpoints: number): Promise<number> {
  const accountId = await stage.account();
  for (let i = 0; i < endpoints; i++) {
    await stage.backlog(accountId, await stage.endpoint(accountId, `/${i}`), deliveries / endpoints);
  }
  await stage.deps.pool.query("vacuum analyze webhook_queue");
  await stage.deps.pool.query("analyze events");
  const before = (await stage.receiver.report()).count;
  const startedAt = performance.now();
  const worker = startWebhookWorker(stage.workerDeps, stage.network);
  while ((await stage.receiver.report()).count - before < deliveries) await delay(5);
  const seconds = (performance.now() - startedAt) / 1000;
  await worker.stop();
  return deliveries / seconds;
}
