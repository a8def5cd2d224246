import { day } from "../../src/lib/clock.ts";
import type { BenchOptions } from "../options.ts";
import { type Bench, newShop, startBench } from "../support/dataset.ts";
import { type Figure, median, share } from "../support/measure.ts";
import { startServer } from "../support/servers.ts";
import { type FilledShop, fillFamily, type SizedShop } from "./fill.ts";
import { type GrowthRead, type ReadFamily, type ReadShop, readFamilies } from "./reads.ts";
import { openReader, type Reader } from "./timed-get.ts";

const requestsPerRound = 60;
/** A round ends after this time, but not before the fewest requests that give a median. */
const maxRoundMs = 5_000;
const minRequests = 4;
const sampleSize = 50;

/** The same reads of accounts with ten thousand rows up to `rows`, each ten times as large as the one before. */
export async function growRows(options: BenchOptions): Promise<Figure[]> {
  const sizes = [10_000, 100_000, 1_000_000, 10_000_000].filter((size) => size < options.rows).concat(options.rows);
  const figures: Figure[] = [];
  // One family at a time, each in its own database: together they would need three times the disk space.
  for (const readFamily of readFamilies) {
    const bench = await startBench();
    try {
      figures.push(...(await growFamily(bench, readFamily, sizes, options)));
    } finally {
      await bench.stop();
    }
  }
  return figures;
}

async function growFamily(
  bench: Bench,
  { family, reads }: ReadFamily,
  sizes: readonly number[],
  { rounds, note, chart }: BenchOptions,
): Promise<Figure[]> {
  for (let daysAgo = 30; daysAgo >= 0; daysAgo--) {
    await bench.partitions.ensure(new Date(bench.clock.now().getTime() - daysAgo * day));
  }
  const sized: SizedShop[] = [];
  for (const rows of sizes) sized.push({ ...(await newShop(bench)), rows });
  const filled = await fillFamily(bench, family, sized, note);
  const shops: ReadShop[] = [];
  for (const shop of filled) shops.push({ ...shop, sample: await takeSample(bench, family.table, shop) });

  const server = await startServer("ours", bench.url);
  const reader = openReader(server.url);
  try {
    const times = await measureReads(reader, reads, shops, rounds);
    const curves = reads.map(({ name }, i) => ({ name, values: times[i]!.map(median) }));
    chart({
      file: `growth-${family.table}`,
      title: `p50 of each read of ${family.table}, by rows in the account`,
      unit: "ms",
      along: "rows",
      at: [...sizes],
      series: curves,
    });
    return curves.map(({ name, values }) =>
      share(`${name}, ${sizes.at(-1)} rows against ${sizes[0]}`, "ms", [values.at(-1)!, values[0]!]),
    );
  } finally {
    reader.close();
    await server.stop();
  }
}

/** Milliseconds by read and size. Sizes alternate with every request, so that noise affects all alike. */
async function measureReads(
  reader: Reader,
  reads: readonly GrowthRead[],
  shops: readonly ReadShop[],
  rounds: number,
): Promise<number[][][]> {
  const times = reads.map(() => shops.map((): number[] => []));
  // The first round is a warm-up: it loads code, plans and pages.
  for (let round = 0; round <= rounds; round++) {
    for (const [i, read] of reads.entries()) {
      const startedAt = performance.now();
      for (let turn = 0; turn < requestsPerRound; turn++) {
        if (turn >= minRequests && performance.now() - startedAt > maxRoundMs) break;
        for (let place = 0; place < shops.length; place++) {
          const size = (turn + place) % shops.length;
          const shop = shops[size]!;
          const path = read.path(shop, turn);
          const ms = await (read.firstByteOnly
            ? reader.msToFirstByte(path, shop.key)
            : reader.msToLastByte(path, shop.key));
          if (round > 0) times[i]![size]!.push(ms);
        }
      }
    }
  }
  return times;
}

async function takeSample(bench: Bench, table: string, shop: FilledShop): Promise<ReadShop["sample"]> {
  const numbers = Array.from({ length: sampleSize }, (_, i) => Math.floor(((i + 0.5) / sampleSize) * shop.rows));
  const sample: ReadShop["sample"] = [];
  for (const number of numbers) {
    const { rows } = await bench.pool.query<{ id: string; created_at: Date }>(
      `select id, created_at from ${table} where account_id = $1 and created_at = $2`,
      [shop.accountId, shop.instantOf(number)],
    );
    sample.push({ ...rows[0]!, number });
  }
  return sample;
}
