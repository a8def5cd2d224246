import { type ProductLedger, publishedCost, publishedStock } from "./ledger.ts";
import type { Product } from "./schema.ts";

/** Sets the published stock and cost from the ledger. Composite products and those with variants have no stock. */
export function withLedger(body: Product, ledger: ProductLedger): Product {
  return { ...body, stock: keepsStock(body) ? publishedStock(ledger) : null, unit_cost: publishedCost(ledger) };
}

export function keepsStock({ kind, variants }: Product): boolean {
  return kind === "simple" && variants.length === 0;
}
