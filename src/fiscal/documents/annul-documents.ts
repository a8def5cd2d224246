import { invoices } from "../../business/invoices/resource.ts";
import type { Invoice } from "../../business/invoices/schema.ts";
import type { Sale } from "../../business/sales/schema.ts";
import { isNote, ownDocument, withDocument } from "../../business/sales/summary.ts";
import { sql } from "../../db/sql.ts";
import { loadMany } from "../../engine/resources/read-one.ts";
import type { Write } from "../../engine/writing/write.ts";
import { contentOfNote, type DocumentContent, type SealedDocument } from "../content/document-content.ts";
import type { UnsavedRecords } from "./buyers.ts";
import type { Draft, Issuer } from "./issuer.ts";
import { contentWith, loadSaleFacts, registersOf } from "./sale-facts.ts";

/**
 * Annuls the documents of cancelled sales. An issued electronic document gets a note, and is annulled when the authority
 * accepts the note; an internal one is annulled at once. A document still pending gets its note after the verdict; one
 * that was never accepted needs none.
 */
export async function annulDocuments(
  issuer: Issuer,
  write: Write,
  cancelled: readonly Sale[],
  unsaved: UnsavedRecords = {},
): Promise<Sale[]> {
  const annullable = cancelled.filter((sale) => ownDocument(sale)?.status === "issued" && !sale.invoices.some(isNote));
  if (annullable.length === 0) return [];
  const ids = annullable.map((sale) => ownDocument(sale)!.id);
  const [stored, contents] = await Promise.all([
    loadMany(write.client, invoices, write.accountId, ids),
    readContents(write, ids),
  ]);
  const facts = await loadSaleFacts(issuer, write, annullable, unsaved);
  return annullable.map((sale) => {
    const { id } = ownDocument(sale)!;
    const loaded = stored.get(id);
    const original = unsaved.invoices?.get(id) ?? loaded?.body;
    if (!original) return sale;
    if (original.document_type !== "internal_invoice") {
      const content = () => contents.get(id) ?? contentWith(sale, facts);
      const registers = registersOf(sale, facts);
      return withDocument(sale, issueNote(issuer, sale.id, original, content, { registers }));
    }
    const body: Invoice = { ...original, status: "annulled", updated_at: write.at.toISOString() };
    write.put(invoices, { ...loaded, body });
    return withDocument(sale, body);
  });
}

/** The note that annuls a whole document: type 26 for a POS document, 4 for an invoice, in the provider's numbering. */
export function issueNote(
  issuer: Issuer,
  saleId: string | null,
  original: Invoice,
  content: () => DocumentContent,
  again: Pick<Draft, "earlier" | "assigned" | "registers"> = {},
): Invoice {
  const isOfInvoice = original.document_type === "electronic_invoice";
  return issuer.issue({
    saleId,
    type: isOfInvoice
      ? { document_type: "other", type_document_id: 4 }
      : { document_type: "pos_adjustment_note", type_document_id: 26 },
    rangeKind: "note",
    amounts: { subtotal: original.subtotal, tax: original.tax, total: original.total },
    reason: "Anulación de la venta",
    annuls: original.id,
    content: () =>
      contentOfNote(content(), {
        number: `${original.prefix ?? ""}${original.number}`,
        cufe: original.cufe ?? "",
        issued_at: original.issued_at,
        type_document_id: original.type_document_id ?? (isOfInvoice ? 1 : 15),
      }),
    ...again,
  });
}

/** The content sent to the authority for each document; there is none for a document that a register issued. */
export async function readContents(write: Write, ids: readonly string[]): Promise<Map<string, SealedDocument>> {
  const { rows } = await write.client.query<{ invoice_id: string; content: string }>(sql`
    select invoice_id, content from fiscal_documents
    where account_id = ${write.accountId} and invoice_id = any(${ids}::uuid[]) and content is not null`);
  return new Map(rows.map((row) => [row.invoice_id, JSON.parse(row.content) as SealedDocument]));
}
