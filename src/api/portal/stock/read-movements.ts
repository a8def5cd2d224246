import type { StockMovement } from "../../../business/inventory/schema.ts";
import type { Queryable } from "../../../db/pool.ts";
import { allOf } from "../../../engine/resources/filters.ts";
import { atLocations } from "../../../engine/resources/placed.ts";
import type { Position } from "../../../lib/cursor.ts";
import type { Asked } from "../lists/list.ts";
import type { ListedMovement, movementList } from "../lists/stock-movements.ts";
import type { OfSedes } from "../tables/sedes.ts";

type MovementFilters = Asked<typeof movementList.filters> & OfSedes;

interface Row {
  id: string;
  location_id: string;
  created_at: Date;
  body: string;
  delta_milli: number;
  product: string | null;
  warehouse_name: string | null;
}

/** Newest first. The names are looked up for the rows of the page only. */
export async function readMovements(
  db: Queryable,
  accountId: string,
  query: MovementFilters,
  limit: number,
  after: Position | undefined,
): Promise<ListedMovement[]> {
  const values: unknown[] = [accountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = ["account_id = $1"];
  for (const name of ["product_id", "warehouse_id", "type"] as const)
    if (query[name] !== undefined) conditions.push(`${name} = ${bind(query[name])}`);
  const here = allOf(atLocations(query.location_ids ?? null, accountId), values);
  if (here !== "") conditions.push(here);
  if (query.created_since !== undefined) conditions.push(`created_at >= ${bind(query.created_since)}::timestamptz`);
  if (query.created_until !== undefined) conditions.push(`created_at < ${bind(query.created_until)}::timestamptz`);
  if (after) conditions.push(`(created_at, id) < (${bind(after.createdAt)}::timestamptz, ${bind(after.id)}::uuid)`);
  const { rows } = await db.query<Row>({
    text: `select m.id, coalesce(m.location_id, m.account_id) as location_id, m.created_at, m.body, m.delta_milli, p.body as product, w.body ->> 'name' as warehouse_name
      from (select * from stock_movements where ${conditions.join(" and ")}
        order by created_at desc, id desc limit ${bind(limit)}) m
      left join products p on p.account_id = $1 and p.id = m.product_id
      left join warehouses w on w.account_id = $1 and w.id = m.warehouse_id
      order by m.created_at desc, m.id desc`,
    values,
  });
  return rows.map(listed);
}

function listed({
  id,
  location_id,
  created_at,
  body: text,
  delta_milli,
  product: productText,
  warehouse_name,
}: Row): ListedMovement {
  const body = JSON.parse(text) as StockMovement;
  const product =
    productText === null ? null : (JSON.parse(productText) as { name: string; sku: string | null; base_unit: string });
  const { product_id, warehouse_id, type, reason, reference, unit_cost, origin_type, sale_id } = body;
  return {
    id,
    location_id,
    created_at,
    product_id,
    warehouse_id,
    type,
    reason,
    reference,
    unit_cost,
    origin_type,
    sale_id,
    product_name: product?.name ?? null,
    product_sku: product?.sku ?? null,
    base_unit: product?.base_unit ?? null,
    warehouse_name,
    change: delta_milli / 1000,
  };
}
