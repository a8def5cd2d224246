import type { BenchOptions } from "./options.ts";
import { type Bench, type BenchShop, fillProducts, multiplyProducts, newShop, startBench } from "./support/dataset.ts";
import type { Figure } from "./support/measure.ts";
import { inTurns, requestsPerSecond, share } from "./support/measure.ts";
import { startServer } from "./support/servers.ts";

const connections = 24;

/** Reads compared with the bare limit, then the same pages of a small and a very large catalog. */
export async function run(options: BenchOptions): Promise<Figure[]> {
  const bench = await startBench();
  try {
    const [model, small, large] = [await newShop(bench), await newShop(bench), await newShop(bench)];
    await fillProducts(bench, model, 1000);
    await bench.pool.query("vacuum analyze products");
    const figures = await compareWithLimit(bench, model, options);
    options.note(`filling ${options.rows} products…`);
    await multiplyProducts(bench, model, small, 1);
    await multiplyProducts(bench, model, large, Math.ceil(options.rows / 1000));
    return [...figures, ...(await compareSizes(bench, small, large, options))];
  } finally {
    await bench.stop();
  }
}

async function compareWithLimit(bench: Bench, shop: BenchShop, { seconds, rounds }: BenchOptions): Promise<Figure[]> {
  const ours = await startServer("ours", bench.url);
  const bare = await startServer("bare", bench.url);
  try {
    const headers = { authorization: `Bearer ${shop.key}` };
    const { rows } = await bench.pool.query<{ id: string }>("select id from products where account_id = $1 limit 1", [
      shop.accountId,
    ]);
    const id = rows[0]!.id;
    const list = await inTurns(
      () => requestsPerSecond({ url: `${ours.url}/public/v1/products`, headers }, seconds, connections),
      () => requestsPerSecond({ url: `${bare.url}/list/${shop.accountId}` }, seconds, connections),
      rounds,
    );
    const one = await inTurns(
      () => requestsPerSecond({ url: `${ours.url}/public/v1/products/${id}`, headers }, seconds, connections),
      () => requestsPerSecond({ url: `${bare.url}/one/${shop.accountId}/${id}` }, seconds, connections),
      rounds,
    );
    return [
      share("GET /products, 25 with variants", "requests/s", list),
      share("GET /products/{id}", "requests/s", one),
    ];
  } finally {
    await ours.stop();
    await bare.stop();
  }
}

/** Milliseconds per page. `ours` is the large catalog, `limit` the same page of the small one. */
async function compareSizes(
  bench: Bench,
  small: BenchShop,
  large: BenchShop,
  { seconds, rounds, rows }: BenchOptions,
): Promise<Figure[]> {
  const server = await startServer("ours", bench.url);
  try {
    const figures: Figure[] = [];
    for (const [name, query] of [
      ["first page", ""],
      ["deep page", ""],
      ["page by active=false", "active=false"],
      ["page by q", "q=camiseta"],
      ["page by a two-letter q", "q=ca"],
      ["page by sku", "sku=SKU-77"],
    ] as const) {
      const paths = await Promise.all(
        [large, small].map(async (shop) =>
          name === "deep page" ? await deepPath(server.url, shop, 20) : `/public/v1/products?${query}`,
        ),
      );
      const msPerPage = (shop: BenchShop, path: string) => async () => {
        const perSecond = await requestsPerSecond(
          { url: server.url + path, headers: { authorization: `Bearer ${shop.key}` } },
          seconds,
          1,
        );
        return 1000 / perSecond;
      };
      const times = await inTurns(msPerPage(large, paths[0]!), msPerPage(small, paths[1]!), rounds);
      figures.push(share(`${name}, ${rows} products against 1000`, "ms", times));
    }
    return figures;
  } finally {
    await server.stop();
  }
}

/** The path of the page after this many pages. */
async function deepPath(url: string, shop: BenchShop, pages: number): Promise<string> {
  let path = "/public/v1/products";
  for (let i = 0; i < pages; i++) {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${shop.key}` } });
    const { next_cursor } = (await response.json()) as { next_cursor: string };
    path = `/public/v1/products?starting_after=${next_cursor}`;
  }
  return path;
}
