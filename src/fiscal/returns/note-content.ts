import type { ReturnLine } from "../../business/returns/schema.ts";
import type { Sale } from "../../business/sales/schema.ts";
import { FiscalError } from "../../taxes/fiscal-error.ts";
import type { DocumentContent, DocumentLine } from "../content/document-content.ts";
import type { PlannedReturn } from "./plan-return.ts";
import { extensionOf } from "./sold-lines.ts";

/** The part of a document that a return takes back: its lines as they were sealed, with the returned amounts. */
export function contentOfPart(
  whole: DocumentContent,
  sale: Sale,
  part: Pick<PlannedReturn, "lines" | "tax" | "tip_amount" | "total" | "tax_breakdown">,
): DocumentContent {
  if (part.tax_breakdown === null)
    throw new FiscalError("unreadable", "tax_breakdown", "la devolución tiene impuestos y no dice cuáles");
  return {
    ...whole,
    lines: part.lines.map((line) => lineOf(whole, sale, line)),
    tax_breakdown: part.tax_breakdown,
    subtotal: part.total - part.tax - part.tip_amount,
    tax: part.tax,
    tip_amount: part.tip_amount,
    total: part.total,
  };
}

/** A sealed document has its lines in the sale's order. */
function lineOf({ lines }: DocumentContent, { items }: Sale, line: ReturnLine): DocumentLine {
  const sealed = lines.length === items.length ? lines[items.findIndex(({ id }) => id === line.item_id)] : undefined;
  return {
    description: line.description ?? "Producto",
    code: line.product_id ?? line.item_id,
    tax_class: line.tax_class,
    unit_price: line.unit_price,
    ...sealed,
    quantity: line.quantity,
    extension: extensionOf(line),
    taxes: line.taxes ?? [],
  };
}
