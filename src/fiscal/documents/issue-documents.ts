import type { Customer } from "../../business/customers/schema.ts";
import type { Sale } from "../../business/sales/schema.ts";
import { ownDocument, withDocument } from "../../business/sales/summary.ts";
import type { Write } from "../../engine/writing/write.ts";
import { FiscalError } from "../../taxes/fiscal-error.ts";
import { contentOfSale } from "../content/document-content.ts";
import { buyerOf, loadBuyers, type UnsavedRecords } from "./buyers.ts";
import { correctDocuments } from "./correct-documents.ts";
import { type Draft, type Issuer, type IssuingDeps, openIssuer } from "./issuer.ts";

/**
 * Issues a document for each completed sale without one, and the notes for sales with an issued document that were
 * cancelled, returned or are to get an invoice instead, in the order given and within the caller's write. Returns the sales with their documents; the caller stores and announces
 * them. It never refuses a sale: a document that cannot be issued is kept as emission_failed.
 */
export async function issueDocuments(
  deps: IssuingDeps,
  write: Write,
  sales: readonly Sale[],
  unsaved: UnsavedRecords = {},
): Promise<Sale[]> {
  // Of a sale given twice, the last version counts.
  const updated = new Map(sales.map((sale) => [sale.id, sale]));
  const completed = [...updated.values()].filter((sale) => sale.status === "completed" && sale.invoices.length === 0);
  const corrected = [...updated.values()].filter((sale) => ownDocument(sale) && isCorrected(sale, unsaved));
  if (completed.length === 0 && corrected.length === 0) return [...sales];
  const issuer = await openIssuer(deps, write);
  if (!issuer) return [...sales];

  const due = completed.filter((sale) => new Date(sale.created_at) >= issuer.profile.since);
  const buyers = await loadBuyers(write, due, unsaved.customers);
  for (const sale of due) {
    const invoice = issuer.issue(draftFor(issuer, sale, buyers));
    updated.set(sale.id, withDocument(sale, invoice));
  }
  for (const sale of await correctDocuments(issuer, write, corrected, unsaved)) updated.set(sale.id, sale);
  await issuer.finish();
  return sales.map(({ id }) => updated.get(id)!);
}

function isCorrected({ id, status }: Sale, { returns, switched }: UnsavedRecords): boolean {
  return status === "cancelled" || (returns?.has(id) ?? false) || (switched?.has(id) ?? false);
}

/** A sale's own document, before it has a number. */
export function draftFor(issuer: Issuer, sale: Sale, buyers: ReadonlyMap<string, Customer>): Draft {
  const isInternal = issuer.profile.documents === "internal";
  const isInvoice = sale.document_kind === "invoice";
  return {
    saleId: sale.id,
    type: isInternal
      ? { document_type: "internal_invoice", type_document_id: null }
      : isInvoice
        ? { document_type: "electronic_invoice", type_document_id: 1 }
        : { document_type: "pos_document", type_document_id: 15 },
    rangeKind: isInternal ? "internal" : isInvoice ? "invoice" : "pos",
    amounts: { subtotal: sale.total - sale.tax - sale.tip_amount, tax: sale.tax, total: sale.total },
    reason: null,
    content() {
      const buyer = buyerOf(sale, buyers);
      // An invoice must name its buyer; a POS document may go to the final consumer.
      if (isInvoice && sale.customer_id !== null && !buyer)
        throw new FiscalError("unreadable", "customer_id", "el cliente de la venta aún no ha llegado");
      return contentOfSale(sale, buyer);
    },
  };
}
