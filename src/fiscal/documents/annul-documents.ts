import { invoices } from "../../business/invoices/resource.ts";
import type { Invoice } from "../../business/invoices/schema.ts";
import type { Sale } from "../../business/sales/schema.ts";
import { isNote, ownDocument, withDocument } from "../../business/sales/summary.ts";
import { sql } from "../../db/sql.ts";
import { loadMany } from "../../engine/resources/read-one.ts";
import type { Write } from "../../engine/writing/write.ts";
import {
  contentOfNote,
  contentOfSale,
  type DocumentContent,
  type SealedDocument,
} from "../content/document-content.ts";
import { buyerOf, loadBuyers, type SameWrite } from "./buyers.ts";
import type { Draft, Issuer } from "./issuer.ts";

/**
 * What a cancelled sale does to its document. An issued electronic one gets a note, and is annulled when the authority
 * accepts that; an internal one is annulled at once. One that is still pending gets its note with the verdict; one that
 * was never accepted needs none.
 */
export async function annulDocuments(
  issuer: Issuer,
  write: Write,
  cancelled: readonly Sale[],
  same: SameWrite = {},
): Promise<Sale[]> {
  const leaving = cancelled.filter((sale) => ownDocument(sale)?.status === "issued" && !sale.invoices.some(isNote));
  if (leaving.length === 0) return [];
  const ids = leaving.map((sale) => ownDocument(sale)!.id);
  const [stored, contents] = await Promise.all([
    loadMany(write.client, invoices, write.accountId, ids),
    readContents(write, ids),
  ]);
  const untold = leaving.filter((sale) => !contents.has(ownDocument(sale)!.id));
  const buyers = await loadBuyers(write, untold, same.customers);
  return leaving.map((sale) => {
    const { id } = ownDocument(sale)!;
    const loaded = stored.get(id);
    const original = same.invoices?.get(id) ?? loaded?.body;
    if (!original) return sale;
    if (original.document_type !== "internal_invoice") {
      const content = () => contents.get(id) ?? contentOfSale(sale, buyerOf(sale, buyers));
      return withDocument(sale, issueNote(issuer, sale.id, original, content));
    }
    const body: Invoice = { ...original, status: "annulled", updated_at: write.at.toISOString() };
    write.put(invoices, { ...loaded, body });
    return withDocument(sale, body);
  });
}

/** The note of a whole annulment: the provider's 26 for a POS document, 4 for an invoice. */
export function issueNote(
  issuer: Issuer,
  saleId: string | null,
  original: Invoice,
  content: () => DocumentContent,
  again: Pick<Draft, "earlier" | "has"> = {},
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

/** What the authority was told of each document; a document that a register issued has none here. */
export async function readContents(write: Write, ids: readonly string[]): Promise<Map<string, SealedDocument>> {
  const { rows } = await write.client.query<{ invoice_id: string; content: string }>(sql`
    select invoice_id, content from fiscal_documents
    where account_id = ${write.accountId} and invoice_id = any(${ids}::uuid[]) and content is not null`);
  return new Map(rows.map((row) => [row.invoice_id, JSON.parse(row.content) as SealedDocument]));
}
