import { readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { launchBrowser } from "../test/support/browser.ts";
import { fillCounter } from "./caja/fill-counter.ts";
import { openPage } from "./caja/open-page.ts";
import { timeCounter } from "./caja/time-counter.ts";
import { timeReach } from "./caja/time-reach.ts";
import type { BenchOptions } from "./options.ts";
import { newShop, startBench } from "./support/dataset.ts";
import { type Figure, share } from "./support/measure.ts";
import { startServer } from "./support/servers.ts";

/** Products of the shop that the limits are set for; the larger one has twice as many, and five local sales for each. */
const usualProducts = 10_000;

/** What a cashier waits for, in a real browser; the limit is what is allowed. `--rows` is the number of products. */
export async function run({ rounds, rows, note }: BenchOptions): Promise<Figure[]> {
  const few = rows > 0 ? rows : usualProducts;
  const sizes = [
    { products: few, sales: 0, factor: 1 },
    { products: 2 * few, sales: 5 * few, factor: 1.5 },
  ];
  const bench = await startBench();
  const server = await startServer("ours", bench.url);
  const browser = await launchBrowser();
  const figures: Figure[] = [];
  try {
    for (const { products, sales, factor } of sizes) {
      const what = sales > 0 ? `${products} products and ${sales} local sales` : `${products} products`;
      note(`caja: ${what}`);
      const shop = await newShop(bench);
      await fillCounter(bench, shop.accountId, server.url, products);
      const page = await openPage(browser, bench, { url: server.url, accountId: shop.accountId });
      const times = await timeCounter(page, { products, sales, samples: Math.max(20, rounds * 8) });
      await page.context().close();
      const figure = (name: string, ours: number, allowedMs: number) => {
        note(`${name}, ${what}: p95 ${ours.toFixed(1)} ms`);
        figures.push(share(`${name}, ${what}, p95`, "ms", [ours, allowedMs * factor]));
      };
      figure("ready to sell", times.readyMs, 1000);
      figure("a scan adds its line", times.scanMs, 50);
      figure("a search answers", times.searchMs, 30);
      figure("from charge to ticket", times.chargeMs, 100);
    }
    note("caja: what crosses the service");
    const { webhookMs, documentMs, priceMs } = await timeReach(browser, Math.max(5, rounds * 4));
    note(`webhook ${webhookMs.toFixed(0)} ms, document ${documentMs.toFixed(0)} ms, price ${priceMs.toFixed(0)} ms`);
    figures.push(
      share("from charge to the webhook's receiver, p95", "ms", [webhookMs, 2000]),
      share("from charge to number and QR on the ticket, p95", "ms", [documentMs, 5000]),
      share("from a price in the portal to the counter, p95", "ms", [priceMs, 2000]),
    );
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
