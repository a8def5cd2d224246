import { cashSessions } from "../../business/cash-sessions/resource.ts";
import { customers } from "../../business/customers/resource.ts";
import { invoices } from "../../business/invoices/resource.ts";
import type { Invoice } from "../../business/invoices/schema.ts";
import type { Return } from "../../business/returns/schema.ts";
import { sales } from "../../business/sales/resource.ts";
import type { Sale } from "../../business/sales/schema.ts";
import { isNote } from "../../business/sales/summary.ts";
import type { Config } from "../../config.ts";
import type { Pool, Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { loadMany } from "../../engine/resources/read-one.ts";
import { contentOfNote, contentOfSale, type DocumentContent } from "../../fiscal/content/document-content.ts";
import { fullNumber } from "../../fiscal/content/document-words.ts";
import { readContingency } from "../../fiscal/documents/contingency.ts";
import type { NumberingRange } from "../../fiscal/numbering/numbering.ts";
import { readLookAt, type ShownLook } from "../../fiscal/profile/look.ts";
import { type IssuerProfile, readProfile, readRanges } from "../../fiscal/profile/profile.ts";
import { contentOfPart } from "../../fiscal/returns/note-content.ts";
import type { Clock } from "../../lib/clock.ts";

export interface PaperDeps {
  pool: Pool;
  clock: Clock;
  config: Pick<Config, "secretKey" | "environment" | "fiscalAuthority">;
}

/** All that stands on a document's paper. */
export interface DocumentFacts {
  invoice: Invoice;
  /** As sealed; of a document that a register issued, as its sale says. Undefined when neither is here. */
  content: DocumentContent | undefined;
  profile: IssuerProfile | undefined;
  range: NumberingRange | undefined;
  look: ShownLook;
  decidedAt: Date | null;
  isContingency: boolean;
  /** The number of the note that annulled it. */
  annulledBy: string | null;
  register: { name: string; cashier: string | null } | null;
  environment: Config["environment"];
  provider: string;
}

/** Undefined when the account has no such document. */
export async function readDocument(deps: PaperDeps, accountId: string, id: string): Promise<DocumentFacts | undefined> {
  const { pool, config } = deps;
  const invoice = (await loadMany(pool, invoices, accountId, [id])).get(id)?.body;
  if (!invoice) return undefined;
  const work = await readWork(pool, accountId, id);
  const sale =
    invoice.sale_id === null
      ? undefined
      : (await loadMany(pool, sales, accountId, [invoice.sale_id])).get(invoice.sale_id)?.body;
  const [profile, ranges, look] = await Promise.all([
    readProfile(pool, config.secretKey, accountId),
    readRanges(pool, config.secretKey, accountId),
    readLookAt(pool, accountId, invoice.location_id),
  ]);
  const content = work?.content ?? (await contentFrom(pool, accountId, invoice, sale));
  return {
    invoice,
    content,
    profile,
    range: ranges.find((range) => (work?.rangeId ? range.id === work.rangeId : isOf(range, invoice))),
    look,
    decidedAt: work?.decidedAt ?? null,
    isContingency: invoice.status === "pending" && (await isInContingency(deps, accountId)),
    annulledBy: annulledBy(invoice, sale),
    register: content?.register ?? (await readRegister(pool, accountId, sale)),
    environment: config.environment,
    provider: config.fiscalAuthority === "apidian" ? "APIDIAN" : "Ninguno (autoridad simulada)",
  };
}

async function isInContingency({ pool, clock }: PaperDeps, accountId: string): Promise<boolean> {
  return (await readContingency(pool, accountId, clock.now()))?.is_contingency ?? false;
}

async function readWork(db: Queryable, accountId: string, id: string) {
  const { rows } = await db.query<{ content: string | null; range_id: string | null; decided_at: Date | null }>(sql`
    select content, range_id, decided_at from fiscal_documents where account_id = ${accountId} and invoice_id = ${id}`);
  const row = rows[0];
  return (
    row && {
      content: row.content === null ? undefined : (JSON.parse(row.content) as DocumentContent),
      rangeId: row.range_id,
      decidedAt: row.decided_at,
    }
  );
}

/** A register's own document, an internal one or one without a number has no sealed content: its sale says the same. */
async function contentFrom(
  db: Queryable,
  accountId: string,
  invoice: Invoice,
  sale: Sale | undefined,
): Promise<DocumentContent | undefined> {
  if (!sale) return undefined;
  const original = isNote(invoice) ? await correctedBy(db, accountId, invoice, sale) : undefined;
  const document_kind = (original ?? invoice).document_type === "electronic_invoice" ? "invoice" : "pos";
  // Of a sale that got an invoice instead, the buyer of the POS document is no longer known.
  const customer_id = sale.document_kind === document_kind ? sale.customer_id : null;
  const buyer =
    customer_id === null ? undefined : (await loadMany(db, customers, accountId, [customer_id])).get(customer_id)?.body;
  try {
    const whole = contentOfSale({ ...sale, document_kind, customer_id }, buyer);
    const part = original && (await returnOf(db, accountId, invoice.id));
    const content = part ? contentOfPart(whole, sale, part) : whole;
    if (content.total !== invoice.total) return undefined;
    if (!original) return content;
    const { cufe, issued_at } = original;
    return contentOfNote(content, {
      number: fullNumber(original),
      cufe: cufe ?? "",
      issued_at,
      type_document_id: whole.type_document_id,
    });
  } catch {
    // A sale that does not add up could not be sealed either: its paper has the amounts alone.
    return undefined;
  }
}

/** The document that a register's note corrects: of its sale's own, the last before it. */
async function correctedBy(db: Queryable, accountId: string, note: Invoice, sale: Sale): Promise<Invoice | undefined> {
  const place = sale.invoices.findIndex(({ id }) => id === note.id);
  const found = sale.invoices.slice(0, place < 0 ? undefined : place).findLast((one) => !isNote(one));
  return found && (await loadMany(db, invoices, accountId, [found.id])).get(found.id)?.body;
}

/** The return that a note is for, if it is for one. */
async function returnOf(db: Queryable, accountId: string, noteId: string): Promise<Return | undefined> {
  const { rows } = await db.query<{ body: string }>(sql`
    select body from returns where account_id = ${accountId} and invoice_id = ${noteId}`);
  return rows[0] && (JSON.parse(rows[0].body) as Return);
}

function isOf({ prefix, first, last, kind }: NumberingRange, invoice: Invoice): boolean {
  const kinds = { electronic_invoice: "invoice", pos_document: "pos", internal_invoice: "internal" } as const;
  const wanted = kinds[invoice.document_type as keyof typeof kinds] ?? "note";
  return kind === wanted && prefix === (invoice.prefix ?? "") && invoice.number >= first && invoice.number <= last;
}

function annulledBy({ status }: Invoice, sale: Sale | undefined): string | null {
  const note =
    status === "annulled" ? sale?.invoices.findLast((one) => isNote(one) && one.status === "issued") : undefined;
  return note ? fullNumber(note) : null;
}

async function readRegister(
  db: Queryable,
  accountId: string,
  sale: Sale | undefined,
): Promise<DocumentFacts["register"]> {
  const id = sale?.cash_session_id;
  if (!id) return null;
  const session = (await loadMany(db, cashSessions, accountId, [id])).get(id)?.body;
  return session ? { name: session.register_name, cashier: session.opened_by } : null;
}
