import { expect, test } from "vitest";
import { withoutTimeouts } from "../../src/db/pool.ts";
import { sharedService } from "../support/fixtures.ts";
import { longRun } from "../support/long-run.ts";
import { openPortal } from "../support/portal.ts";
import { saleBody } from "../support/records.ts";

const service = sharedService();
const { value: count, isLong } = longRun("MANY_SALES", 3_000);

/** `MANY_SALES=1000000` times the pages over a million sales. */
test(`of ${count} sales the totals and the list are right, whatever the filter`, async () => {
  const owner = await openPortal(service);
  const { pool } = service.deps;
  await withoutTimeouts(pool, async (client) => {
    await client.query(
      `insert into sales (account_id, id, created_at, updated_at, seq, status, document_kind, occurred_at, payment_method, total, tax_amount,
        tip_amount, body)
      select $1, gen_random_uuid(), at, at, n, case when n % 33 = 0 then 'cancelled' else 'completed' end, 'pos', at,
        means, 1000 + n % 90000, n % 500, 0,
        replace($2, '"payment_method":"CASH"', format('"payment_method":"%s"', means))::json
      from (select n, timestamptz '2026-11-01' - n * interval '30 s' as at, (array['CASH', 'NEQUI', 'CARD'])[1 + n % 3] as means
        from generate_series(1, $3::int) n) s`,
      [owner.accountId, JSON.stringify(saleBody(new Date().toISOString())), count],
    );
    // As autovacuum does, so that counting needs the index alone.
    await client.query("vacuum analyze sales");
  });
  const timed = async (path: string) => {
    const start = performance.now();
    const { body } = await owner.get(path);
    if (isLong) console.info(`${path}: ${Math.round(performance.now() - start)} ms`);
    return body;
  };
  const totals = await timed("/sales/totals");
  expect(totals.tickets + totals.uncounted.count).toBe(count);
  for (const [filter, expected] of [
    ["payment_method=NEQUI", count / 3],
    ["total_min=80000", 0],
    ["register=Caja%201", 0],
  ] as const) {
    const found = await timed(`/sales/totals?${filter}`);
    const all = found.tickets + found.uncounted.count;
    if (!isLong) expect(all).toBe(expected);
    expect((await timed(`/sales?${filter}`)).data).toHaveLength(Math.min(25, all));
  }
}, 600_000);
