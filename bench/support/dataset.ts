import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccount } from "../../src/access/accounts/create-account.ts";
import { createKey } from "../../src/access/api-keys/create-key.ts";
import { createProduct } from "../../src/business/inventory/create-product.ts";
import { readConfig } from "../../src/config.ts";
import { createPool } from "../../src/db/create-pool.ts";
import { startEmbedded } from "../../src/db/embedded.ts";
import { migrate } from "../../src/db/migrate.ts";
import { withoutTimeouts } from "../../src/db/pool.ts";
import type { Deps } from "../../src/deps.ts";
import { scopes } from "../../src/engine/resources/scopes.ts";
import { searchKeys } from "../../src/engine/search/search-text.ts";
import { writing } from "../../src/engine/writing/writing.ts";
import { makeDeps } from "../../src/operations/make-deps.ts";

export const benchSecretKey = "0".repeat(64);

export interface Bench extends Deps {
  url: string;
  stop(): Promise<void>;
}

/** A separate database with the settings of `npm start`, and so with the same durability. */
export async function startBench(): Promise<Bench> {
  const dataDir = await mkdtemp(join(tmpdir(), "mostrador-bench-"));
  const postgres = await startEmbedded({ dataDir });
  const pool = createPool({ url: postgres.url });
  await migrate(pool);
  return {
    ...makeDeps(pool, readConfig({ SECRET_KEY: benchSecretKey, LOG_LEVEL: "silent" })),
    url: postgres.url,
    async stop() {
      await pool.end();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface BenchShop {
  accountId: string;
  key: string;
}

let shops = 0;

export async function newShop(bench: Bench): Promise<BenchShop> {
  shops += 1;
  const account = await createAccount(bench, {
    name: `Tienda ${shops}`,
    email: `tienda${shops}@example.com`,
    password: "sin importancia",
    plan: "pro",
  });
  const { key } = await createKey(
    { ...bench, config: { environment: "test" } },
    { accountId: account.id, name: "bench", scopes },
  );
  return { accountId: account.id, key };
}

/** Creates products with three variants each, as the API does. */
export async function fillProducts(bench: Bench, shop: BenchShop, count: number): Promise<void> {
  const perWrite = 50;
  for (let from = 0; from < count; from += perWrite) {
    await writing(bench, shop.accountId, async (write) => {
      for (let i = from; i < Math.min(count, from + perWrite); i++) {
        const variants = ["S", "M", "L"].map((label) => ({ label, sku: `SKU-${i}-${label}`, base_price: 25_000 }));
        await createProduct(write, {
          name: `Camiseta básica número ${i}`,
          base_price: 25_000,
          sku: `SKU-${i}`,
          variants,
        });
      }
    });
  }
}

/**
 * Copies the products of another shop many times in SQL: the same bodies with other ids, times and SKUs, so that small and
 * large shops differ only in size. Indexes are built afterwards.
 */
export async function multiplyProducts(bench: Bench, from: BenchShop, to: BenchShop, times: number): Promise<void> {
  await withoutTimeouts(bench.pool, async (client) => {
    const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(
      "select indexname, indexdef from pg_indexes where tablename = 'products' and indexname <> 'products_pkey'",
    );
    const { rows: texts } = await client.query<{ search: string }>(
      "select distinct search from products where account_id = $1",
      [from.accountId],
    );
    const keys = texts.map(({ search }) => ({ search, keys: searchKeys(to.accountId, search) }));
    for (const { indexname } of indexes) await client.query(`drop index ${indexname}`);
    await client.query(
      `insert into products (account_id, id, created_at, updated_at, updated_hour, seq, active, category_id, skus, search, search_keys, search_bits, body)
       select $2, gen_random_uuid(), p.created_at - n * interval '1 hour', p.updated_at - n * interval '1 hour', p.updated_hour - n * interval '1 hour', n, hashtext(p.id::text) % 10 <> 0, null,
         array[p.skus[1] || case n when 1 then '' else '-' || n end], p.search, k.keys, p.search_bits, p.body
       from products p join json_to_recordset($4::json) as k(search text, keys int[]) using (search), generate_series(1, $3::int) n
       where p.account_id = $1`,
      [from.accountId, to.accountId, times, JSON.stringify(keys)],
    );
    for (const { indexdef } of indexes) await client.query(indexdef);
    await client.query("vacuum analyze products");
  });
}
