import { skusOf } from "../../../business/products/resource.ts";
import type { Product } from "../../../business/products/schema.ts";
import { sql } from "../../../db/sql.ts";
import type { Batch } from "./batch.ts";

/**
 * Two registers may each have given a SKU out while offline. Neither is refused, since the shop scans both; the later one
 * to arrive is shown as a conflict, once: a rename of either is no new conflict. The API lets no further one in.
 */
export async function flagTakenSkus(batch: Batch): Promise<void> {
  const { write, shelves } = batch;
  const changed = [...batch.newSkus].flatMap(([id, skus]) => {
    const { body } = shelves.products.get(id)!;
    return livingSkus(body).flatMap((sku) => (skus.has(sku) ? [{ id, sku }] : []));
  });
  if (changed.length === 0) return;
  const { rows } = await write.client.query<{ id: string; skus: string[] }>(sql`
    select id, skus from products
    where account_id = ${write.accountId} and skus && ${changed.map(({ sku }) => sku)}::text[] and deleted_at is null`);
  const holders = new Map<string, string>();
  for (const { id, skus } of rows) {
    const now = shelves.products.get(id);
    for (const sku of now ? livingSkus(now.body).filter((one) => skus.includes(one)) : skus) holders.set(sku, id);
  }
  for (const { id, sku } of changed) {
    const holder = holders.get(sku);
    if (holder !== undefined && holder !== id) batch.lose(noteOf(id), { unit: "sku", kept: holder, lost: sku });
    else holders.set(sku, id);
  }
}

function livingSkus(body: Product): string[] {
  return body.deleted_at ? [] : skusOf(body);
}

/** A conflict that comes from no single record of the push. */
function noteOf(productId: string): Parameters<Batch["lose"]>[0] {
  return {
    deviceSeq: 0,
    type: "product",
    id: productId,
    op: "upsert",
    baseSeq: 0,
    editedAt: null,
    changed: null,
    data: {},
    findings: [],
  };
}
