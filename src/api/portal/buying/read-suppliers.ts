import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { must } from "../../../lib/must.ts";

/** What a supplier sells, as it was bought last. */
export interface SoldItem {
  id: string;
  code: string | null;
  product_id: string;
  name: string;
  unit: string;
  factor: number;
  last_cost: number;
  bought_at: Date;
}

/** A page shows the latest; more nobody reads through. */
const maxItems = 500;

export async function readSoldItems(db: Queryable, accountId: string, supplierId: string): Promise<SoldItem[]> {
  const { rows } = await db.query<SoldItem>(sql`
    select i.key as id, i.code, i.product_id, coalesce(p.body ->> 'name', i.description) as name, i.unit,
      i.factor::float8 as factor, i.last_cost::float8 as last_cost, i.bought_at
    from supplier_items i left join products p on p.account_id = i.account_id and p.id = i.product_id
    where i.account_id = ${accountId} and i.supplier_id = ${supplierId} order by i.bought_at desc, i.key limit ${maxItems}`);
  return rows;
}

export interface SupplierTotals {
  purchases: number;
  /** Of what was received. */
  bought: number;
  balance: number;
}

export async function readSupplierTotals(
  db: Queryable,
  accountId: string,
  supplierId: string,
  locationIds: readonly string[] | null,
): Promise<SupplierTotals> {
  const { rows } = await db.query<SupplierTotals>(sql`
    select count(*)::int as purchases, coalesce(sum((body ->> 'owed')::bigint), 0)::bigint as bought,
      coalesce(sum(balance), 0)::bigint as balance
    from purchases where account_id = ${accountId} and supplier_id = ${supplierId} and status <> 'cancelled'
      and (${locationIds === null} or coalesce(location_id, account_id) = any(${[...(locationIds ?? [])]}::uuid[]))`);
  return must(rows[0], "A sum has a row");
}
