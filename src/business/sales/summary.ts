import { documentTypes } from "../../taxes/document-types.ts";
import type { Invoice, InvoiceSummary } from "../invoices/schema.ts";
import type { Sale } from "./schema.ts";

export function summaryOf({ id, document_type, status, cufe, prefix, number }: Invoice): InvoiceSummary {
  return { id, document_type, status, cufe, prefix, number };
}

/** The sale with the document's current summary: replaced in place, or added last. */
export function withDocument(sale: Sale, invoice: Invoice): Sale {
  const summary = summaryOf(invoice);
  const isKnown = sale.invoices.some(({ id }) => id === invoice.id);
  const invoices = isKnown
    ? sale.invoices.map((one) => (one.id === invoice.id ? summary : one))
    : [...sale.invoices, summary];
  return { ...sale, invoices };
}

/** Whether it only corrects another document. */
export function isNote({ document_type }: Pick<Invoice, "document_type">): boolean {
  return documentTypes[document_type].isNote;
}

/** The sale's own document, as opposed to a note that corrects it. One that replaced an annulled one counts. */
export function ownDocument(sale: Sale): InvoiceSummary | undefined {
  const own = sale.invoices.filter((one) => !isNote(one));
  return own.find(({ status }) => status !== "annulled") ?? own.at(-1);
}
