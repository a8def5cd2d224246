import { noWarehouse } from "../../../business/inventory/stock-levels.ts";
import { codesOf } from "../../../business/products/resource.ts";
import type { Product } from "../../../business/products/schema.ts";
import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { eventRetentionDays } from "../../../engine/events/event-types.ts";
import type { Revisions } from "../../../engine/resources/revisions.ts";
import { revisionOf } from "../../../engine/resources/revisions.ts";
import { day } from "../../../lib/clock.ts";
import { ApiError } from "../../../lib/errors.ts";
import { notFoundMessage } from "../../public/reading.ts";

export interface ProductDetail {
  product: Product;
  /** Exact; null when it keeps none. */
  stock: number | null;
  /** Of that, what accepted orders keep apart. */
  reserved: number;
  /** Its own limit, if it has one, and the one in force. */
  own_low_stock: number | null;
  low_stock: number;
  /** As in the list: a product that never moved does not run out. */
  is_low: boolean;
  /** Null: movements that named no warehouse. */
  warehouses: { warehouse_id: string | null; name: string | null; stock: number }[];
  prices_changed_at: string;
  /** Codes of its own that another product has too, as happens to registers without a connection. */
  shared_codes: { code: string; product_id: string; name: string }[];
}

/** Of some sedes, the stock is theirs. */
export async function readProduct(
  db: Queryable,
  accountId: string,
  id: string,
  locationIds: readonly string[] | null = null,
): Promise<ProductDetail> {
  const { rows } = await db.query(sql`
    select p.body, p.stock_milli, p.revisions, t.low_stock as own_low_stock, coalesce(t.low_stock, s.low_stock, 5) as low_stock,
      p.stock_milli <> 0 or exists (
        select from stock_movements m where m.account_id = ${accountId} and m.product_id = p.id) as has_moved
    from products p
    left join product_thresholds t on t.account_id = p.account_id and t.product_id = p.id
    left join portal_settings s on s.account_id = p.account_id
    where p.account_id = ${accountId} and p.id = ${id} and p.deleted_at is null`);
  const row = rows[0];
  if (!row) throw unknownProduct();
  const stored = JSON.parse(row.body) as Product;
  const levels = await db.query<{ warehouse_id: string; name: string | null; stock_milli: number }>(sql`
    select l.warehouse_id, w.body ->> 'name' as name, l.stock_milli from stock_levels l
    left join warehouses w on w.account_id = l.account_id and w.id = l.warehouse_id
    where l.account_id = ${accountId} and l.product_id = ${id} and l.stock_milli <> 0
      and (${locationIds}::uuid[] is null
        or w.is_shared is not true and coalesce(w.location_id, l.account_id) = any(${locationIds}::uuid[]))
    order by 2, 1`);
  const whole = locationIds === null ? row.stock_milli : levels.rows.reduce((sum, one) => sum + one.stock_milli, 0);
  const stock = stored.stock === null ? null : whole / 1000;
  const product = locationIds === null ? stored : { ...stored, stock };
  const revisions = JSON.parse(row.revisions ?? "{}") as Revisions;
  const changedAt = revisionOf(revisions, "prices")[1];
  return {
    product,
    stock,
    reserved: stock === null ? 0 : await readReserved(db, accountId, id, locationIds),
    own_low_stock: row.own_low_stock,
    low_stock: row.low_stock,
    is_low: stock !== null && product.active && stock <= row.low_stock && row.has_moved,
    warehouses: levels.rows.map(({ warehouse_id, name, stock_milli }) => ({
      warehouse_id: warehouse_id === noWarehouse ? null : warehouse_id,
      name,
      stock: stock_milli / 1000,
    })),
    prices_changed_at: changedAt > 0 ? new Date(changedAt).toISOString() : product.created_at,
    shared_codes: await readSharedCodes(db, accountId, product),
  };
}

/** In the warehouses whose stock is shown. What is kept apart in none belongs to the first sede, as stock does. */
async function readReserved(
  db: Queryable,
  accountId: string,
  id: string,
  locationIds: readonly string[] | null,
): Promise<number> {
  const { rows } = await db.query<{ milli: string | number }>(sql`
    select coalesce(sum(r.reserved_milli), 0) as milli from stock_reservations r
    left join warehouses w on w.account_id = r.account_id and w.id = r.warehouse_id
    where r.account_id = ${accountId} and r.product_id = ${id}
      and (${locationIds}::uuid[] is null
        or w.is_shared is not true and coalesce(w.location_id, r.account_id) = any(${locationIds}::uuid[]))`);
  return Number(rows[0]?.milli ?? 0) / 1000;
}

async function readSharedCodes(
  db: Queryable,
  accountId: string,
  product: Product,
): Promise<ProductDetail["shared_codes"]> {
  const codes = codesOf(product);
  if (codes.length === 0) return [];
  const { rows } = await db.query<{ id: string; name: string; codes: string[] }>(sql`
    select id, body ->> 'name' as name, skus || barcodes as codes from products
    where account_id = ${accountId} and id <> ${product.id} and deleted_at is null
      and (skus && ${codes}::text[] or (barcodes <> '{}' and barcodes && ${codes}::text[])) order by id limit 20`);
  return rows.flatMap(({ id, name, codes: held }) =>
    held.filter((code) => codes.includes(code)).map((code) => ({ code, product_id: id, name })),
  );
}

export function unknownProduct(): ApiError {
  return new ApiError("NOT_FOUND", { param: "id", message: notFoundMessage("un producto") });
}

export interface PriceChange extends Pick<Product, "base_price" | "final_price" | "percent_discount"> {
  at: Date;
}

const maxEvents = 500;

/** The prices that a product had in the last 30 days, newest first, by the event log: nothing else keeps old prices. */
export async function readPrices(db: Queryable, accountId: string, id: string, now: Date): Promise<PriceChange[]> {
  const since = new Date(now.getTime() - eventRetentionDays * day);
  // The text is searched first: it is much cheaper than parsing the body of every product's event.
  const { rows } = await db.query<{ created_at: Date; body: string }>({
    text: `select created_at, body from events
      where account_id = $1 and type = any('{product.created,product.updated}') and created_at >= $2
        and strpos(body::text, $3) > 0 and body -> 'data' -> 'object' ->> 'id' = $4
      order by created_at desc, id desc limit ${maxEvents}`,
    values: [accountId, since, `"id":"${id}"`, id],
  });
  const seen = rows.map(({ created_at, body }): PriceChange => {
    const { object } = (JSON.parse(body) as { data: { object: Product } }).data;
    const { base_price, final_price, percent_discount } = object;
    return { at: created_at, base_price, final_price, percent_discount };
  });
  return seen.filter((change, i) => !isSamePrice(change, seen[i + 1]));
}

function isSamePrice(a: PriceChange, b: PriceChange | undefined): boolean {
  return (
    b !== undefined &&
    a.base_price === b.base_price &&
    a.final_price === b.final_price &&
    a.percent_discount === b.percent_discount
  );
}
