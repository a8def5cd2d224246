import { sql } from "../../db/sql.ts";
import type { Write } from "../../engine/writing/write.ts";
import { ApiError } from "../../lib/errors.ts";
import { skusOf } from "./resource.ts";
import type { Product } from "./schema.ts";

/**
 * SKUs are unique among the account's products and variants that are not deleted. Only the ones that a request sets are
 * checked. There is no race, because the write holds the account's lock.
 */
export async function checkSkus(write: Write, product: Product, set: readonly string[]): Promise<void> {
  const held = skusOf(product);
  const repeated = set.find((sku) => held.indexOf(sku) !== held.lastIndexOf(sku));
  if (repeated !== undefined) throw skuTaken(repeated);
  if (set.length === 0) return;
  const { rows } = await write.client.query<{ skus: string[] }>(sql`
    select skus from products
    where account_id = ${write.accountId} and skus && ${set}::text[] and id <> ${product.id} and deleted_at is null limit 1`);
  const taken = set.find((sku) => rows[0]?.skus.includes(sku));
  if (taken !== undefined) throw skuTaken(taken);
}

function skuTaken(sku: string): ApiError {
  return new ApiError("SKU_ALREADY_EXISTS", {
    param: "sku",
    message: `El SKU "${sku}" ya lo usa otro producto o variante de la cuenta. Use uno distinto o edite el producto que lo tiene.`,
  });
}
