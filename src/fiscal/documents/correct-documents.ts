import { type InvoiceColumns, invoices } from "../../business/invoices/resource.ts";
import type { Invoice } from "../../business/invoices/schema.ts";
import { type ReturnColumns, returns } from "../../business/returns/resource.ts";
import type { Return } from "../../business/returns/schema.ts";
import type { Sale } from "../../business/sales/schema.ts";
import { isNote, ownDocument, withDocument } from "../../business/sales/summary.ts";
import { sql } from "../../db/sql.ts";
import type { Stored } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import { must } from "../../lib/must.ts";
import type { DocumentContent } from "../content/document-content.ts";
import { noteReasons } from "../content/note-reasons.ts";
import { loadReturns } from "../returns/load-returnable.ts";
import { planRest } from "../returns/plan-return.ts";
import type { UnsavedRecords } from "./buyers.ts";
import { issueNote, type NoteDraft, readContents, reasonOf } from "./issue-note.ts";
import type { Issuer } from "./issuer.ts";
import { contentOfOther, loadSaleFacts, registersOf } from "./sale-facts.ts";

type StoredReturn = Stored<Return, ReturnColumns>;

/**
 * Brings the issued documents of these sales in line with what became of the sales. A cancelled sale's document is
 * annulled, each return gets its note, and a POS document that an invoice is to replace is annulled. An internal document
 * has no notes: it is annulled at once when nothing is left of its sale. A document still pending is corrected
 * after its verdict; one that was never accepted needs no correction. Returns the sales that changed.
 */
export async function correctDocuments(
  issuer: Issuer,
  write: Write,
  sales: readonly Sale[],
  unsaved: UnsavedRecords = {},
): Promise<Sale[]> {
  const correctable = sales.filter((sale) => ownDocument(sale)?.status === "issued");
  if (correctable.length === 0) return [];
  const ids = correctable.map((sale) => must(ownDocument(sale), "Only sales with a document are corrected").id);
  const unread = correctable.filter(({ id }) => !unsaved.returns?.has(id));
  const [stored, contents, annulled, made] = await Promise.all([
    write.loadMany(invoices, ids),
    readContents(write, ids),
    readAnnulled(write, correctable),
    loadReturns(
      write,
      unread.map(({ id }) => id),
    ),
  ]);
  const before = correctable.flatMap(({ id }) => unsaved.switched?.get(id) ?? []);
  const facts = await loadSaleFacts(issuer, write, [...correctable, ...before], unsaved);
  return correctable.flatMap((sale) => {
    const { id } = must(ownDocument(sale), "Only sales with a document are corrected");
    const record = stored.get(id);
    const original = unsaved.invoices?.get(id) ?? record?.body;
    if (!original || annulled.has(id)) return [];
    const corrected = correct(issuer, write, {
      sale,
      original: { ...record, body: original },
      content: () => contents.get(id) ?? contentOfOther(original, sale, facts, unsaved.switched?.get(sale.id)),
      registers: registersOf(sale, facts),
      made: unsaved.returns?.get(sale.id) ?? made.filter(({ body }) => body.sale_id === sale.id),
      isSwitched: unsaved.switched?.has(sale.id) ?? false,
    });
    return corrected === sale ? [] : [corrected];
  });
}

interface Correctable {
  sale: Sale;
  original: Stored<Invoice, InvoiceColumns>;
  content: () => DocumentContent;
  registers: readonly string[];
  /** All returns of the sale, in the order they were made. */
  made: readonly StoredReturn[];
  isSwitched: boolean;
}

function correct(issuer: Issuer, write: Write, correctable: Correctable): Sale {
  const { sale, original, content, registers, made, isSwitched } = correctable;
  const isCancelled = sale.status === "cancelled";
  const isReturned = made.some(({ body }) => body.kind === "full");
  if (original.body.document_type === "internal_invoice")
    return isCancelled || isReturned ? annulAtOnce(write, sale, original) : sale;

  let corrected = sale;
  const note = (draft: Pick<NoteDraft, "reason" | "back" | "part" | "isAnnulment">): Invoice => {
    const invoice = issueNote(issuer, { sale, original: original.body, content, ...draft }, { registers });
    corrected = withDocument(corrected, invoice);
    return invoice;
  };
  if (isSwitched && original.body.document_type === "pos_document") {
    note({ reason: noteReasons.invoiced, isAnnulment: true });
    return corrected;
  }
  for (const { body, ...columns } of made.filter((one) => one.body.invoice_id === null)) {
    const isFull = body.kind === "full";
    const { id } = note({ reason: reasonOf(body), back: body, part: isFull ? undefined : body, isAnnulment: isFull });
    write.put(returns, { ...columns, body: { ...body, invoice_id: id, updated_at: write.at.toISOString() } });
  }
  if (!isCancelled || isReturned) return corrected;
  const bodies = made.map(({ body }) => body);
  const rest = made.length === 0 ? undefined : planRest(sale, bodies);
  if (made.length === 0 || rest) note({ reason: noteReasons.cancelled, part: rest, isAnnulment: true });
  return corrected;
}

/** An internal document needs no note. */
function annulAtOnce(write: Write, sale: Sale, original: Stored<Invoice, InvoiceColumns>): Sale {
  const body: Invoice = { ...original.body, status: "annulled", updated_at: write.at.toISOString() };
  write.put(invoices, { ...original, body });
  return withDocument(sale, body);
}

/** The documents that a note already takes back in full. A note that a register issued counts for its sale's document. */
export async function readAnnulled(write: Write, sales: readonly Sale[]): Promise<Set<string>> {
  const notes = sales.flatMap((sale) => sale.invoices.filter(isNote).map(({ id }) => ({ id, sale })));
  if (notes.length === 0) return new Set();
  const { rows } = await write.client.query<{ id: string; annuls: string | null }>(sql`
    select invoice_id as id, annuls from fiscal_documents
    where account_id = ${write.accountId} and invoice_id = any(${notes.map(({ id }) => id)}::uuid[])`);
  const ours = new Map(rows.map(({ id, annuls }) => [id, annuls]));
  return new Set(
    notes.flatMap(({ id, sale }) => (ours.has(id) ? (ours.get(id) ?? []) : (ownDocument(sale)?.id ?? []))),
  );
}
