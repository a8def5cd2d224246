import { isWeighedUnit } from "../../../src/taxes/units.ts";
import type { Product } from "../lib/stock-queries.ts";

/** One of a product's other codes, as it is typed. */
export interface CodeValues {
  code: string;
  units: number | string;
  name: string;
  price: number | string;
  variant_id: string | null;
}

/** What the form holds: a number field is empty text until something is typed. */
export interface ProductFormValues {
  name: string;
  sku: string;
  category_id: string | null;
  base_price: number | string;
  percent_discount: number | string;
  tax_class: string;
  base_unit: string;
  sold_by_weight: boolean;
  active: boolean;
  sellable: boolean;
  unit_cost: number | string;
  initial_stock: number | string;
  description_short: string;
  description: string;
  barcodes: CodeValues[];
}

export const emptyProduct: ProductFormValues = {
  name: "",
  sku: "",
  category_id: null,
  base_price: "",
  percent_discount: 0,
  tax_class: "standard",
  base_unit: "und",
  sold_by_weight: false,
  active: true,
  sellable: true,
  unit_cost: "",
  initial_stock: "",
  description_short: "",
  description: "",
  barcodes: [],
};

/** Another unit of a new product: what a scale weighs is sold by weight, unless the owner says otherwise afterwards. */
export function withUnit(base_unit: string): Pick<ProductFormValues, "base_unit" | "sold_by_weight"> {
  return { base_unit, sold_by_weight: isWeighedUnit(base_unit) };
}

export function formOf(product: Product): ProductFormValues {
  const { name, sku, category_id, base_price, percent_discount, tax_class, active, sellable } = product;
  const { base_unit, sold_by_weight, description, description_short } = product;
  const own = { name, sku: sku ?? "", category_id, base_price, percent_discount, tax_class, active, sellable };
  const barcodes = (product.barcodes ?? []).map(
    (one): CodeValues => ({ ...one, name: one.name ?? "", price: one.price ?? "" }),
  );
  return { ...emptyProduct, ...own, base_unit, sold_by_weight, description, description_short, barcodes };
}

const codesOf = (form: ProductFormValues) =>
  form.barcodes.map(({ code, units, name, price, variant_id }) => ({
    code,
    units: orNull(units),
    name: name.trim() || null,
    price: orNull(price),
    variant_id,
  }));

/** A field with something that is no number of its kind: it must be put right before the form is sent. */
export function hasUnread({ percent_discount, unit_cost, initial_stock, barcodes }: ProductFormValues): boolean {
  const typed = [percent_discount, unit_cost, initial_stock, ...barcodes.flatMap(({ units, price }) => [units, price])];
  return typed.some((value) => typeof value === "string" && value.trim() !== "");
}

const orNull = (value: number | string) => (typeof value === "number" ? value : null);

export function newFields(form: ProductFormValues): object {
  return {
    ...form,
    name: form.name.trim(),
    sku: form.sku.trim() || null,
    percent_discount: orNull(form.percent_discount),
    unit_cost: orNull(form.unit_cost),
    initial_stock: orNull(form.initial_stock),
    barcodes: codesOf(form),
  };
}

/** Only what differs, so that an edit does not undo what a register changed meanwhile. Prices go together. */
export function changedFields(product: Product, form: ProductFormValues): object {
  const before = formOf(product);
  const editable = [
    "name",
    "category_id",
    "tax_class",
    "active",
    "sellable",
    "description",
    "description_short",
  ] as const;
  const changed = Object.fromEntries(
    editable.filter((name) => form[name] !== before[name]).map((name) => [name, form[name]]),
  );
  const sku = form.sku.trim() === before.sku ? {} : { sku: form.sku.trim() || null };
  const hasNewPrice = form.base_price !== before.base_price || form.percent_discount !== before.percent_discount;
  const prices = hasNewPrice
    ? { base_price: form.base_price, percent_discount: orNull(form.percent_discount) ?? 0 }
    : {};
  const hasNewCodes = JSON.stringify(codesOf(form)) !== JSON.stringify(codesOf(before));
  return { ...changed, ...sku, ...prices, ...(hasNewCodes && { barcodes: codesOf(form) }) };
}
