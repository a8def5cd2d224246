import type { Sale } from "../../business/sales/schema.ts";
import { ownDocument, withDocument } from "../../business/sales/summary.ts";
import type { Write } from "../../engine/writing/write.ts";
import { must } from "../../lib/must.ts";
import { FiscalError } from "../../taxes/fiscal-error.ts";
import { closeFindings, type Matter } from "../findings/fiscal-finding.ts";
import { buyerOf, type UnsavedRecords } from "./buyers.ts";
import { checkAgreement, findWithoutLines } from "./check-agreement.ts";
import { correctDocuments } from "./correct-documents.ts";
import { type DocumentDraft, type FoundIssuer, type Issuer, type IssuingDeps, openIssuer } from "./issuer.ts";
import { contentWith, loadSaleFacts, registersOf, type SaleFacts } from "./sale-facts.ts";

/**
 * Issues a document for each completed sale without one, and the notes for sales with an issued document that were
 * cancelled, returned or are to get an invoice instead, in the order given and within the caller's write. Returns the
 * sales with their documents; the caller stores and announces them. It never refuses a sale: a document that cannot be issued is kept as emission_failed, a sale without lines has
 * none, and one that no longer says what its document says is a finding.
 */
export async function issueDocuments(
  deps: IssuingDeps,
  write: Write,
  sales: readonly Sale[],
  unsaved: UnsavedRecords = {},
  found?: FoundIssuer,
): Promise<Sale[]> {
  // Of a sale given twice, the last version counts.
  const updated = new Map(sales.map((sale) => [sale.id, sale]));
  const given = [...updated.values()];
  // What had a document before may say something else now.
  const documented = given.filter((sale) => sale.invoices.length > 0 && sale.status !== "cancelled");
  if (documented.length > 0) await checkAgreement(write, documented, unsaved);
  await closeFindings(write, withLinesNow(given, write.at), "La venta llegó con sus líneas, o se anuló.");
  const completed = given.filter((sale) => sale.status === "completed" && sale.invoices.length === 0);
  const corrected = given.filter((sale) => ownDocument(sale) && isCorrected(sale, unsaved));
  if (completed.length === 0 && corrected.length === 0) return [...sales];
  const issuer = await openIssuer(deps, write, found);
  if (!issuer) return [...sales];

  const ours = completed.filter((sale) => new Date(sale.created_at) >= issuer.profile.since);
  const due = ours.filter(({ items }) => items.length > 0);
  await findWithoutLines(
    write,
    ours.filter(({ items }) => items.length === 0),
  );
  const facts = await loadSaleFacts(issuer, write, due, unsaved);
  for (const sale of due) {
    const invoice = issuer.issue(draftFor(issuer, sale, facts));
    updated.set(sale.id, withDocument(sale, invoice));
  }
  for (const sale of await correctDocuments(issuer, write, corrected, unsaved)) updated.set(sale.id, sale);
  await issuer.finish();
  return sales.map(({ id }) => must(updated.get(id), "Every sale that was given is in the map"));
}

function isCorrected({ id, status }: Sale, { returns, switched }: UnsavedRecords): boolean {
  return status === "cancelled" || (returns?.has(id) ?? false) || (switched?.has(id) ?? false);
}

/** Sales of earlier writes that may have come without lines. */
function withLinesNow(sales: readonly Sale[], at: Date): Matter[] {
  const settled = sales.filter(({ invoices, items, status }) =>
    status === "completed" ? invoices.length === 0 && items.length > 0 : items.length === 0,
  );
  return settled
    .filter(({ created_at }) => created_at < at.toISOString())
    .map(({ id }) => ({ kind: "sale_without_lines", subject: id }));
}

/** A sale's own document, before it has a number. */
export function draftFor(issuer: Issuer, sale: Sale, facts: SaleFacts): DocumentDraft {
  const isInternal = issuer.profile.documents === "internal";
  const isInvoice = sale.document_kind === "invoice";
  // An invoice must name its buyer; a POS document may go to the final consumer.
  const waitsForBuyer = !isInternal && isInvoice && sale.customer_id !== null && !buyerOf(sale, facts.buyers);
  return {
    saleId: sale.id,
    of: sale,
    type: isInternal
      ? { document_type: "internal_invoice", type_document_id: null }
      : isInvoice
        ? { document_type: "electronic_invoice", type_document_id: 1 }
        : { document_type: "pos_document", type_document_id: 15 },
    rangeKind: isInternal ? "internal" : isInvoice ? "invoice" : "pos",
    amounts: { subtotal: sale.total - sale.tax - sale.tip_amount, tax: sale.tax, total: sale.total },
    reason: null,
    registers: registersOf(sale, facts),
    ...(waitsForBuyer && { waitsFor: must(sale.customer_id, "Only a sale with a customer waits for one") }),
    content() {
      if (waitsForBuyer) throw new FiscalError("unreadable", "customer_id", "el cliente de la venta aún no ha llegado");
      return contentWith(sale, facts);
    },
  };
}
