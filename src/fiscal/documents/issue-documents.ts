import type { Customer } from "../../business/customers/schema.ts";
import type { Sale } from "../../business/sales/schema.ts";
import { ownDocument, withDocument } from "../../business/sales/summary.ts";
import type { Write } from "../../engine/writing/write.ts";
import { FiscalError } from "../../taxes/fiscal-error.ts";
import { contentOfSale } from "../content/document-content.ts";
import { annulDocuments } from "./annul-documents.ts";
import { buyerOf, loadBuyers, type SameWrite } from "./buyers.ts";
import { type Draft, type Issuer, type IssuingDeps, openIssuer } from "./issuer.ts";

/**
 * Gives each completed sale without a document its own, and each cancelled one with an issued document its note, in the
 * order given and within the caller's write. Returns the sales as they must be stored, documents included: storing and
 * announcing them stays with the caller. It never refuses a sale; what cannot be issued is kept as emission_failed.
 */
export async function issueDocuments(
  deps: IssuingDeps,
  write: Write,
  sales: readonly Sale[],
  same: SameWrite = {},
): Promise<Sale[]> {
  // A sale that is named twice is one sale, as it was last.
  const outcome = new Map(sales.map((sale) => [sale.id, sale]));
  const wanting = [...outcome.values()].filter((sale) => sale.status === "completed" && sale.invoices.length === 0);
  const leaving = [...outcome.values()].filter((sale) => sale.status === "cancelled" && ownDocument(sale));
  if (wanting.length === 0 && leaving.length === 0) return [...sales];
  const issuer = await openIssuer(deps, write);
  if (!issuer) return [...sales];

  const due = wanting.filter((sale) => new Date(sale.created_at) >= issuer.profile.since);
  const buyers = await loadBuyers(write, due, same.customers);
  for (const sale of due) {
    const invoice = issuer.issue(draftFor(issuer, sale, buyers));
    outcome.set(sale.id, withDocument(sale, invoice));
  }
  for (const sale of await annulDocuments(issuer, write, leaving, same)) outcome.set(sale.id, sale);
  await issuer.finish();
  return sales.map(({ id }) => outcome.get(id)!);
}

/** What a sale's own document is, before it has a number. */
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
      // An invoice names its buyer for good; a POS document may go to the final consumer.
      if (isInvoice && sale.customer_id !== null && !buyer)
        throw new FiscalError("unreadable", "customer_id", "el cliente de la venta aún no ha llegado");
      return contentOfSale(sale, buyer);
    },
  };
}
