import { sql } from "../../db/sql.ts";
import { skusOf } from "../../products/store.ts";
import type { Batch } from "./batch.ts";

/**
 * Two registers may each have given a SKU out while offline. Neither is refused, since the shop scans both; the later one
 * to arrive is shown as a conflict, and the API lets no further one in.
 */
export async function flagTakenSkus(batch: Batch): Promise<void> {
  const { write, shelves } = batch;
  const changed = [...batch.newSkus].map((id) => shelves.products.get(id)!).filter(({ body }) => !body.deleted_at);
  const skus = [...new Set(changed.flatMap(({ body }) => skusOf(body)))];
  if (skus.length === 0) return;
  const { rows } = await write.client.query<{ id: string; skus: string[] }>(sql`
    select id, skus from products
    where account_id = ${write.accountId} and skus && ${skus}::text[] and deleted_at is null`);
  const holders = new Map<string, string>();
  for (const row of rows) if (!batch.newSkus.has(row.id)) for (const sku of row.skus) holders.set(sku, row.id);
  for (const { body } of changed) {
    for (const sku of skusOf(body)) {
      const holder = holders.get(sku);
      if (holder !== undefined && holder !== body.id) {
        batch.lose(noteOf(body.id), { unit: "sku", kept: holder, lost: sku });
      } else holders.set(sku, body.id);
    }
  }
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
