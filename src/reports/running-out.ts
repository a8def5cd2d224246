import { noWarehouse } from "../business/inventory/stock-levels.ts";
import { type TotalsOf, totalsOf } from "../business/sale-totals/tables.ts";
import type { Reads } from "../db/shared-reads.ts";
import { prepared } from "../db/sql.ts";
import type { Span } from "./keep-spans.ts";
import { addDays } from "./period.ts";
import { boundsOf, ofParts, productSumsSql } from "./product-sums.ts";

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

/** The same of some sedes: what they sold, against what is in their warehouses. What never was in one does not run out there. */
const textOf = (of: TotalsOf) => `
  select p.id, p.body->>'name' as name, soon.milli / 1000.0 as stock, soon.days_left, soon.count
  from (
    select p.id, l.milli, greatest(0, floor(l.milli / 1000.0 / (s.quantity / ${paceDays})))::int as days_left, count(*) over () as count,
      row_number() over (order by l.milli / s.quantity, p.id) as place
    from (${productSumsSql(of)}) s join products p on p.account_id = $1 and p.id = s.product_id
    join (
      select product_id, sum(stock_milli) as milli from stock_levels
      where account_id = $1 and (${of.hasFirst ? `warehouse_id = '${noWarehouse}' or ` : ""}warehouse_id in (
        select id from warehouses where account_id = $1 and is_shared is not true
          and coalesce(location_id, account_id) = any(${of.ids}::uuid[])))
      group by 1) l on l.product_id = p.id
    where s.quantity > 0 and p.deleted_at is null and p.active and p.body->>'stock' is not null
      and l.milli / 1000.0 < s.quantity * ${soonDays} / ${paceDays}
  ) soon join products p on p.account_id = $1 and p.id = soon.id
  where soon.place <= ${shown} order by soon.place`;

/**
 * The products that run out within a week at the pace of the last four, the soonest first, and how many they are. Of some sedes, the
 * movements are counted by warehouse before (stock-levels.ts).
 */
export async function readRunningOut(
  db: Reads,
  accountId: string,
  pace: Span,
  locationIds: readonly string[] | null = null,
): Promise<{ running_out: RunningOut[]; running_out_count: number }> {
  const of = totalsOf(locationIds, accountId, "$4");
  const statement = of
    ? prepared(textOf(of), [accountId, ...boundsOf([pace]), locationIds])
    : ofParts(accountId, text, [pace]);
  const { rows } = await db.query<RunningOut & { count: number }>(statement);
  return { running_out: rows.map(({ count, ...product }) => product), running_out_count: rows[0]?.count ?? 0 };
}
