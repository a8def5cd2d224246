import { expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { foldText, searchKeys } from "../../src/engine/search/search-text.ts";
import { fillOnce, restartFill } from "../../src/operations/fills/fill.ts";
import { startFills } from "../../src/operations/fills/worker.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { eventually } from "../support/eventually.ts";
import { sharedService } from "../support/fixtures.ts";
import { mostrador, mostradorJson } from "../support/process.ts";
import type { Business } from "../support/service.ts";

const service = sharedService();
const env = () => ({ DATABASE_URL: service.databaseUrl, SECRET_KEY: service.deps.config.secretKey });

/** More than one batch. */
const count = 450;

/** Customers with the keys that versions before decision 40 gave them: that of every pair besides today's. */
async function shopOfBefore(): Promise<Business> {
  const shop = await service.business();
  for (let i = 0; i < count; i += 50) {
    const names = Array.from({ length: 50 }, (_, j) => ({
      name: `Luz Rojas ${i + j}`,
      email: `luz${i + j}@example.com`,
    }));
    await Promise.all(names.map((wish) => shop.api.post("/customers", wish)));
  }
  await addPairKeys(shop);
  return shop;
}

async function addPairKeys({ accountId }: Business): Promise<void> {
  const { rows } = await service.deps.pool.query<{ id: string; name: string }>(
    sql`select id, body->>'name' as name from customers where account_id = ${accountId}`,
  );
  for (const { id, name } of rows) {
    const text = foldText(name);
    const pairs = Array.from(text.slice(1), (second, at) => `${text[at]}${second}`);
    const keys = [...new Set(pairs.flatMap((pair) => searchKeys(accountId, pair)))];
    await service.deps.pool.query(
      sql`update customers set search_keys = search_keys || ${keys}::int[] where account_id = ${accountId} and id = ${id}`,
    );
  }
}

async function found({ api }: Business, q: string): Promise<number> {
  const { body } = await api.get(`/customers?limit=100&q=${encodeURIComponent(q)}`);
  return body.data.length;
}

async function state({ accountId }: Business) {
  const { rows } = await service.deps.pool.query(sql`
    select (select json_agg(json_build_array(id, seq, updated_at, body) order by id)::text from customers where account_id = ${accountId}) as records,
      (select count(*) from events where account_id = ${accountId}) as events,
      (select json_build_array(seq, ts)::text from account_clock where account_id = ${accountId}) as clock`);
  return rows[0];
}

test("verify names reindex for keys of before; reindex brings them up to date and nothing else, and searches find the same all along", async () => {
  const shop = await shopOfBefore();
  const searches = ["lu", "z r", "rojas 449", "luz"];
  const expected = [100, 100, 1, 100];
  const foundNow = () => Promise.all(searches.map((q) => found(shop, q)));
  const before = await state(shop);
  expect(await foundNow()).toEqual(expected);
  const { code, stdout } = await mostrador(["verify"], env());
  expect(code).toBe(1);
  expect(stdout).toMatch(/ revisados: 1 problema\n/);
  expect(stdout).toContain(
    `customers: ${count} con claves de búsqueda de una versión anterior; las búsquedas los encuentran. Póngalas al día con: npx mostrador reindex`,
  );

  // Interrupted after its first batch, it goes on from there.
  await restartFill(service.deps.pool, "search_keys");
  const first = await fillOnce(service.deps.pool, "search_keys", true);
  expect(first).toEqual({ seen: 50, changed: 50, isFinished: false });
  expect(await foundNow()).toEqual(expected);
  const [done] = await Promise.all([
    mostradorJson(["reindex"], env()),
    (async () => {
      for (let i = 0; i < 20; i++) expect(await foundNow()).toEqual(expected);
    })(),
  ]);
  expect(done).toEqual({ records: count, changed: count });
  expect(await foundNow()).toEqual(expected);
  expect((await verify(service.deps.pool)).problems).toEqual([]);
  expect(await state(shop)).toEqual(before);
  expect((await mostrador(["reindex"], env())).stdout).toContain("todos estaban al día");
});

test("a record that no search finds is told as such, and found again after reindex", async () => {
  const shop = await service.business();
  const { body } = await shop.api.post("/customers", { name: "Ximena Quiroga" });
  await service.deps.pool.query(
    sql`update customers set search = '', search_keys = '{}' where account_id = ${shop.accountId} and id = ${body.id}`,
  );
  expect((await verify(service.deps.pool)).problems).toEqual([
    "customers: 1 con claves de búsqueda que no son las suyas; hay búsquedas que no los encuentran. Póngalas al día con: npx mostrador reindex",
  ]);
  await mostradorJson(["reindex"], env());
  expect(await found(shop, "ximena")).toBe(1);
  expect((await verify(service.deps.pool)).problems).toEqual([]);
});

test("while it runs, no concurrent write is lost, and its keys are those of the new text", async () => {
  const shop = await shopOfBefore();
  const { rows } = await service.deps.pool.query<{ id: string }>(
    sql`select id from customers where account_id = ${shop.accountId} order by id`,
  );
  const reindexing = mostradorJson(["reindex"], env());
  let isOver = false;
  void reindexing.finally(() => (isOver = true));
  const changed = new Set<string>();
  for (let i = 0; !isOver || changed.size < 20; i++) {
    const { id } = rows[i % rows.length]!;
    const { status } = await shop.api.patch(`/customers/${id}`, { name: `Berta Nieto ${i}` });
    expect(status).toBe(200);
    changed.add(id);
  }
  await reindexing;
  const { rows: stored } = await service.deps.pool.query(
    sql`select count(*) from customers where account_id = ${shop.accountId} and body->>'name' like 'Berta%'`,
  );
  expect(stored[0].count).toBe(changed.size);
  expect(await found(shop, "berta nieto")).toBe(Math.min(100, changed.size));
  expect((await verify(service.deps.pool)).problems).toEqual([]);
});

test("a fill that a migration left is done by itself behind a started service, in one process at a time", async () => {
  const shop = await shopOfBefore();
  await restartFill(service.deps.pool, "search_keys");
  const workers = [startFills(service.deps), startFills(service.deps)];
  try {
    await eventually(async () => {
      const { rowCount } = await service.deps.pool.query("select from fills where finished_at is not null");
      return rowCount === 1;
    });
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
  const { rows } = await service.deps.pool.query("select rows_changed from fills");
  expect(rows).toEqual([{ rows_changed: count }]);
  expect((await verify(service.deps.pool)).problems).toEqual([]);
  expect(await found(shop, "luz")).toBe(100);
});
