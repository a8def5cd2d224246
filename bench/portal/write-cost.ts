import { randomUUID } from "node:crypto";
import { push } from "../../src/api/sync/push/push.ts";
import { sales } from "../../src/business/sales/resource.ts";
import { cpuMeter } from "../support/cpu.ts";
import type { Bench } from "../support/dataset.ts";
import { type Figure, median, share } from "../support/measure.ts";
import { type BenchRecord, makeBatch, makeProducts, salesPerBatch } from "../sync/baskets.ts";
import { makeDevices } from "../sync/devices.ts";

/** Records of one sale: itself, and a movement for each of its three lines. */
const recordsPerSale = 4;
/** Short turns, and many of them: what else the machine does meets both alike. */
const pushesPerTurn = (perPush: number) => (perPush === 1 ? 60 : 10);
const turnsPerRound = 8;

/**
 * The same uploads with and without the totals, in turns, in this process: the ratio is what the totals cost. One sale a
 * push is how a register with a connection uploads, and the dearest way; fifty is how it catches up.
 */
export async function measureWriteCost(bench: Bench, rounds: number, note: (text: string) => void): Promise<Figure[]> {
  const [device] = await makeDevices(bench, 1, 1);
  const access = {
    ...device!,
    name: "Caja",
    appVersion: "4.0.0",
    capabilities: [],
    revokedAt: null,
    accountActive: true,
    isNextToken: false,
  };
  const products = makeProducts();
  let next = 1;
  const send = async (records: readonly object[]) => {
    const at = new Date().toISOString();
    const numbered = records.map((record) => ({
      device_seq: next++,
      op: "upsert",
      base_seq: 0,
      edited_at: at,
      changed: null,
      ...record,
    }));
    const body = { sent_at: at, records: numbered } as never;
    const { results } = await push(bench, access, {
      body,
      mayHoldUnstorable: false,
      requestId: `req_${randomUUID().replaceAll("-", "")}`,
    });
    const odd = results.find(({ status }) => status !== "applied");
    if (odd) throw new Error(`a record was not stored: ${JSON.stringify(odd)}`);
  };
  await send(products.map(({ id, ...data }) => ({ type: "product", id, data })));
  const meter = await cpuMeter(bench.pool);
  const { totals } = sales;
  const turn = async (isKept: boolean, perPush: number): Promise<[ms: number, cpu: number]> => {
    const batches = batchesOf(products, perPush);
    if (isKept) sales.totals = totals!;
    else delete sales.totals;
    const [startedAt, before] = [performance.now(), meter([process.pid])];
    for (const batch of batches) await send(batch);
    return [performance.now() - startedAt, meter([process.pid]) - before];
  };
  const figures: Figure[] = [];
  for (const perPush of [1, salesPerBatch]) {
    const kept: [number[], number[]] = [[], []];
    const bare: [number[], number[]] = [[], []];
    const salesPerTurn = perPush * pushesPerTurn(perPush);
    for (let round = 0; round <= rounds * turnsPerRound; round++) {
      const sides = [
        [true, kept],
        [false, bare],
      ] as const;
      // Neither is always the first.
      for (const [isKept, taken] of round % 2 === 0 ? sides : sides.toReversed()) {
        const [ms, cpu] = await turn(isKept, perPush);
        if (round === 0) continue;
        taken[0].push(ms / salesPerTurn);
        taken[1].push((cpu * 1000) / salesPerTurn);
      }
    }
    note(
      `pushes of ${perPush}: ${median(kept[0]).toFixed(3)} ms a sale, ${median(bare[0]).toFixed(3)} ms without totals`,
    );
    const name = `a sale with its totals, ${perPush} a push, of one without`;
    figures.push(share(name, "ms", inPairs(kept[0], bare[0])));
    figures.push(share(`${name}, by CPU time`, "CPU ms", inPairs(kept[1], bare[1])));
  }
  sales.totals = totals!;
  return figures;
}

/** The ratio is taken of two turns that followed each other: the machine was alike for both. */
function inPairs(kept: readonly number[], bare: readonly number[]): [kept: number, bare: number] {
  const ratio = median(kept.map((value, i) => value / bare[i]!));
  return [median(bare) * ratio, median(bare)];
}

function batchesOf(products: ReturnType<typeof makeProducts>, perPush: number): BenchRecord[][] {
  const pushes = pushesPerTurn(perPush);
  const all = Array.from({ length: Math.ceil((pushes * perPush) / salesPerBatch) }, () =>
    makeBatch(products, new Date()),
  ).flat();
  const size = perPush * recordsPerSale;
  return Array.from({ length: pushes }, (_, i) => all.slice(i * size, (i + 1) * size));
}
