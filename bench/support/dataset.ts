import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccount } from "../../src/access/accounts/create-account.ts";
import { createKey } from "../../src/access/api-keys/create-key.ts";
import { createProduct } from "../../src/business/inventory/create-product.ts";
import { startEmbedded } from "../../src/db/embedded.ts";
import { migrate } from "../../src/db/migrate.ts";
import { dailyPartitions } from "../../src/db/partitions.ts";
import { createPool, type Pool, unhurried } from "../../src/db/pool.ts";
import { scopes } from "../../src/engine/resources/scopes.ts";
import { searchKeys } from "../../src/engine/search/search-text.ts";
import { writing } from "../../src/engine/writing/writing.ts";
import { shiftedClock } from "../../src/lib/clock.ts";
import { dailyTables } from "../../src/operations/daily-tables.ts";

export const benchSecretKey = "0".repeat(64);

export interface Bench {
  url: string;
  pool: Pool;
  clock: ReturnType<typeof shiftedClock>;
  partitions: ReturnType<typeof dailyPartitions>;
  stop(): Promise<void>;
}

/** A database of its own with the settings of `npm start`: what is measured is as durable as what is run. */
export async function startBench(): Promise<Bench> {
  const dataDir = await mkdtemp(join(tmpdir(), "mostrador-bench-"));
  const postgres = await startEmbedded({ dataDir });
  const pool = createPool({ url: postgres.url });
  await migrate(pool);
  return {
    url: postgres.url,
    pool,
    clock: shiftedClock(),
    partitions: dailyPartitions(pool, dailyTables),
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

/** Products with three variants each, through the API's own write. */
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
 * A shop of any size by multiplying the products of another in SQL: same bodies and shape, other ids, times and SKUs, so
 * that a small and a large one differ in size only. Indexes are built after.
 */
export async function multiplyProducts(bench: Bench, from: BenchShop, to: BenchShop, times: number): Promise<void> {
  await unhurried(bench.pool, async (client) => {
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
      `insert into products (account_id, id, created_at, updated_at, seq, active, category_id, skus, search, search_keys, search_bits, body)
       select $2, gen_random_uuid(), p.created_at - n * interval '1 hour', p.updated_at - n * interval '1 hour', n, hashtext(p.id::text) % 10 <> 0, null,
         array[p.skus[1] || case n when 1 then '' else '-' || n end], p.search, k.keys, p.search_bits, p.body
       from products p join json_to_recordset($4::json) as k(search text, keys int[]) using (search), generate_series(1, $3::int) n
       where p.account_id = $1`,
      [from.accountId, to.accountId, times, JSON.stringify(keys)],
    );
    for (const { indexdef } of indexes) await client.query(indexdef);
    await client.query("vacuum analyze products");
  });
}
