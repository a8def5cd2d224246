import { type Actor, recordAudit, theOperator } from "../../access/accounts/record-audit.ts";
import { type InvoiceColumns, invoices } from "../../business/invoices/resource.ts";
import type { Invoice } from "../../business/invoices/schema.ts";
import { sales } from "../../business/sales/resource.ts";
import type { Sale } from "../../business/sales/schema.ts";
import { withDocument } from "../../business/sales/summary.ts";
import { sql } from "../../db/sql.ts";
import type { Loaded } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import { type WritingDeps, writing } from "../../engine/writing/writing.ts";
import { must } from "../../lib/must.ts";
import { noteReasons } from "../content/note-reasons.ts";
import { ProfileError } from "../profile/profile-error.ts";
import { loadReturns } from "../returns/load-returnable.ts";
import { planRest } from "../returns/plan-return.ts";
import { draftFor } from "./issue-documents.ts";
import { issueNote, type NoteDraft, readContents } from "./issue-note.ts";
import { type DocumentDraft, type IssuingDeps, openIssuer } from "./issuer.ts";
import { contentOfOther, loadSaleFacts, registersOf, type SaleFacts } from "./sale-facts.ts";

/**
 * Issues a document again that was rejected or could not be issued, once the cause is corrected. It keeps its number,
 * takes the sale, the customer and the profile as they are today, and is sealed anew: the authority requires the date of
 * the signature.
 */
export async function resendDocument(
  deps: WritingDeps & IssuingDeps,
  accountId: string,
  invoiceId: string,
  { actor = theOperator, requestId }: { actor?: Actor; requestId?: string } = {},
): Promise<Invoice> {
  const resend = async (write: Write) => {
    const document = await write.load(invoices, invoiceId);
    if (!document) throw new ProfileError("unknown_document", `La cuenta no tiene el documento ${invoiceId}.`);
    const stored = await findResendable(write, document.body);
    const renewed = stored.doubt
      ? await queueAgain(deps, write, document)
      : await issueAgain(deps, write, document, stored);
    const sale = renewed.sale_id === null ? undefined : await write.load(sales, renewed.sale_id);
    if (sale)
      write.put(sales, { ...sale, body: { ...withDocument(sale.body, renewed), updated_at: write.at.toISOString() } });
    const { id, prefix, number, status } = renewed;
    const details = { invoice_id: id, document: `${prefix ?? ""}${number || ""}`, status };
    await recordAudit(write.client, { accountId, at: write.at, action: "invoice.resent", details, actor });
    return renewed;
  };
  return writing(deps, accountId, resend, requestId);
}

interface StoredDocument {
  range_id: string | null;
  number: number | null;
  corrects: string | null;
  annuls: string | null;
  doubt: boolean;
}

async function findResendable(write: Write, { id, status }: Invoice): Promise<StoredDocument> {
  if (status !== "emission_failed" && status !== "rejected")
    throw new ProfileError(
      "not_resendable",
      `El documento está en estado ${status}: solo se reenvía uno rechazado o fallido.`,
    );
  const { rows } = await write.client.query<StoredDocument>(sql`
    select range_id, number, corrects, annuls, doubt from fiscal_documents
    where account_id = ${write.accountId} and invoice_id = ${id}`);
  if (rows[0]) return rows[0];
  throw new ProfileError("not_resendable", "El documento lo emitió una caja: se corrige y reenvía desde ella.");
}

/** The authority may have it under its present seal: a new seal would make a second document with the same number. */
async function queueAgain(
  deps: IssuingDeps,
  write: Write,
  document: Loaded<Invoice, InvoiceColumns>,
): Promise<Invoice> {
  await write.client.query(sql`
    update fiscal_documents set state = 'queued', due_at = ${deps.clock.now()}, claim = null, leased_until = null, failures = 0, polls = 0,
      decided_at = null
    where account_id = ${write.accountId} and invoice_id = ${document.body.id}`);
  const body: Invoice = {
    ...document.body,
    status: "pending",
    dian_status: null,
    dian_message: null,
    updated_at: write.at.toISOString(),
  };
  write.put(invoices, { ...document, body });
  return body;
}

async function issueAgain(
  deps: IssuingDeps,
  write: Write,
  earlier: Loaded<Invoice, InvoiceColumns>,
  { range_id, number, corrects, annuls }: StoredDocument,
): Promise<Invoice> {
  const issuer = await openIssuer(deps, write);
  if (!issuer) throw new ProfileError("not_resendable", "La cuenta ya no tiene perfil fiscal.");
  const isNumbered = range_id !== null && number !== null;
  const sale = earlier.body.sale_id === null ? undefined : (await write.load(sales, earlier.body.sale_id))?.body;
  if (!sale) throw new ProfileError("not_resendable", "La venta del documento no está en la cuenta.");
  const facts = await loadSaleFacts(issuer, write, [sale]);
  const again: Pick<DocumentDraft, "earlier" | "assigned" | "registers"> = {
    earlier,
    ...(isNumbered && { assigned: { rangeId: range_id, number } }),
    registers: registersOf(sale, facts),
  };
  const { id, document_reason } = earlier.body;
  const note = { id, reason: document_reason ?? noteReasons.cancelled, isAnnulment: annuls !== null };

  const renew = async () => {
    const corrected = corrects ?? annuls;
    if (corrected !== null)
      return issueNote(issuer, await noteAgain(write, sale, facts, { ...note, corrected }), again);
    if (sale.status === "cancelled")
      throw new ProfileError("not_resendable", "La venta está anulada: su documento ya no se emite.");
    if (!isNumbered) return issuer.issue({ ...draftFor(issuer, sale, facts), ...again });
    const kept = keptType(earlier.body);
    const document_kind = kept.rangeKind === "invoice" ? "invoice" : "pos";
    return issuer.issue({ ...draftFor(issuer, { ...sale, document_kind }, facts), ...kept, ...again });
  };
  const renewed = await renew();
  await issuer.finish();
  return renewed;
}

/** The note as it was first meant: for its return, for what was left of a cancelled sale, or for the whole document. */
async function noteAgain(
  write: Write,
  sale: Sale,
  facts: SaleFacts,
  { id, corrected, reason, isAnnulment }: { id: string; corrected: string; reason: string; isAnnulment: boolean },
): Promise<NoteDraft> {
  const original = must(await write.load(invoices, corrected), "A note names a document that is stored").body;
  const sealed = (await readContents(write, [corrected])).get(corrected);
  const content = () => sealed ?? contentOfOther(original, sale, facts);
  const made = (await loadReturns(write, [sale.id])).map(({ body }) => body);
  const own = made.find(({ invoice_id }) => invoice_id === id);
  const isRest = !own && made.length > 0 && reason === noteReasons.cancelled;
  const part = own ? (own.kind === "full" ? undefined : own) : isRest ? planRest(sale, made) : undefined;
  return { sale, original, content, reason, back: own, part, isAnnulment };
}

/** A number belongs to its kind of document, whatever the profile says today. */
function keptType({ document_type, type_document_id }: Invoice): Pick<DocumentDraft, "type" | "rangeKind"> {
  const rangeKind = document_type === "electronic_invoice" ? "invoice" : "pos";
  return { type: { document_type, type_document_id }, rangeKind };
}
