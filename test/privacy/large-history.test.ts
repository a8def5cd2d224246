import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { withoutTimeouts } from "../../src/db/pool.ts";
import { recordsPerWrite } from "../../src/privacy/erase/records.ts";
import { runErasures } from "../../src/privacy/erase/run.ts";
import { perTest } from "../support/fixtures.ts";
import { grepDatabase } from "../support/grep-database.ts";
import { longRun } from "../support/long-run.ts";
import { openPortal } from "../support/portal.ts";
import { saleBody } from "../support/records.ts";
import { startService } from "../support/service.ts";

const service = perTest(() => startService());
const { value: count, isLong } = longRun("ERASURE_SALES", process.env.LONG ? 100_000 : 3_000);

/** Every fifth sale is hers, and every hundredth of the others names her in a note. */
const isHers = "n % 5 = 0";
const namesHer = "n % 100 = 1";

test(`of ${count} sales none names her afterwards, and neither her shop nor another one has waited`, {
  timeout: 900_000,
}, async () => {
  const owner = await openPortal(service);
  const other = await openPortal(service);
  const { pool } = service.deps;
  const hers = { name: "Casilda", last_name: "Quintanarez", document_number: "1034998877" };
  const { body: customer } = await owner.business.api.post("/customers", hers, { "idempotency-key": randomUUID() });
  const body = JSON.stringify(saleBody(new Date().toISOString(), { customer_id: null, notes: null }));
  await withoutTimeouts(pool, (client) =>
    client.query(
      `insert into sales (account_id, id, created_at, updated_at, seq, status, document_kind, occurred_at, payment_method, total, tax_amount,
        tip_amount, customer_id, body)
      select $1, id, at, at, 1, 'completed', 'pos', at, 'CASH', 1000, 0, 0, case when hers then $4::uuid end,
        (replace($2, '"customer_id":null', case when hers then format('"customer_id":"%s"', $4::text) else '"customer_id":null' end)::jsonb
          || jsonb_build_object('id', id, 'notes', case when named or hers then 'Lo recoge Casilda Quintanarez' end))::json
      from (select gen_random_uuid() as id, n, timestamptz '2026-11-01' - n * interval '30 s' as at, ${isHers} as hers, ${namesHer} as named
        from generate_series(1, $3::int) n) s`,
      [owner.accountId, body, count, customer.id],
    ),
  );
  await pool.query("analyze sales");
  const begun = await owner.confirmed("/personal-data/erasures", { person: "1034998877" });
  expect(begun.status, begun.text).toBe(201);

  let isOver = false;
  const startedAt = performance.now();
  const erasing = (async () => {
    while ((await runErasures(service.deps, { settleMs: 3_000 })) === 0)
      await new Promise((done) => setTimeout(done, 200));
    isOver = true;
  })();
  const written = { own: [] as string[], others: 0 };
  let longestMs = 0;
  while (!isOver) {
    for (const { business } of [owner, other]) {
      const from = performance.now();
      const made = await business.api.post("/customers", { name: "Vecino" }, { "idempotency-key": randomUUID() });
      longestMs = Math.max(longestMs, performance.now() - from);
      expect(made.status, made.text).toBe(201);
      if (business === owner.business) written.own.push(made.body.id);
      else written.others += 1;
    }
  }
  await erasing;
  if (isLong || process.env.LONG)
    console.info(
      `${count} sales: ${Math.round((performance.now() - startedAt) / 1000)} s, longest write ${Math.round(longestMs)} ms of ${written.own.length}`,
    );

  const traces = ["quintanarez", "casilda", "1034998877"];
  expect(await withoutTimeouts(pool, (client) => grepDatabase(client, traces))).toEqual([]);
  const { rows: pieces } = await pool.query<{ seq: number; records: number }>(
    `select seq::float8 as seq, count(*)::int as records from sales where account_id = $1 and seq > 1 group by seq order by seq`,
    [owner.accountId],
  );
  const cleaned = pieces.reduce((sum, { records }) => sum + records, 0);
  expect(cleaned).toBe(Math.floor(count / 5) + Math.floor((count + 99) / 100));
  expect(
    Math.max(...pieces.map(({ records }) => records)),
    "no piece holds the shop's queue for long",
  ).toBeLessThanOrEqual(recordsPerWrite);
  const { rows: between } = await pool.query<{ count: number }>(
    `select count(*)::int as count from customers where account_id = $1 and id = any($2::uuid[]) and seq > $3 and seq < $4`,
    [owner.accountId, written.own, pieces[0]!.seq, pieces.at(-1)!.seq],
  );
  expect(between[0]!.count, "the shop's own writes stand between the pieces").toBeGreaterThan(1);
  expect(written.others).toBeGreaterThan(1);
});
