import { equal, matching, notDeleted, storedForms } from "../../engine/resources/filters.ts";
import { externalIdColumn } from "../../engine/resources/own-fields.ts";
import type { Condition } from "../../engine/resources/read-list.ts";
import { defineResource, type Stored } from "../../engine/resources/resource.ts";
import type { Units } from "../../engine/resources/revisions.ts";
import { searchColumns } from "../../engine/resources/search-columns.ts";
import type { ProductLedger } from "./ledger.ts";
import { pricesOf } from "./prices.ts";
import { Product, ProductQuery, type ProductVariant } from "./schema.ts";
import { settleCosts } from "./settle-costs.ts";

export const products = defineResource<Product, ProductLedger>({
  name: "product",
  table: "products",
  path: "/products",
  scope: "products",
  tag: {
    name: "Productos",
    text: "El catálogo, con sus variantes y precios. Las existencias se cambian con movimientos de inventario, nunca aquí.",
  },
  spanish: { one: "un producto", many: "productos" },
  schema: Product,
  query: ProductQuery,
  isDeletable: true,
  derived: {
    active: { type: "boolean", from: (body) => body.active },
    category_id: { type: "uuid", from: (body) => body.category_id },
    skus: { type: "text[]", from: skusOf },
    barcodes: { type: "text[]", from: barcodesOf },
    updated_hour: { type: "timestamptz", from: (body) => `${body.updated_at.slice(0, 13)}:00:00Z` },
    ...externalIdColumn,
    ...searchColumns((body: Product) => [body.name]),
  },
  private: {
    ...{ stock_milli: "bigint", cost_milli: "bigint", cost_value: "numeric", declared_cost: "numeric" },
    ...{ average_cost: "numeric", transit_milli: "bigint", costed_us: "bigint", recost_us: "bigint" },
  },
  settle: settleCosts,
  events: { created: "product.created", updated: "product.updated", deleted: "product.deleted" },
  units: productUnits,
  // A sale changes its products' stock and updated_at. No index holds those, so the row is changed in place.
  changesByHour: true,
  conditions: (query: ProductQuery) => [
    ...notDeleted(query.include_deleted),
    ...equal("active", query.active),
    ...equal("category_id", query.category_id),
    ...withText(query.sku, [hasSku]),
    ...withText(query.barcode, [hasSku, hasBarcode]),
    ...equal("external_id", query.external_id),
    ...matching(query.q),
  ],
});

/** The units of merging: prices go together with their discount, and each variant has its own. The stock is not merged. */
function productUnits({ body, declared_cost }: Stored<Product, ProductLedger>): Units {
  const units: Units = {
    name: body.name,
    description: body.description,
    description_short: body.description_short,
    sku: body.sku,
    category_id: body.category_id,
    kind: body.kind,
    sellable: body.sellable,
    active: body.active,
    tax_class: body.tax_class,
    prices: pricesOf(body),
    base_unit: body.base_unit,
    sold_by_weight: body.sold_by_weight,
    images: body.images,
    barcodes: body.barcodes ?? [],
    unit_cost: Number(declared_cost),
    external_id: body.external_id ?? null,
    metadata: body.metadata ?? null,
    deleted: body.deleted_at !== null,
  };
  for (const variant of body.variants) Object.assign(units, variantUnits(variant));
  return units;
}

export function variantUnits(variant: Omit<ProductVariant, "object" | "created_at" | "updated_at">): Units {
  const part = `variants.${variant.id}`;
  return {
    [part]: true,
    [`${part}.label`]: variant.label,
    [`${part}.sku`]: variant.sku,
    [`${part}.prices`]: pricesOf(variant),
    [`${part}.images`]: variant.images,
    [`${part}.is_default`]: variant.is_default,
    [`${part}.active`]: variant.active,
  };
}

/** A product's own SKU and those of its variants. */
export function skusOf(body: Product): string[] {
  return [body.sku, ...body.variants.map((variant) => variant.sku)].filter((sku) => sku !== null);
}

/** The codes besides the SKUs. */
export function barcodesOf(body: Product): string[] {
  return (body.barcodes ?? []).map(({ code }) => code);
}

/** All that a scanner may read to mean the product. */
export function codesOf(body: Product): string[] {
  return [...skusOf(body), ...barcodesOf(body)];
}

const hasSku = "skus @> array[?]::text[]";
/** The index holds only products that have some. */
const hasBarcode = "(barcodes <> '{}' and barcodes @> array[?]::text[])";

/** Of these conditions, each with a place for the text, one must hold for it in a form in which it may be stored. */
function withText(text: string | undefined, conditions: readonly string[]): Condition[] {
  if (text === undefined) return [];
  const any = storedForms(text).flatMap((form) => conditions.map((sql) => [sql, form] as const));
  return [{ sql: `(${any.map(([sql]) => sql).join(" or ")})`, values: any.map(([, form]) => form), varies: true }];
}
