import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { unknownProduct } from "../catalog/read-product.ts";

/** Up to this stock a product counts as running out, unless the owner says otherwise. */
export const usualLowStock = 5;

export async function readLowStock(db: Queryable, accountId: string): Promise<number> {
  const { rows } = await db.query<{ low_stock: number }>(
    sql`select low_stock from portal_settings where account_id = ${accountId}`,
  );
  return rows[0]?.low_stock ?? usualLowStock;
}

export async function setLowStock(db: Queryable, accountId: string, lowStock: number): Promise<void> {
  await db.query(sql`
    insert into portal_settings (account_id, low_stock) values (${accountId}, ${lowStock})
    on conflict (account_id) do update set low_stock = excluded.low_stock`);
}

/** With null, the account's limit counts again. */
export async function setProductLowStock(
  db: Queryable,
  accountId: string,
  productId: string,
  lowStock: number | null,
): Promise<void> {
  const { rowCount } = await db.query(
    sql`select 1 from products where account_id = ${accountId} and id = ${productId} and deleted_at is null`,
  );
  if (rowCount === 0) throw unknownProduct();
  if (lowStock === null)
    await db.query(sql`delete from product_thresholds where account_id = ${accountId} and product_id = ${productId}`);
  else
    await db.query(sql`
      insert into product_thresholds (account_id, product_id, low_stock) values (${accountId}, ${productId}, ${lowStock})
      on conflict (account_id, product_id) do update set low_stock = excluded.low_stock`);
}
