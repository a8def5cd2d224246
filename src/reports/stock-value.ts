import { noWarehouse } from "../business/inventory/stock-levels.ts";
import type { Reads } from "../db/shared-reads.ts";
import { prepared } from "../db/sql.ts";
import { maxReportRows } from "./sales-report.ts";

/** What there was of a product at the end of a day, at what one cost by then. */
export interface StockValueRow {
  product_id: string;
  name: string | null;
  sku: string | null;
  unit: string;
  stock: number;
  /** Null while nobody knows. */
  unit_cost: number | null;
  value: number | null;
}

export interface StockValue {
  day: string;
  rows: StockValueRow[];
  /** What is there, at cost: a product of which there is less than nothing is worth nothing. */
  value: number;
  /** Products that there were of, and how many of them nobody knows the cost of. */
  products: number;
  unknown: number;
  /** The rows of least value were left out; the totals have them. */
  is_cut: boolean;
}

/** As business/products/ledger.ts has it, for what never came in at a price. */
const untilPriced = `coalesce(
  case when p.average_cost is null and p.cost_milli > 0 then nullif(p.cost_value, 0) / p.cost_milli / 1000000 end, nullif(p.declared_cost, 0))`;

/** $1 the account, $2 the day, $3 the sedes or null, $4 the end of the day in millionths of a second. */
const text = `
  with held as (
    select d.product_id, sum(d.stock_milli) as milli from stock_days d
    where d.account_id = $1 and d.day <= $2::date and ($3::uuid[] is null or (
      (d.warehouse_id = '${noWarehouse}' and $1::uuid = any($3::uuid[])) or d.warehouse_id in (
        select id from warehouses where account_id = $1 and is_shared is not true
          and coalesce(location_id, account_id) = any($3::uuid[]))))
    group by 1 having sum(d.stock_milli) > 0
  ), priced as (
    select h.product_id, h.milli, p.body->>'name' as name, p.body->>'sku' as sku, coalesce(p.body->>'base_unit', 'und') as unit,
      coalesce((
        select s.average from cost_steps s where s.account_id = $1 and s.product_id = h.product_id and s.us <= $4
        order by s.us desc, s.movement_id desc limit 1), ${untilPriced}) as cost
    from held h join products p on p.account_id = $1 and p.id = h.product_id
    where p.body->>'stock' is not null
  )
  select product_id, name, sku, unit, milli / 1000.0 as stock, round(cost, 4) as unit_cost, round(milli * cost * 0.001) as value,
    round(coalesce(sum(milli * cost * 0.001) over (), 0)) as all_value, count(*) over () as products,
    count(*) filter (where cost is null) over () as unknown
  from priced order by milli * cost desc nulls last, product_id limit ${maxReportRows}`;

type Row = StockValueRow & { all_value: number; products: number; unknown: number };

/** The movements are counted by day before (stock-days.ts). */
export async function readStockValue(
  db: Reads,
  accountId: string,
  day: string,
  locationIds: readonly string[] | null,
): Promise<StockValue> {
  const end = (Date.parse(`${day}T00:00:00-05:00`) + 86_400_000) * 1000 - 1;
  const { rows } = await db.query<Row>(prepared(text, [accountId, day, locationIds, end]));
  const first = rows[0];
  return {
    day,
    rows: rows.map(({ all_value, products, unknown, ...row }) => row),
    ...{ value: first?.all_value ?? 0, products: first?.products ?? 0, unknown: first?.unknown ?? 0 },
    is_cut: (first?.products ?? 0) > rows.length,
  };
}
