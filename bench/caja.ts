import { readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { launchBrowser } from "../test/support/browser.ts";
import { fillCounter } from "./caja/fill-counter.ts";
import { timeCounter } from "./caja/time-counter.ts";
import type { BenchOptions } from "./options.ts";
import { newShop, startBench } from "./support/dataset.ts";
import { type Figure, share } from "./support/measure.ts";
import { startServer } from "./support/servers.ts";

const sizes = [
  { products: 10_000, sales: 0, factor: 1 },
  { products: 20_000, sales: 50_000, factor: 1.5 },
];

/** What a cashier waits for, in a real browser; the limit is what is allowed. */
export async function run({ rounds, note }: BenchOptions): Promise<Figure[]> {
  const bench = await startBench();
  const server = await startServer("ours", bench.url);
  const browser = await launchBrowser();
  const figures: Figure[] = [];
  try {
    for (const { products, sales, factor } of sizes) {
      const shop = await newShop(bench);
      await fillCounter(bench, shop.accountId, server.url, products);
      const context = await browser.newContext({ viewport: { width: 1366, height: 800 }, locale: "es-CO" });
      const times = await timeCounter(bench, { context, url: server.url, accountId: shop.accountId, sales, rounds });
      await context.close();
      const what = sales > 0 ? `${products} products and ${sales} local sales` : `${products} products`;
      const figure = (name: string, ours: number, allowedMs: number) => {
        note(`${name}, ${what}: p95 ${ours.toFixed(1)} ms`);
        figures.push(share(`${name}, ${what}, p95`, "ms", [ours, allowedMs * factor]));
      };
      figure("ready to sell", times.readyMs, 1000);
      figure("a scan adds its line", times.scanMs, 50);
      figure("a search answers", times.searchMs, 30);
      figure("from charge to ticket", times.chargeMs, 100);
    }
    figures.push(share("first download, gzipped", "kB", [downloadBytes() / 1000, 350]));
    return figures;
  } finally {
    await browser.close();
    await server.stop();
    await bench.stop();
  }
}

/** What the page and its service worker fetch on the first visit: each file's compressed form, if it has one. */
function downloadBytes(): number {
  const folder = fileURLToPath(new URL("../caja/dist/", import.meta.url));
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(folder + name).isFile(),
  );
  const sent = names.filter((name) => !/\.(br|gz)$|\.built$|icon-512/.test(name));
  return sent.reduce(
    (sum, name) => sum + statSync(folder + (names.includes(`${name}.gz`) ? `${name}.gz` : name)).size,
    0,
  );
}
