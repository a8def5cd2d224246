import type { ListSpec } from "../http/reading.ts";
import { searchText } from "../lib/search-text.ts";
import { equal, living, matching } from "../resources/filters.ts";
import { defineResource } from "../resources/resource.ts";
import type { Product, ProductQuery } from "./schema.ts";

/** What the ledger knows of a product to the last thousandth; the body publishes it rounded. */
export interface ProductLedger {
  stock_milli: number;
  /** Quantity and value of what came in with a known cost. */
  cost_milli: number;
  cost_value: number;
  /** The cost typed when the product was made, in force until something comes in with one. */
  declared_cost: number;
}

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
  const average = ledger.cost_milli > 0 ? (ledger.cost_value * 1000) / ledger.cost_milli : ledger.declared_cost;
  return {
    ...body,
    stock: keepsStock ? Math.floor(ledger.stock_milli / 1000) : null,
    unit_cost: Math.round(average * 10_000) / 10_000,
  };
}
