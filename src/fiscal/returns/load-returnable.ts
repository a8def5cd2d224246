import { firstWarehouse } from "../../business/inventory/find-warehouse.ts";
import { type ReturnColumns, returns } from "../../business/returns/resource.ts";
import type { Return } from "../../business/returns/schema.ts";
import type { Sale } from "../../business/sales/schema.ts";
import { sql } from "../../db/sql.ts";
import type { Loaded } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import { day } from "../../lib/clock.ts";
import { must } from "../../lib/must.ts";

export type LoadedReturn = Loaded<Return, ReturnColumns>;

/** The returns of these sales, in the order they were made. */
export async function loadReturns(write: Write, saleIds: readonly string[]): Promise<LoadedReturn[]> {
  if (saleIds.length === 0) return [];
  const { rows } = await write.client.query<{ id: string }>(sql`
    select id from returns where account_id = ${write.accountId} and sale_id = any(${[...saleIds]}::uuid[])
    order by seq, id`);
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const found = await write.loadMany(returns, ids);
  return ids.map((id) => must(found.get(id), "All of the returns were found"));
}

/** A sale's stock movements arrive with it or soon after. */
const arrivesWithinMs = 7 * day;

/**
 * Where the goods of these sales came from, by product: what is returned goes back there, or else to the default warehouse. At another
 * sede than the one it came from it stays there, in the sede's own warehouse if it has one.
 */
export async function loadWarehouses(
  write: Write,
  sales: readonly Sale[],
  locationId: string | null = null,
): Promise<(productId: string) => string | null> {
  const productIds = [...new Set(sales.flatMap(({ items }) => items.flatMap(({ product_id }) => product_id ?? [])))];
  const arrivals = sales.map(({ created_at }) => Date.parse(created_at));
  const earliest = new Date(Math.min(...arrivals, write.at.getTime()) - arrivesWithinMs);
  const latest = new Date(Math.max(...arrivals, 0) + arrivesWithinMs);
  const { accountId, client } = write;
  const [taken, defaults] = await Promise.all([
    client.query<{ product_id: string; warehouse_id: string; place: string | null }>(sql`
      select distinct on (m.product_id) m.product_id, m.warehouse_id,
        case when w.is_shared then null else coalesce(w.location_id, m.account_id) end as place
      from stock_movements m left join warehouses w on w.account_id = m.account_id and w.id = m.warehouse_id
      where m.account_id = ${accountId} and m.product_id = any(${productIds}::uuid[]) and m.warehouse_id is not null
        and m.sale_id = any(${sales.map(({ id }) => id)}::uuid[]) and m.delta_milli < 0
        and m.created_at between ${earliest} and ${latest}
      order by m.product_id, m.created_at, m.id`),
    client.query<{ id: string; is_open: boolean; place: string }>(firstWarehouse(accountId, locationId)),
  ]);
  const open = defaults.rows.find(({ is_open }) => is_open);
  const here = locationId ?? accountId;
  const stays = open?.place === here;
  const known = new Map(
    taken.rows
      .filter(({ place }) => place === null || place === here || !stays)
      .map(({ product_id, warehouse_id }) => [product_id, warehouse_id]),
  );
  return (productId) => known.get(productId) ?? open?.id ?? null;
}
