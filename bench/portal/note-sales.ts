import { sales } from "../../src/business/sales/resource.ts";
import type { Sale } from "../../src/business/sales/schema.ts";
import { sql } from "../../src/db/sql.ts";
import type { Bench } from "../support/dataset.ts";

/** Half as many again as single sales usually leave there. */
const notes = 100;

/** Fills the account's journal with notes of its newest sales. They count twice then, which no reader minds. */
export async function noteSales(bench: Bench, accountId: string): Promise<void> {
  await bench.pool.query(sql`delete from sale_journal where account_id = ${accountId}`);
  const { rows } = await bench.pool.query<{ body: string; last_seq: number }>(sql`
    select s.body, c.seq as last_seq from sales s join account_clock c on c.account_id = s.account_id
    where s.account_id = ${accountId} and s.status = 'completed' order by s.occurred_at desc, s.id desc limit ${notes}`);
  const at = bench.clock.now();
  for (const [i, { body, last_seq }] of rows.entries()) {
    const after = { body: JSON.parse(body) as Sale, device_id: null, device_seq: null, edited_at: null };
    const [note] = sales.totals!(accountId, [{ before: undefined, after, seq: last_seq + 1 + i, at }]);
    await bench.pool.query(note!);
  }
}
