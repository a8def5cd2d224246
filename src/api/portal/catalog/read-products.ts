import { noWarehouse } from "../../../business/inventory/stock-levels.ts";
import type { Product } from "../../../business/products/schema.ts";
import type { Queryable } from "../../../db/pool.ts";
import { prepared } from "../../../db/sql.ts";
import { allOf } from "../../../engine/resources/filters.ts";
import { atLocations } from "../../../engine/resources/placed.ts";
import { foldText, searchPattern } from "../../../engine/search/search-text.ts";
import type { Asked } from "../lists/list.ts";
import type { ListedProduct, productFilters } from "../lists/products.ts";
import { usualRows } from "../tables/paging.ts";
import type { OfSedes } from "../tables/sedes.ts";

export type ProductFilters = Asked<typeof productFilters> & OfSedes;

interface Row {
  id: string;
  created_at: Date;
  body: string;
  stock_milli: number;
  reserved_milli: string | number;
  low_stock: number;
  is_low: boolean;
}

/**
 * By name. `afterId` is the last product of the page before. Which are on the page is found first: what is told of each is then
 * read of these alone.
 */
export async function readProducts(
  db: Queryable,
  accountId: string,
  query: ProductFilters,
  limit: number,
  afterId?: string,
): Promise<ListedProduct[]> {
  const { joins, where, values, bind } = selection(accountId, query);
  const after = afterId === undefined ? "" : `and (p.search, p.id) > (${positionSql(bind(afterId))})`;
  const found = `select p.id from products p ${query.stock === undefined ? "" : joins}
    where ${where} ${after} order by p.search, p.id limit ${limitSql(limit, bind)}`;
  const text = `
    select p.id, p.created_at, p.body, ${stockSql(query)} as stock_milli, ${reservedSql(query, bind)} as reserved_milli, ${lowStock} as low_stock, ${isLow(query)} as is_low
    from (${found}) f join products p on p.account_id = $1 and p.id = f.id ${joins} order by p.search, p.id`;
  const { rows } = await db.query<Row>(prepared(text, values));
  return rows.map(listed);
}

export interface StockTotals {
  products: number;
  value: number;
  low: number;
  out: number;
  negative: number;
}

/** What the filtered products add up to. Stock below zero has no value: it is a count that is still missing. */
export async function readTotals(db: Queryable, accountId: string, query: ProductFilters): Promise<StockTotals> {
  const { joins, where, values } = selection(accountId, query);
  const { rows } = await db.query<StockTotals & { value: string | number }>({
    text: `select count(*) as products,
        coalesce(round(sum(case when stock > 0 then stock * cost end) / 1000), 0) as value,
        count(*) filter (where is_low and stock > 0) as low,
        count(*) filter (where is_low and stock = 0) as out,
        count(*) filter (where keeps and stock < 0) as negative
      from (select ${stockSql(query)} as stock, ${isLow(query)} as is_low, ${costSql} as cost,
        ${keepsStock} as keeps from products p ${joins} where ${where}) as counted`,
    values,
  });
  const totals = rows[0]!;
  return { ...totals, value: Number(totals.value) };
}

const keepsStock = "(p.body ->> 'stock') is not null";
const lowStock = "coalesce(t.low_stock, s.low_stock, 5)";
/** As business/products/ledger.ts publishes it. */
const costSql = `round(coalesce(p.average_cost,
  case when p.cost_milli > 0 then p.cost_value / p.cost_milli / 1000000 else p.declared_cost end), 4)`;
const isWhole = ({ warehouse_id, location_ids = null }: ProductFilters) =>
  warehouse_id === undefined && location_ids === null;
const stockSql = (query: ProductFilters) => (isWhole(query) ? "p.stock_milli" : "coalesce(l.stock_milli, 0)");
/** The conditions are in the order of their cost. What never was in a sede does not run out there. */
const isLow = (query: ProductFilters) =>
  `(p.active and ${stockSql(query)} <= ${lowStock} * 1000 and ${keepsStock} and ${
    (query.location_ids ?? null) === null
      ? "(p.stock_milli <> 0 or exists (select from stock_movements m where m.account_id = $1 and m.product_id = p.id))"
      : "l.stock_milli is not null"
  })`;
const positionSql = (id: string) =>
  `select c.search, c.id from products c where c.account_id = $1 and c.id = ${id}::uuid`;

/** What is in a warehouse, or in those of some sedes. What is in none is in the first, as what was before there were any. */
function levelsSql(
  accountId: string,
  { warehouse_id, location_ids = null }: ProductFilters,
  values: unknown[],
): string {
  const bind = (value: unknown) => `$${values.push(value)}`;
  const found = (where: string) =>
    `select sum(v.stock_milli) as stock_milli from stock_levels v where v.account_id = $1 and v.product_id = p.id and ${where}`;
  const named = warehouse_id === undefined ? "true" : `v.warehouse_id = ${bind(warehouse_id)}`;
  if (location_ids === null) return found(named);
  const own = allOf(
    [{ sql: "account_id = $1 and is_shared is not true", values: [] }, ...atLocations(location_ids, accountId)],
    values,
  );
  const none = location_ids.includes(accountId) ? ` or v.warehouse_id = '${noWarehouse}'` : "";
  return found(`${named} and (v.warehouse_id in (select id from warehouses where ${own})${none})`);
}

/** A parameter is taken for a tenth of all there is: written out, the plan for the usual page is right, and kept. */
const limitSql = (limit: number, bind: (value: unknown) => string) =>
  limit === usualRows + 1 ? String(limit) : bind(limit);

/**
 * What orders keep apart, in the same warehouses. What is kept apart in none belongs to the first sede, as stock does. A business
 * without orders is asked once, not for each product.
 */
function reservedSql({ warehouse_id, location_ids = null }: ProductFilters, bind: (value: unknown) => string): string {
  const named = warehouse_id === undefined ? "" : `and r.warehouse_id = ${bind(warehouse_id)}`;
  const [places, own] =
    location_ids === null
      ? ["", ""]
      : [
          "left join warehouses w on w.account_id = $1 and w.id = r.warehouse_id",
          `and w.is_shared is not true and coalesce(w.location_id, r.account_id) = any(${bind(location_ids)}::uuid[])`,
        ];
  return `case when exists (select from stock_reservations where account_id = $1) then coalesce((
    select sum(r.reserved_milli) from stock_reservations r ${places}
    where r.account_id = $1 and r.product_id = p.id ${named} ${own}), 0) else 0 end`;
}

function selection(accountId: string, query: ProductFilters) {
  const values: unknown[] = [accountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const stock = stockSql(query);
  const levels = isWhole(query) ? "" : `left join lateral (${levelsSql(accountId, query, values)}) l on true`;
  const conditions = ["p.account_id = $1", "p.deleted_at is null"];
  if (query.active !== undefined) conditions.push(`p.active = ${bind(query.active)}`);
  if (query.category_id !== undefined) conditions.push(`p.category_id = ${bind(query.category_id)}`);
  if (query.q !== undefined) conditions.push(...matchingSql(query.q, bind));
  if (query.stock !== undefined) {
    const low = isLow(query);
    // Each product that runs out is in one of the three.
    const wanted = {
      low: `${stock} > 0 and ${low}`,
      out: `${stock} = 0 and ${low}`,
      negative: `${stock} < 0`,
      some: `${stock} <> 0`,
    };
    conditions.push(wanted[query.stock]);
  }
  if (query.stock !== undefined || query.counted) conditions.push(keepsStock);
  return {
    bind,
    values,
    where: conditions.join(" and "),
    joins: `
      left join product_thresholds t on t.account_id = p.account_id and t.product_id = p.id
      left join portal_settings s on s.account_id = p.account_id ${levels}`,
  };
}

/** In the name, or at the start of a SKU or another code. */
function matchingSql(q: string, bind: (value: unknown) => string): string[] {
  const folded = foldText(q);
  if (folded === "") return ["false"];
  const inName = bind(searchPattern(folded));
  const inCode = bind(searchPattern(q.trim().toLowerCase()).slice(1));
  return [
    `(p.search like ${inName} or exists (select from unnest(p.skus || p.barcodes) as code where lower(code) like ${inCode}))`,
  ];
}

function listed({ id, created_at, body: text, stock_milli, reserved_milli, low_stock, is_low }: Row): ListedProduct {
  const body = JSON.parse(text) as Product;
  const stock = body.stock === null ? null : stock_milli / 1000;
  return {
    id,
    created_at,
    name: body.name,
    sku: body.sku,
    category_id: body.category_id,
    kind: body.kind,
    active: body.active,
    sellable: body.sellable,
    base_price: body.base_price,
    final_price: body.final_price,
    percent_discount: body.percent_discount,
    base_unit: body.base_unit,
    tax_class: body.tax_class,
    unit_cost: body.unit_cost,
    codes: (body.barcodes ?? []).map(({ code }) => code),
    variants: body.variants.length,
    stock,
    reserved: stock === null ? 0 : Number(reserved_milli) / 1000,
    value: stock === null ? null : Math.round(Math.max(0, stock) * body.unit_cost),
    low_stock,
    is_low,
  };
}
