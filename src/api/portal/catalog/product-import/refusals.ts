import { maxBarcodes } from "../../../../business/products/barcodes.ts";
import type { Product } from "../../../../business/products/schema.ts";
import { type ColumnName, columnOf } from "./columns.ts";
import type { RowError, RowFields } from "./interpret.ts";

/** The products that a file's rows may be about. */
export interface Known {
  byId: Map<string, Product>;
  bySku: Map<string, Product>;
  byBarcode: Map<string, Product>;
}

/** What an import must not change, and SKUs that belong to others. */
export function refusals(row: number, fields: RowFields, product: Product, known: Known): RowError[] {
  const errors = refusedCodes(row, fields, product, known);
  if (fields.base_unit !== undefined && fields.base_unit !== product.base_unit)
    errors.push(
      problem(
        row,
        "base_unit",
        `«${product.name}» se maneja en ${product.base_unit} y eso no se puede cambiar. Deje la celda vacía o cree otro producto.`,
      ),
    );
  if (fields.sold_by_weight !== undefined && fields.sold_by_weight !== product.sold_by_weight)
    errors.push(
      problem(
        row,
        "sold_by_weight",
        `No se puede cambiar en «${product.name}»: cada caja lo sigue vendiendo como lo recibió. Deje la celda vacía, o cree otro producto y desactive este.`,
      ),
    );
  return errors;
}

/** Codes that are another product's, or this one's already in another place. */
export function refusedCodes(
  row: number,
  { sku, barcodes = [] }: RowFields,
  product: Product | undefined,
  { bySku, byBarcode }: Known,
): RowError[] {
  const errors: RowError[] = [];
  const holder = sku === undefined ? undefined : (bySku.get(sku) ?? byBarcode.get(sku));
  if (holder && (holder.id !== product?.id || (product.sku !== sku && holder.sku !== sku)))
    errors.push(problem(row, "sku", `El SKU «${sku}» ya lo usa «${holder.name}» o una de sus variantes. Use otro.`));
  for (const code of barcodes) {
    const other = bySku.get(code) ?? byBarcode.get(code);
    if (other && other.id !== product?.id)
      errors.push(problem(row, "barcodes", `El código «${code}» ya lo usa «${other.name}». Use otro.`));
  }
  if (product && (product.barcodes ?? []).length + newCodes(product, barcodes).length > maxBarcodes)
    errors.push(
      problem(row, "barcodes", `«${product.name}» tendría más de ${maxBarcodes} códigos. Quítele los que ya no use.`),
    );
  return errors;
}

/** A variant's code is one that its product has. */
export function newCodes({ sku, variants, barcodes = [] }: Product, codes: readonly string[]): string[] {
  const held = new Set([sku, ...variants.map((one) => one.sku), ...barcodes.map(({ code }) => code)]);
  return codes.filter((code) => !held.has(code));
}

export function problem(row: number, field: ColumnName, message: string): RowError {
  return { row, column: columnOf(field).title, message };
}
