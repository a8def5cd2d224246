import { skusOf } from "../../../business/products/resource.ts";
import type { Product } from "../../../business/products/schema.ts";
import { sql } from "../../../db/sql.ts";
import type { Batch } from "./batch.ts";

/**
 * Two registers may each have assigned the same SKU while offline. Both are accepted, since the shop scans both; the later
 * arrival is recorded as a conflict once, and not again when either product is edited. No upload record is its source, so
 * its device_seq is 0. The API rejects a SKU that is taken.
 */
export async function flagTakenSkus(batch: Batch): Promise<void> {
  const { write, recordSets } = batch;
  const changed = [...batch.newSkus].flatMap(([id, skus]) => {
    const { body } = recordSets.products.get(id)!;
    return currentSkus(body).flatMap((sku) => (skus.has(sku) ? [{ id, sku }] : []));
  });
  if (changed.length === 0) return;
  const { rows } = await write.client.query<{ id: string; skus: string[] }>(sql`
    select id, skus from products
    where account_id = ${write.accountId} and skus && ${changed.map(({ sku }) => sku)}::text[] and deleted_at is null`);
  const holders = new Map<string, string>();
  for (const { id, skus } of rows) {
    const now = recordSets.products.get(id);
    for (const sku of now ? currentSkus(now.body).filter((one) => skus.includes(one)) : skus) holders.set(sku, id);
  }
  for (const { id, sku } of changed) {
    const holder = holders.get(sku);
    if (holder !== undefined && holder !== id)
      batch.addConflict({ deviceSeq: 0, type: "product", id }, { unit: "sku", kept: holder, lost: sku });
    else holders.set(sku, id);
  }
}

function currentSkus(body: Product): string[] {
  return body.deleted_at ? [] : skusOf(body);
}
