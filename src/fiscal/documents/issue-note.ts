import type { Invoice } from "../../business/invoices/schema.ts";
import type { Return } from "../../business/returns/schema.ts";
import type { Sale } from "../../business/sales/schema.ts";
import { sql } from "../../db/sql.ts";
import type { Write } from "../../engine/writing/write.ts";
import {
  contentOfNote,
  type DocumentContent,
  type NoteConcept,
  noteConcepts,
  type SealedDocument,
} from "../content/document-content.ts";
import { contentOfPart } from "../returns/note-content.ts";
import type { PlannedReturn } from "../returns/plan-return.ts";
import type { DocumentDraft, Issuer } from "./issuer.ts";

/** A correction of a sale's document: why, and how much of it. */
export interface NoteDraft {
  sale: Sale;
  original: Invoice;
  /** The original's content; may throw a FiscalError. */
  content: () => DocumentContent;
  reason: string;
  /** The return that it is for, where it is for one. */
  back?: Return | undefined;
  /** What the note takes back; the whole document unless given. */
  part?: Omit<PlannedReturn, "kind"> | undefined;
  /** Whether nothing is left of the document after this note. */
  isAnnulment: boolean;
}

export function reasonOf({ kind, reason }: Pick<Return, "kind" | "reason">): string {
  const what = kind === "full" ? "Devolución total" : "Devolución parcial";
  return reason ? `${what}: ${reason}` : what;
}

/** A note: type 26 for a POS document, 4 for an invoice, in the provider's numbering. */
export function issueNote(
  issuer: Issuer,
  { sale, original, content, reason, back, part, isAnnulment }: NoteDraft,
  again: Pick<DocumentDraft, "earlier" | "assigned" | "registers"> = {},
): Invoice {
  const isOfInvoice = original.document_type === "electronic_invoice";
  const concept: NoteConcept = isAnnulment ? noteConcepts.annulment : noteConcepts.partialReturn;
  const { subtotal, tax, total } = part ? amountsOf(part) : original;
  return issuer.issue({
    saleId: sale.id,
    of: back ?? sale,
    type: isOfInvoice
      ? { document_type: "other", type_document_id: 4 }
      : { document_type: "pos_adjustment_note", type_document_id: 26 },
    rangeKind: "note",
    amounts: { subtotal, tax, total },
    reason,
    corrects: original.id,
    ...(isAnnulment && { annuls: original.id }),
    content: () =>
      contentOfNote(part ? contentOfPart(content(), sale, part) : content(), {
        number: `${original.prefix ?? ""}${original.number}`,
        cufe: original.cufe ?? "",
        issued_at: original.issued_at,
        type_document_id: original.type_document_id ?? (isOfInvoice ? 1 : 15),
        concept,
        reason,
      }),
    ...again,
  });
}

function amountsOf({
  tax,
  tip_amount,
  total,
}: Omit<PlannedReturn, "kind">): Pick<Invoice, "subtotal" | "tax" | "total"> {
  return { subtotal: total - tax - tip_amount, tax, total };
}

/** The content sent to the authority for each document; there is none for a document that a register issued. */
export async function readContents(write: Write, ids: readonly string[]): Promise<Map<string, SealedDocument>> {
  const { rows } = await write.client.query<{ invoice_id: string; content: string }>(sql`
    select invoice_id, content from fiscal_documents
    where account_id = ${write.accountId} and invoice_id = any(${ids}::uuid[]) and content is not null`);
  return new Map(rows.map((row) => [row.invoice_id, JSON.parse(row.content) as SealedDocument]));
}
