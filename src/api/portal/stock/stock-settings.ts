import { withAccountLock } from "../../../access/accounts/account-lock.ts";
import { type Actor, recordAudit } from "../../../access/accounts/record-audit.ts";
import type { Client, Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import type { Deps } from "../../../deps.ts";
import { unknownProduct } from "../catalog/read-product.ts";

/** Up to this stock a product counts as running out, unless the owner says otherwise. */
export const usualLowStock = 5;

export async function readLowStock(db: Queryable, accountId: string): Promise<number> {
  const { rows } = await db.query<{ low_stock: number }>(
    sql`select low_stock from portal_settings where account_id = ${accountId}`,
  );
  return rows[0]?.low_stock ?? usualLowStock;
}

export async function setLowStock(deps: Deps, accountId: string, lowStock: number, actor: Actor): Promise<void> {
  await withAccountLock(deps, accountId, async (client) => {
    const before = await readLowStock(client, accountId);
    await client.query(sql`
      insert into portal_settings (account_id, low_stock) values (${accountId}, ${lowStock})
      on conflict (account_id) do update set low_stock = excluded.low_stock`);
    await told(deps, client, { accountId, actor, details: {}, before, after: lowStock });
  });
}

/** With null, the account's limit counts again. */
export async function setProductLowStock(
  deps: Deps,
  accountId: string,
  { productId, lowStock }: { productId: string; lowStock: number | null },
  actor: Actor,
): Promise<void> {
  await withAccountLock(deps, accountId, async (client) => {
    const { rows } = await client.query<{ name: string; low_stock: number | null }>(sql`
      select p.body->>'name' as name, t.low_stock from products p
      left join product_thresholds t on t.account_id = p.account_id and t.product_id = p.id
      where p.account_id = ${accountId} and p.id = ${productId} and p.deleted_at is null`);
    const [product] = rows;
    if (!product) throw unknownProduct();
    await storeOwnLimit(client, accountId, productId, lowStock);
    const details = { product_id: productId, name: product.name };
    await told(deps, client, { accountId, actor, details, before: product.low_stock, after: lowStock });
  });
}

async function storeOwnLimit(db: Client, accountId: string, productId: string, lowStock: number | null): Promise<void> {
  if (lowStock === null)
    await db.query(sql`delete from product_thresholds where account_id = ${accountId} and product_id = ${productId}`);
  else
    await db.query(sql`
      insert into product_thresholds (account_id, product_id, low_stock) values (${accountId}, ${productId}, ${lowStock})
      on conflict (account_id, product_id) do update set low_stock = excluded.low_stock`);
}

async function told(
  { clock }: Deps,
  client: Client,
  set: { accountId: string; actor: Actor; details: object; before: number | null; after: number | null },
): Promise<void> {
  const { accountId, actor, before, after } = set;
  const details = { ...set.details, before: { low_stock: before }, after: { low_stock: after } };
  await recordAudit(client, { accountId, at: clock.now(), action: "low_stock.set", details, actor });
}
