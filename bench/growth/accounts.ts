import { randomUUID } from "node:crypto";
import { insertAccount } from "../../src/access/accounts/create-account.ts";
import { createKey } from "../../src/access/api-keys/create-key.ts";
import { scopes } from "../../src/engine/resources/scopes.ts";
import { uuidv7 } from "../../src/lib/ids.ts";
import type { BenchOptions } from "../options.ts";
import { type Bench, type BenchShop, startBench } from "../support/dataset.ts";
import { type Figure, median, requestsPerSecond, share } from "../support/measure.ts";
import { startServer } from "../support/servers.ts";
import { manyProducts } from "./families.ts";
import { fillFamily } from "./fill.ts";

const accountCounts = [1, 10, 100, 1000];
const connections = 24;
const productsEach = 100;

/** Reads pages and creates customers, with the same load spread over more and more accounts. */
export async function growAccounts(options: BenchOptions): Promise<Figure[]> {
  const { seconds, rounds, note, chart } = options;
  const bench = await startBench();
  try {
    const shops = await manyShops(bench, accountCounts.at(-1)!);
    await fillFamily(
      bench,
      manyProducts,
      shops.map((shop) => ({ ...shop, rows: productsEach })),
      note,
    );
    const server = await startServer("ours", bench.url);
    try {
      const gets = accountCounts.map((): number[] => []);
      const posts = accountCounts.map((): number[] => []);
      for (let round = 0; round <= rounds; round++) {
        note(`accounts: round ${round} of ${rounds}`);
        for (const [i, count] of accountCounts.entries()) {
          const some = shops.slice(0, count);
          const [read, written] = [await getPages(server.url, some, seconds), await post(server.url, some, seconds)];
          // The first round warms up.
          if (round === 0) continue;
          gets[i]!.push(read);
          posts[i]!.push(written);
        }
      }
      const series = [
        { name: "GET /products", values: gets.map(median) },
        { name: "POST /customers", values: posts.map(median) },
      ];
      const title = "Requests a second over 24 connections, by the accounts they are spread over";
      chart({ file: "growth-accounts", title, unit: "requests/s", along: "accounts", at: accountCounts, series });
      return series.map(({ name, values }) =>
        share(`${name}, ${accountCounts.at(-1)} accounts against 1`, "requests/s", [values.at(-1)!, values[0]!]),
      );
    } finally {
      await server.stop();
    }
  } finally {
    await bench.stop();
  }
}

function getPages(url: string, shops: readonly BenchShop[], seconds: number): Promise<number> {
  const next = roundRobin(shops);
  const request = () => ({ headers: { authorization: `Bearer ${next().key}` } });
  return requestsPerSecond({ url: `${url}/public/v1/products`, request }, seconds, connections);
}

function post(url: string, shops: readonly BenchShop[], seconds: number): Promise<number> {
  const next = roundRobin(shops);
  const body = JSON.stringify({ name: "María Fernanda", last_name: "Gómez", document_number: "1020456789" });
  const request = () => ({
    headers: {
      authorization: `Bearer ${next().key}`,
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
    },
    body,
  });
  return requestsPerSecond({ url: `${url}/public/v1/customers`, method: "POST", request }, seconds, connections);
}

function roundRobin<T>(all: readonly T[]): () => T {
  let turn = 0;
  return () => all[turn++ % all.length]!;
}

/** Accounts without passwords: hashing a thousand of them would take minutes. */
async function manyShops(bench: Bench, count: number): Promise<BenchShop[]> {
  const shops: BenchShop[] = [];
  for (let i = 0; i < count; i++) {
    const now = bench.clock.now();
    const accountId = uuidv7(now);
    await insertAccount(bench.pool, {
      id: accountId,
      name: "Tienda",
      email: `${accountId}@example.com`,
      passwordHash: "none",
      plan: "pro",
      now,
    });
    const keyDeps = { ...bench, config: { environment: "test" as const } };
    shops.push({ accountId, key: (await createKey(keyDeps, { accountId, name: "bench", scopes })).key });
  }
  return shops;
}
