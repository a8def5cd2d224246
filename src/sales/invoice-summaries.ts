import type { Invoice, InvoiceSummary } from "../fiscal/schema.ts";

export function invoiceSummary({ id, document_type, status, cufe, prefix, number }: Invoice): InvoiceSummary {
  return { id, document_type, status, cufe, prefix, number };
}

/** A sale's documents with one more, or with that one as it is now. */
export function withSummary(summaries: readonly InvoiceSummary[], summary: InvoiceSummary): InvoiceSummary[] {
  return summaries.some(({ id }) => id === summary.id)
    ? summaries.map((one) => (one.id === summary.id ? summary : one))
    : [...summaries, summary];
}
