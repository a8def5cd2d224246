import type { Page } from "playwright-core";
import { percentile } from "../support/measure.ts";
import { addSales, chargeExactly, scan, search } from "./in-page.ts";
import { beginCharge } from "./open-page.ts";

export interface CounterTimes {
  readyMs: number;
  scanMs: number;
  searchMs: number;
  chargeMs: number;
}

const queries = ["cafe", "quesó", "galletas leche", "jabon atun"];

/** Fills the register's store with earlier sales, and times what a cashier does; p95 each. */
export async function timeCounter(
  page: Page,
  { products, sales, samples }: { products: number; sales: number; samples: number },
): Promise<CounterTimes> {
  if (sales > 0) await page.evaluate(`(${addSales})(${sales})`);
  const code = (i: number) => 7_700_000_000_000 + ((i * 37) % products);
  return {
    readyMs: await p95(samples, () => ready(page)),
    scanMs: await p95(samples, (i) => page.evaluate(`(${scan})("${code(i)}")`)),
    searchMs: await p95(samples, (i) => page.evaluate(`(${search})("${queries[i % queries.length]}")`)),
    chargeMs: await p95(samples, () => charge(page)),
  };
}

async function p95(samples: number, take: (i: number) => Promise<unknown>): Promise<number> {
  await take(0);
  const times: number[] = [];
  for (let i = 1; i <= samples; i++) times.push(Number(await take(i)));
  return percentile(times, 0.95);
}

/** From the navigation to the first products on the screen. */
async function ready(page: Page): Promise<unknown> {
  await page.reload();
  await page.locator(".tiles li").first().waitFor();
  return page.evaluate(() => performance.now());
}

async function charge(page: Page): Promise<unknown> {
  await beginCharge(page);
  const took = await page.evaluate(`(${chargeExactly})()`);
  await page.getByRole("button", { name: "Nueva venta" }).click();
  return took;
}
