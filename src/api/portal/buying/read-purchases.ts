import { type PayableEntry, readEntries } from "../../../business/purchases/payments.ts";
import { purchases } from "../../../business/purchases/resource.ts";
import type { Purchase } from "../../../business/purchases/schema.ts";
import { suppliers } from "../../../business/suppliers/resource.ts";
import type { Supplier } from "../../../business/suppliers/schema.ts";
import { sql } from "../../../db/sql.ts";
import type { ServedDeps } from "../../../deps.ts";
import { allOf, since, until } from "../../../engine/resources/filters.ts";
import { atLocations } from "../../../engine/resources/placed.ts";
import { type Condition, readList } from "../../../engine/resources/read-list.ts";
import { readOne } from "../../../engine/resources/read-one.ts";
import type { Position } from "../../../lib/cursor.ts";
import { ApiError } from "../../../lib/errors.ts";
import { must } from "../../../lib/must.ts";
import { recordTag } from "../../http/etag.ts";
import type { Asked } from "../lists/list.ts";
import type { ListedPurchase, purchaseList } from "../lists/purchases.ts";
import type { OfSedes } from "../tables/sedes.ts";

export type PurchaseRow = ListedPurchase & { line_count: number };

type PurchaseFilters = Asked<typeof purchaseList.filters> & OfSedes;

export async function readPurchases(
  deps: ServedDeps,
  accountId: string,
  query: PurchaseFilters,
  limit: number,
  after: Position | undefined,
): Promise<PurchaseRow[]> {
  const conditions = conditionsOf(accountId, query, deps.clock.now());
  const { rows } = await readList(deps, { table: "purchases", accountId, conditions, order: "desc", limit, after });
  return rows.map(([, , , body]) => {
    const { object: _, lines, charges: _charges, receipts: _receipts, ...purchase } = JSON.parse(body) as Purchase;
    return { ...purchase, created_at: new Date(purchase.created_at), line_count: lines.length };
  });
}

function conditionsOf(accountId: string, query: PurchaseFilters, now: Date): Condition[] {
  return [
    ...since("created_at", query.created_since),
    ...until("created_at", query.created_until),
    ...purchases.conditions(query as never, now, accountId),
    ...atLocations(query.location_ids ?? null, accountId),
  ];
}

export interface PurchaseTotals {
  count: number;
  /** Of those that were not cancelled. */
  total: number;
  /** On the way: asked for, and not all here. */
  awaited: number;
  balance: number;
}

export async function readPurchaseTotals(
  deps: ServedDeps,
  accountId: string,
  query: PurchaseFilters,
): Promise<PurchaseTotals> {
  const values: unknown[] = [accountId];
  const filtered = allOf(conditionsOf(accountId, query, deps.clock.now()), values);
  const { rows } = await deps.pool.query<PurchaseTotals>({
    text: `select count(*)::int as count,
        coalesce(sum((body ->> 'total')::bigint) filter (where status <> 'cancelled'), 0)::bigint as total,
        count(*) filter (where status in ('ordered', 'partly_received'))::int as awaited,
        coalesce(sum(balance), 0)::bigint as balance
      from purchases where account_id = $1 ${filtered && `and ${filtered}`}`,
    values,
  });
  return must(rows[0], "A sum has a row");
}

/** A purchase with whom it is from and what each line is here. */
export interface PurchaseDetail {
  purchase: Purchase;
  /** For `If-Match`. */
  version: string;
  supplier: Pick<Supplier, "id" | "name" | "email" | "phone" | "term_days" | "document_type" | "document_number">;
  warehouse: string;
  products: { id: string; name: string; base_unit: string }[];
  /** What is owed, entry by entry. */
  entries: PayableEntry[];
}

export async function readPurchase(deps: ServedDeps, accountId: string, id: string): Promise<PurchaseDetail> {
  const row = await readOne(deps.reads, purchases, accountId, id, false);
  if (!row) throw noSuchPurchase();
  const purchase = JSON.parse(row.body) as Purchase;
  const ids = purchase.lines.flatMap(({ product_id }) => product_id ?? []);
  const [from, products, warehouse, entries] = await Promise.all([
    readOne(deps.reads, suppliers, accountId, purchase.supplier_id, false),
    deps.pool.query<{ id: string; name: string; base_unit: string }>(sql`
      select id, body ->> 'name' as name, body ->> 'base_unit' as base_unit from products
      where account_id = ${accountId} and id = any(${ids}::uuid[])`),
    deps.pool.query<{ name: string }>(sql`
      select body ->> 'name' as name from warehouses
      where account_id = ${accountId} and id = ${purchase.warehouse_id}`),
    readEntries(deps.pool, accountId, purchase.id),
  ]);
  const supplier = JSON.parse(must(from, "A purchase has its supplier").body) as Supplier;
  const { name, email, phone, term_days, document_type, document_number } = supplier;
  return {
    purchase,
    version: recordTag(row.seq),
    supplier: { id: supplier.id, name, email, phone, term_days, document_type, document_number },
    warehouse: warehouse.rows[0]?.name ?? "",
    products: products.rows,
    entries,
  };
}

export function noSuchPurchase(): ApiError {
  return new ApiError("NOT_FOUND", { param: "id", message: "No existe esta compra en el negocio. Vuelva a la lista." });
}
