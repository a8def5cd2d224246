import {
  maxBarcodes,
  type ProductBarcode,
  type UploadedBarcode,
  uploadedBarcodes,
} from "../../../business/products/barcodes.ts";
import { ledgerOf, newLedger, type ProductLedger } from "../../../business/products/ledger.ts";
import { changedPrices, noPrices, type Prices, pricesOf } from "../../../business/products/prices.ts";
import { products, variantUnits } from "../../../business/products/resource.ts";
import type { Product, ProductVariant } from "../../../business/products/schema.ts";
import { withLedger } from "../../../business/products/with-ledger.ts";
import type { Units } from "../../../engine/resources/revisions.ts";
import { type Finding, finding } from "../../../fiscal/findings/finding.ts";
import { must } from "../../../lib/must.ts";
import { checkPercent, deletedAt, isPercent, type Kind } from "./kind.ts";
import { mergeParts } from "./merge-fields.ts";
import { ownFieldsOf, ownUnits } from "./own-fields.ts";
import { type Fields, fieldIn, idIn } from "./read-record.ts";

const plainFields = [
  "name",
  "description",
  "description_short",
  "sku",
  "kind",
  "sellable",
  "active",
  "tax_class",
  "base_unit",
  "sold_by_weight",
  "unit_cost",
] as const;
const priceFields = ["base_price", "final_price", "percent_discount"] as const;

export const productKind: Kind<Product, ProductLedger> = {
  resource: products,
  needs: ["name", "prices"],
  read(data, current) {
    const units: Units = {};
    for (const name of plainFields) if (data[name] !== undefined) units[name] = data[name];
    if (data.category_id !== undefined) units.category_id = idIn(data, "category_id");
    if (priceFields.some((name) => data[name] !== undefined)) units.prices = readPrices(data, current ?? noPrices);
    const images = imagesIn(data);
    if (images) units.images = images;
    if (data.barcodes !== undefined) units.barcodes = uploadedBarcodes(data.barcodes as UploadedBarcode[]);
    Object.assign(units, ownUnits(data, current));
    if (data.deleted_at !== undefined) units.deleted = data.deleted_at !== null;
    if (!current) for (const variant of variantsIn(data)) Object.assign(units, variantUnits(variant));
    return units;
  },
  unitOf: (field) =>
    (priceFields as readonly string[]).includes(field)
      ? "prices"
      : ({ deleted_at: "deleted", image_url: "images" }[field] ?? field),
  make(units, id, at, before) {
    const images = fieldIn<string[]>(units, "images", []);
    const variants = makeVariants(units, id, at, before?.body.variants ?? []);
    const cost = fieldIn(units, "unit_cost", 0);
    const ledger = before ? { ...before, declared_cost: String(cost) } : newLedger(cost);
    const body: Product = {
      object: "product",
      id,
      name: fieldIn(units, "name", ""),
      description: fieldIn(units, "description", ""),
      description_short: fieldIn(units, "description_short", ""),
      sku: fieldIn(units, "sku", null),
      category_id: fieldIn(units, "category_id", null),
      kind: fieldIn<Product["kind"]>(units, "kind", "simple"),
      sellable: fieldIn(units, "sellable", true),
      active: fieldIn(units, "active", true),
      tax_class: fieldIn<Product["tax_class"]>(units, "tax_class", "standard"),
      ...fieldIn(units, "prices", noPrices),
      base_unit: fieldIn<Product["base_unit"]>(units, "base_unit", "und"),
      sold_by_weight: fieldIn(units, "sold_by_weight", false),
      stock: null,
      unit_cost: 0,
      image_url: images[0] !== undefined && /^https?:/i.test(images[0]) ? images[0] : null,
      images,
      has_variants: variants.length > 0,
      variants,
      barcodes: fieldIn<ProductBarcode[]>(units, "barcodes", []),
      ...ownFieldsOf(units),
      created_at: before?.body.created_at ?? at,
      updated_at: at,
      deleted_at: deletedAt(units, before, at),
    };
    return { body: withLedger(body, ledger), ...ledgerOf(ledger) };
  },
  check(data) {
    const variants = (data.variants ?? []) as Fields[];
    const defaults = variants.filter((variant) => variant.is_default === true && (variant.deleted_at ?? null) === null);
    return [
      ...checkPercent(data, "percent_discount"),
      ...variants.flatMap((variant) =>
        checkPercent(variant, "percent_discount", `variants.${idIn(variant, "id")}.percent_discount`),
      ),
      ...(defaults.length > 1
        ? [finding("variants", 1, defaults.length, "Más de una variante es la predeterminada.")]
        : []),
      ...checkBarcodes(data),
    ];
  },
  mergeLists(merged, data, changed, edit) {
    if (data.variants === undefined) return;
    const named = new Set(changed?.filter((field) => field.startsWith("variants.")).map(variantUnit));
    const isWhole = changed === null || changed.includes("variants");
    if (!isWhole && named.size === 0) return;
    const parts = new Map(variantsIn(data).map((variant) => [`variants.${variant.id}`, variantUnits(variant)]));
    mergeParts(merged, { list: "variants", parts, isWhole, named }, edit);
  },
};

/** Told only if codes are missing of those that were sent. */
function checkBarcodes({ barcodes }: Fields): Finding[] {
  const sent = (barcodes ?? []) as UploadedBarcode[];
  const kept = uploadedBarcodes(sent).length;
  if (kept === sent.length) return [];
  const reason = `Se guardaron ${kept} códigos: los demás estaban repetidos, vacíos o pasaban de ${maxBarcodes}.`;
  return [finding("barcodes", kept, sent.length, reason)];
}

/** `variants.<id>.base_price` belongs to the unit `variants.<id>.prices`. */
function variantUnit(field: string): string {
  const [list, id, name] = field.toLowerCase().split(".");
  if (name === undefined) return `${list}.${id}`;
  return `${list}.${id}.${(priceFields as readonly string[]).includes(name) ? "prices" : name}`;
}

/** The prices as sent. A missing price or an invalid discount is computed from the others, as in the API. */
function readPrices(data: Fields, current: Prices): Prices {
  const isSent = (name: string) => data[name] !== undefined && (name !== "percent_discount" || isPercent(data[name]));
  const sent = Object.fromEntries(priceFields.filter(isSent).map((name) => [name, data[name]]));
  const prices = changedPrices(current, sent as Partial<Prices>);
  return isPercent(prices.percent_discount) ? prices : { ...prices, percent_discount: 0 };
}

function imagesIn(data: Fields): string[] | undefined {
  if (data.images !== undefined) return data.images as string[];
  if (data.image_url === undefined) return undefined;
  return data.image_url === null ? [] : [data.image_url as string];
}

type UploadedVariant = Parameters<typeof variantUnits>[0];

/** The variants in an upload, without those marked as deleted. */
function variantsIn(data: Fields): UploadedVariant[] {
  const present = ((data.variants ?? []) as Fields[]).filter((variant) => (variant.deleted_at ?? null) === null);
  return present.map((variant) => ({
    id: must(idIn(variant, "id"), "A variant has an id, or the product is not readable"),
    product_id: "",
    label: fieldIn(variant, "label", ""),
    sku: fieldIn(variant, "sku", null),
    ...readPrices(variant, noPrices),
    images: fieldIn<string[]>(variant, "images", []),
    is_default: fieldIn(variant, "is_default", false),
    active: fieldIn(variant, "active", true),
    deleted_at: null,
  }));
}

function makeVariants(
  units: Units,
  productId: string,
  at: string,
  before: readonly ProductVariant[],
): ProductVariant[] {
  const ids = Object.keys(units).flatMap((unit) => /^variants\.([^.]+)$/.exec(unit)?.[1] ?? []);
  return ids.map((id) => {
    const earlier = before.find((variant) => variant.id === id);
    const field = <T>(name: string, fallback: T) => fieldIn(units, `variants.${id}.${name}`, fallback);
    const made: ProductVariant = {
      object: "product_variant",
      id,
      product_id: productId,
      label: field("label", ""),
      sku: field("sku", null),
      ...pricesOf(field("prices", noPrices)),
      images: field<string[]>("images", []),
      is_default: field("is_default", false),
      active: field("active", true),
      created_at: earlier?.created_at ?? at,
      updated_at: earlier?.updated_at ?? at,
      deleted_at: null,
    };
    return JSON.stringify(made) === JSON.stringify(earlier) ? made : { ...made, updated_at: at };
  });
}
