import type { ListSpec } from "../http/reading.ts";
import { searchText } from "../lib/search-text.ts";
import { equal, living, matching } from "../resources/filters.ts";
import { defineResource } from "../resources/resource.ts";
import { type ProductLedger, publishedCost, publishedStock } from "./ledger.ts";
import type { Product, ProductQuery } from "./schema.ts";

export const products = defineResource<Product, ProductLedger>({
  table: "products",
  spanish: "un producto",
  derived: {
    active: { type: "boolean", from: (body) => body.active },
    category_id: { type: "uuid", from: (body) => body.category_id },
    skus: { type: "text[]", from: skusOf },
    search: { type: "text", from: (body) => searchText([body.name]) },
  },
  private: { stock_milli: "bigint", cost_milli: "bigint", cost_value: "numeric", declared_cost: "numeric" },
});

/** The SKUs a product holds: its own and those of its living variants. */
export function skusOf(body: Product): string[] {
  return [body.sku, ...body.variants.map((variant) => variant.sku)].filter((sku) => sku !== null);
}

export const productList: ListSpec<ProductQuery> = {
  table: "products",
  conditions: (query) => [
    ...living(query.include_deleted),
    ...equal("active", query.active),
    ...equal("category_id", query.category_id),
    ...(query.sku === undefined ? [] : [{ sql: "skus @> array[?]::text[]", values: [query.sku], varies: true }]),
    ...matching(query.q),
  ],
};

/** Publishes what the ledger says. Composite products and those with variants keep no stock of their own. */
export function withLedger(body: Product, ledger: ProductLedger): Product {
  const keepsStock = body.kind === "simple" && body.variants.length === 0;
  return { ...body, stock: keepsStock ? publishedStock(ledger) : null, unit_cost: publishedCost(ledger) };
}
