import type { Sale, SaleItem } from "../../../business/sales/schema.ts";
import { must } from "../../../lib/must.ts";
import { type Fields, fieldIn, idIn } from "./read-record.ts";

type LineTaxes = NonNullable<SaleItem["taxes"]>;

/** Taxes as published, without unknown fields. */
export function readTaxes(taxes: unknown): LineTaxes | null {
  if (taxes === null || taxes === undefined) return null;
  return (taxes as Fields[]).map((tax) => ({
    code: tax.code as string,
    name: fieldIn(tax, "name", null),
    rate: fieldIn(tax, "rate", null),
    per_unit: fieldIn(tax, "per_unit", null),
    base: tax.base as number,
    amount: tax.amount as number,
  }));
}

export function readTotals(taxes: unknown): Sale["tax_breakdown"] {
  const read = readTaxes(taxes);
  return read === null ? null : read.map(({ name, ...total }) => total);
}

export function readSaleItem(item: Fields): SaleItem {
  return {
    object: "sale_item",
    id: must(idIn(item, "id"), "A line has an id, or the sale is not readable"),
    product_id: idIn(item, "product_id"),
    variant_id: idIn(item, "variant_id"),
    item_kind: fieldIn(item, "item_kind", "product"),
    description: fieldIn(item, "description", null),
    quantity: item.quantity as number,
    unit_price: item.unit_price as number,
    subtotal: item.subtotal as number,
    unit_cost: fieldIn(item, "unit_cost", null),
    tax_class: fieldIn(item, "tax_class", "standard"),
    taxes: readTaxes(item.taxes),
  };
}
