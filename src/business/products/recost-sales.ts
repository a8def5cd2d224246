import { plainArray } from "../../db/arrays.ts";
import { prepared, type Statement } from "../../db/sql.ts";

/** What an entry of a sale took with it. */
export interface SoldEntry {
  product_id: string;
  sale_id: string;
  milli: number;
  /** A decimal text in pesos; null while nothing is known. */
  value: string | null;
  /** Of it something is owed yet. */
  is_owed: boolean;
}

/** From when on the entries of a product were gone through. */
export interface Since {
  product_id: string;
  since_us: number;
}

/**
 * Writes down anew what these entries of sales took with them, with what they were said to cost at first. What was taken back since then
 * costs what the product did at its time.
 */
export function recostSales(
  accountId: string,
  at: Date,
  since: readonly Since[],
  sold: readonly SoldEntry[],
): Statement[] {
  const ids = plainArray(since.map(({ product_id }) => product_id));
  const moments = plainArray(since.map(({ since_us }) => String(since_us)));
  return [
    prepared(recostText, [accountId, ids, moments, JSON.stringify(sold), at]),
    prepared(forgetText, [accountId, ids, moments, at, plainArray([...new Set(sold.map(({ sale_id }) => sale_id))])]),
  ];
}

const step = (which: string) => `(select s.average from cost_steps s
  where s.account_id = $1 and s.product_id = l.product_id and s.us ${which}, s.movement_id limit 1)`;
/** What was before the first price cost that. */
const atItsTime = `coalesce(${step("<= l.us order by s.us desc")}, ${step("> l.us order by s.us")})`;

const recostText = `
  with sold as materialized (
    select product_id, sale_id, sum(milli) as milli, case when count(*) = count(value) then sum(value) end as value,
      bool_or(is_owed) as is_owed
    from json_to_recordset($4::json) as b(product_id uuid, sale_id uuid, milli bigint, value numeric, is_owed boolean)
    group by 1, 2
  ), found as (
    select l.record_id, l.kind, l.product_id, case when b.milli = l.milli then b.value else b.value * l.milli / b.milli end as cost,
      b.is_owed or b.value is null as is_guess
    from sold b join sale_costs l on l.account_id = $1 and l.record_id = b.sale_id and l.kind = 'sale' and l.product_id = b.product_id
    union all
    select l.record_id, l.kind, l.product_id, coalesce(l.milli * ${atItsTime} * 0.001, l.cost), false
    from unnest($2::uuid[], $3::bigint[]) as w(product_id, us)
    join sale_costs l on l.account_id = $1 and l.product_id = w.product_id and l.us >= w.us
    where l.kind <> 'sale'
  )
  update sale_costs t set cost = f.cost, is_guess = f.is_guess, first_cost = coalesce(t.first_cost, t.cost), recosted_at = $5
  from found f
  where t.account_id = $1 and t.record_id = f.record_id and t.kind = f.kind and t.product_id = f.product_id
    and (t.cost is distinct from f.cost or t.is_guess <> f.is_guess)`;

/** Sums of ended days that have one of those are added up again by the next report. */
const forgetText = `
  delete from margin_spans s where s.account_id = $1 and (exists (
    select from sale_costs t
    where t.account_id = $1 and t.record_id = any($5::uuid[]) and t.kind = 'sale' and t.recosted_at = $4
      and t.day between s.first_day and s.last_day)
  or exists (
    select from unnest($2::uuid[], $3::bigint[]) as w(product_id, us)
    join sale_costs t on t.account_id = $1 and t.product_id = w.product_id and t.us >= w.us and t.kind <> 'sale'
    where t.recosted_at = $4 and t.day between s.first_day and s.last_day))`;
