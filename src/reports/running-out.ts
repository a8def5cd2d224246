import type { Reads } from "../db/shared-reads.ts";
import type { Span } from "./keep-spans.ts";
import { addDays } from "./period.ts";
import { ofParts, productSumsSql } from "./product-sums.ts";

export interface RunningOut {
  id: string;
  name: string;
  stock: number;
  days_left: number;
}

const paceDays = 28;
const soonDays = 7;
const shown = 5;

/** The four weeks before today, by which the pace of each product is judged. */
export function paceOf(today: string): Span {
  return { from: addDays(today, -paceDays), to: addDays(today, -1), moves: true };
}

/**
 * The cheap condition comes first, and CASE keeps it so: only of products that seem to run out are the movements looked up and
 * the body read.
 */
const text = `
  select p.id, p.body->>'name' as name, p.stock_milli / 1000.0 as stock, soon.days_left, soon.count
  from (
    select p.id, greatest(0, floor(p.stock_milli / 1000.0 / (s.quantity / ${paceDays})))::int as days_left, count(*) over () as count,
      row_number() over (order by p.stock_milli / s.quantity, p.id) as place
    from (${productSumsSql()}) s join products p on p.account_id = $1 and p.id = s.product_id
    where s.quantity > 0 and p.deleted_at is null and p.active and case
      when p.stock_milli / 1000.0 < s.quantity * ${soonDays} / ${paceDays} then
        exists (select from stock_movements m where m.account_id = $1 and m.product_id = p.id) and p.body->>'stock' is not null
      else false end
  ) soon join products p on p.account_id = $1 and p.id = soon.id
  where soon.place <= ${shown} order by soon.place`;

/** The products that run out within a week at the pace of the last four, the soonest first, and how many they are. */
export async function readRunningOut(
  db: Reads,
  accountId: string,
  pace: Span,
): Promise<{ running_out: RunningOut[]; running_out_count: number }> {
  const { rows } = await db.query<RunningOut & { count: number }>(ofParts(accountId, text, [pace]));
  return { running_out: rows.map(({ count, ...product }) => product), running_out_count: rows[0]?.count ?? 0 };
}
