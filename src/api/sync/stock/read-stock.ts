import type { DeviceAccess } from "../../../access/devices/device-access.ts";
import { countNewMovements, noWarehouse } from "../../../business/inventory/stock-levels.ts";
import type { Pool } from "../../../db/pool.ts";
import { oneRow } from "../../../db/read.ts";
import { prepared } from "../../../db/sql.ts";
import { maxPageBytes } from "../../../engine/resources/read-list.ts";
import { ApiError } from "../../../lib/errors.ts";

/** Where a register stands: in the middle of a snapshot, after a product, or past one, at an instant. */
type Position = { asOfMs: number | undefined; after: string } | { asOfMs: number; after: undefined };

export interface StockPage {
  /** Product, warehouse (null for movements without one) and quantity. */
  levels: [string, string | null, number][];
  cursor: string;
  has_more: boolean;
  /** The last upload of this register that the quantities contain. */
  acked_seq: number;
  /** The account's last change that they contain. */
  as_of: string;
}

interface Row {
  as_of: Date;
  acked_seq: number;
  /** Products that were asked for, and how many of them are on this page. */
  found: number;
  products: number;
  last: string | null;
  levels: string;
}

/** Two ids and a quantity take up to 100 bytes. */
const mostLevels = Math.floor(maxPageBytes / 100);

const productsFrom = `select distinct product_id from stock_levels where account_id = $1 and product_id > $3::uuid
  order by product_id limit $4`;
const productsChangedSince = `select distinct product_id from stock_movements
  where account_id = $1 and updated_at > $3::timestamptz limit $4`;

/**
 * The levels of some products, and how many uploads of the register are in them: one statement, one snapshot, so the register may add
 * exactly what it has not uploaded yet. Movements that came after the sums were counted are added on the way. A page holds the first
 * products whose levels fit on it, and at least one.
 */
const levelsOf = (products: string) => `
with found as (${products}), walked as (
  select f.product_id, sum(n.levels) over walk as so_far, row_number() over walk as place from found f cross join lateral (
    select count(*) as levels from stock_levels l where l.account_id = $1 and l.product_id = f.product_id) n
  window walk as (order by f.product_id)
), wanted as (select product_id from walked where so_far <= ${mostLevels} or place = 1), fresh as (
  select m.product_id, coalesce(m.warehouse_id, '${noWarehouse}'::uuid) as warehouse_id, m.delta_milli, m.created_at, p.counted_until
  from stock_movements m join stock_level_progress p on p.account_id = m.account_id
  where m.account_id = $1 and m.updated_at > p.counted_until and m.product_id in (select product_id from wanted)
), sums as (
  select product_id, warehouse_id, sum(milli) as milli from (
    select product_id, warehouse_id, stock_milli as milli from stock_levels
    where account_id = $1 and product_id in (select product_id from wanted)
    union all select product_id, warehouse_id, delta_milli from fresh
    union all select product_id, '${noWarehouse}'::uuid, -delta_milli from fresh where created_at <= counted_until
  ) parts group by product_id, warehouse_id
)
select c.ts as as_of, p.acked_seq, (select count(*) from found)::int as found, (select count(*) from wanted)::int as products,
  (select product_id from wanted order by product_id desc limit 1) as last,
  (select coalesce(json_agg(json_build_array(product_id, warehouse_id, milli)), '[]') from sums)::text as levels
from account_clock c join device_progress p on p.account_id = c.account_id
where c.account_id = $1 and p.device_id = $2`;

/** A page of the stock as registers look it up: first everything, then what moved since. */
export async function readStock(
  pool: Pool,
  { accountId, deviceId }: DeviceAccess,
  cursor: string,
  limit: number,
): Promise<StockPage> {
  const position = positionOf(cursor);
  await countNewMovements(pool, accountId);
  const read = async (products: string, from: unknown, most: number) => {
    const { rows } = await pool.query<Row>(prepared(levelsOf(products), [accountId, deviceId, from, most]));
    return oneRow(rows);
  };
  if (position.after === undefined) {
    const row = await read(productsChangedSince, new Date(position.asOfMs), limit + 1);
    if (row.found <= limit && row.products === row.found) return pageOf(row, row.as_of.getTime(), undefined);
    // More moved than fits: everything again is simpler than remembering where one was.
  }
  const row = await read(productsFrom, position.after ?? noWarehouse, limit);
  const asOfMs = (position.after === undefined ? undefined : position.asOfMs) ?? row.as_of.getTime();
  const hasMore = row.found === limit || row.products < row.found;
  return pageOf(row, asOfMs, hasMore ? row.last! : undefined);
}

function pageOf(row: Row, asOfMs: number, after: string | undefined): StockPage {
  const sums = JSON.parse(row.levels) as [string, string, number][];
  return {
    levels: sums.map(([product, warehouse, milli]) => [
      product,
      warehouse === noWarehouse ? null : warehouse,
      milli / 1000,
    ]),
    cursor: after === undefined ? String(asOfMs) : `${asOfMs}.${after}`,
    has_more: after !== undefined,
    acked_seq: row.acked_seq,
    as_of: row.as_of.toISOString(),
  };
}

/** It names an instant and a product of the register's own account: there is nothing in it to protect. */
function positionOf(cursor: string): Position {
  if (cursor === "") return { asOfMs: undefined, after: noWarehouse };
  const [, asOf, after] = /^(\d{1,14})(?:\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))?$/.exec(cursor) ?? [];
  if (asOf === undefined) throw new ApiError("INVALID_CURSOR", { param: "cursor" });
  return { asOfMs: Number(asOf), after };
}
