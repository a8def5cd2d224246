import { openSession } from "../src/access/people/session.ts";
import { addDays } from "../src/reports/period.ts";
import { bogotaDate } from "../src/taxes/bogota-time.ts";
import type { BenchOptions } from "./options.ts";
import { fillYear } from "./portal/fill-year.ts";
import { timedReader } from "./portal/timed-reader.ts";
import { measureWriteCost } from "./portal/write-cost.ts";
import { newShop, startBench } from "./support/dataset.ts";
import { type Figure, share } from "./support/measure.ts";
import { startServer } from "./support/servers.ts";

/** What the owner waits for, in the portal of a shop with a year of sales, and what its totals cost a write. */
export async function run({ rounds, rows, note }: BenchOptions): Promise<Figure[]> {
  const bench = await startBench();
  try {
    const cost = await measureWriteCost(bench, rounds, note);
    const shop = await newShop(bench);
    await fillYear(bench, shop.accountId, rows, note);
    const { token } = await openSession(bench, shop.accountId);
    const server = await startServer("ours", bench.url);
    const reader = timedReader(server.url, token);
    const today = bogotaDate(bench.clock.now());
    const year = `from=${addDays(today, -364)}&to=${today}`;
    const week = `occurred_since=${addDays(today, -7)}T05:00:00Z&occurred_until=${today}T05:00:00Z`;
    const samples = Math.max(40, rounds * 20);
    const measure = async (name: string, allowedMs: number, path: string) => {
      // The first read keeps what it can.
      await reader.p95(path, 1);
      const p95 = await reader.p95(path, samples);
      note(`${name}: p95 ${p95.toFixed(1)} ms`);
      return share(`${name}, ${rows} sales, p95`, "ms", [p95, allowedMs]);
    };
    try {
      return [
        await measure("Hoy", 50, "/today"),
        await measure("a page of Ventas, filtered", 30, `/sales?limit=25&status=completed&payment_method=CARD&${week}`),
        await measure("a year by day", 150, `/reports/sales?by=day&${year}`),
        await measure("a year by product", 150, `/reports/sales?by=product&${year}`),
        await measure("a year by category", 150, `/reports/sales?by=category&${year}`),
        await measure("a year by cashier", 150, `/reports/sales?by=cashier&${year}`),
        await measure("a year's taxes", 150, `/reports/taxes?${year}`),
        ...cost,
      ];
    } finally {
      reader.close();
      await server.stop();
    }
  } finally {
    await bench.stop();
  }
}
