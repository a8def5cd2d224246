import { type InvoiceColumns, invoices } from "../../business/invoices/resource.ts";
import type { Invoice } from "../../business/invoices/schema.ts";
import { type SaleColumns, sales } from "../../business/sales/resource.ts";
import type { Sale } from "../../business/sales/schema.ts";
import { isNote, ownDocument, withDocument } from "../../business/sales/summary.ts";
import { sql } from "../../db/sql.ts";
import type { EventType } from "../../engine/events/event-types.ts";
import type { Loaded } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import { type WritingDeps, writing } from "../../engine/writing/writing.ts";
import { must } from "../../lib/must.ts";
import { type Notice, recordNotices } from "../../notices/record-notices.ts";
import { bogotaDate } from "../../taxes/bogota-time.ts";
import { closeFindings } from "../findings/fiscal-finding.ts";
import { standingDocuments } from "./check-agreement.ts";
import { correctDocuments } from "./correct-documents.ts";
import { deliverDocuments } from "./deliver-documents.ts";
import { draftFor } from "./issue-documents.ts";
import { type IssuingDeps, openIssuer } from "./issuer.ts";
import type { Step } from "./next-step.ts";
import { loadSaleFacts } from "./sale-facts.ts";

export interface Verdict {
  invoiceId: string;
  /** The claim under which it was obtained: a verdict whose worker lost the lease is not written. */
  claim: string;
  step: Extract<Step, { kind: "verdict" }>;
}

/** Stores verdicts: the status, the summary in the sale, the event, and what follows from an annulment. */
export async function recordVerdicts(
  deps: WritingDeps & IssuingDeps,
  accountId: string,
  verdicts: readonly Verdict[],
): Promise<void> {
  await writing(deps, accountId, async (write) => {
    const held = await closeDocuments(write, verdicts);
    const changes = await openChanges(write, held);
    for (const { invoiceId, annuls, step } of held) {
      changes.change(invoiceId, (body) => ({
        ...body,
        ...statusFields(step),
        ...(step.status === "issued" && step.cufe ? { cufe: step.cufe } : {}),
      }));
      if (step.status === "issued" && annuls !== null)
        changes.change(annuls, (body) => ({ ...body, status: "annulled" }));
    }
    await follow(
      deps,
      write,
      changes,
      held.filter(({ step }) => step.status === "issued"),
    );
    changes.store();
    await closeSettled(write, changes, held);
    const issued = held.filter(({ step }) => step.status === "issued");
    await deliverDocuments(
      deps,
      write,
      issued.map(({ invoiceId, email, step }) => ({
        invoice: changes.invoice(invoiceId),
        email,
        xml: "xml" in step ? step.xml : undefined,
      })),
    );
    const notices = held.flatMap(({ invoiceId, step }) => noticeOf(changes.invoice(invoiceId), step));
    if (notices.length > 0) await write.client.query(recordNotices(accountId, write.at, bogotaDate(write.at), notices));
  });
}

interface ClosedDocument {
  invoiceId: string;
  annuls: string | null;
  /** The buyer's address. */
  email: string | null;
  step: Verdict["step"];
}

/** Closes the documents still held under the same claim; only their verdicts count. */
async function closeDocuments(write: Write, verdicts: readonly Verdict[]): Promise<ClosedDocument[]> {
  const rows = verdicts.map(({ invoiceId, claim, step }) => ({
    invoice_id: invoiceId,
    claim,
    state: step.status === "issued" ? "decided" : "failed",
    doubt: step.status === "emission_failed" && step.doubt,
    message: step.message,
  }));
  const { rows: closed } = await write.client.query<ClosedRow>(sql`
    update fiscal_documents d set state = r.state, doubt = r.doubt, last_answer = r.message, due_at = null, claim = null,
      leased_until = null,
      decided_at = ${write.at}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(invoice_id uuid, claim uuid, state text, doubt boolean,
      message text)
    where d.account_id = ${write.accountId} and d.invoice_id = r.invoice_id and d.claim = r.claim
    returning d.invoice_id, d.annuls, d.content->'customer'->>'email' as email`);
  const steps = new Map(verdicts.map(({ invoiceId, step }) => [invoiceId, step]));
  return closed.map(({ invoice_id, annuls, email }) => ({
    invoiceId: invoice_id,
    annuls,
    email,
    step: must(steps.get(invoice_id), "Only documents with a step were asked for"),
  }));
}

interface ClosedRow {
  invoice_id: string;
  annuls: string | null;
  email: string | null;
}

function statusFields({
  status,
  code,
  message,
}: Verdict["step"]): Pick<Invoice, "status" | "dian_status" | "dian_message"> {
  return { status, dian_status: code, dian_message: message };
}

/** The invoices and sales that the verdicts change. */
interface Changes {
  invoice(id: string): Invoice;
  /** The sales of these documents, as changed so far. */
  sales(invoiceIds: readonly string[]): Loaded<Sale, SaleColumns>[];
  setSale(sale: Sale): void;
  change(id: string, edit: (body: Invoice) => Invoice): void;
  /** Adds a document issued in this write to its sale. */
  add(invoice: Invoice): void;
  store(): void;
}

async function openChanges(write: Write, held: readonly ClosedDocument[]): Promise<Changes> {
  const ids = held.flatMap(({ invoiceId, annuls }) => (annuls === null ? [invoiceId] : [invoiceId, annuls]));
  const documents = await write.loadMany(invoices, ids);
  const saleIds = [...documents.values()].flatMap(({ body }) => body.sale_id ?? []);
  const loadedSales = await write.loadMany(sales, saleIds);
  const at = write.at.toISOString();
  const changed = new Set<string>();
  const changedSales = new Set<string>();

  function updateSale(invoice: Invoice): void {
    const sale = invoice.sale_id === null ? undefined : loadedSales.get(invoice.sale_id);
    if (!sale) return;
    setSale(withDocument(sale.body, invoice));
  }

  function setSale(body: Sale): void {
    loadedSales.set(body.id, { ...loadedSales.get(body.id)!, body: { ...body, updated_at: at } });
    changedSales.add(body.id);
  }

  return {
    setSale,
    invoice: (id) => must(documents.get(id), "The documents are loaded before their verdicts").body,
    sales(ids) {
      const saleIds = new Set(ids.map((id) => documents.get(id)?.body.sale_id ?? ""));
      return [...saleIds].flatMap((id) => loadedSales.get(id) ?? []);
    },
    change(id, edit) {
      const document = documents.get(id);
      if (!document) return;
      const body = { ...edit(document.body), updated_at: at };
      documents.set(id, { ...document, body });
      changed.add(id);
      updateSale(body);
    },
    add: updateSale,
    store() {
      for (const id of changed)
        announce(write, must(documents.get(id), "The documents are loaded before their verdicts"));
      for (const id of changedSales)
        write.put(sales, must(loadedSales.get(id), "The sales of the documents are loaded with them"));
    },
  };
}

/** Stores the document, and emits its issue or rejection the first time it happens. */
function announce(write: Write, document: Loaded<Invoice, InvoiceColumns>): void {
  const { body, announced } = document;
  const eventOf: Record<Invoice["status"], EventType | undefined> = {
    pending: undefined,
    emission_failed: undefined,
    annulled: undefined,
    issued: "invoice.issued",
    rejected: "invoice.rejected",
  };
  const type = eventOf[body.status];
  const before = announced ?? [];
  const isNews = type !== undefined && !before.includes(body.status);
  write.put(invoices, { ...document, announced: isNews ? [...before, body.status] : before });
  if (isNews) write.emit(type, body);
}

/**
 * What an accepted document leads to: the notes for a sale that was cancelled, returned or switched to an invoice while
 * its document was pending, and the invoice that replaces a POS document which is now annulled.
 */
async function follow(
  deps: IssuingDeps,
  write: Write,
  changes: Changes,
  accepted: readonly ClosedDocument[],
): Promise<void> {
  const originals = accepted.filter(({ invoiceId }) => !isNote(changes.invoice(invoiceId)));
  const touched = changes.sales(originals.map(({ invoiceId }) => invoiceId));
  const corrected = touched.filter(({ body, settled }) => body.status === "cancelled" || (settled ?? []).length > 0);
  const replaced = changes
    .sales(accepted.flatMap(({ annuls }) => annuls ?? []))
    .filter(({ body, settled }) => settled?.includes("invoiced") && needsInvoice(body));
  if (corrected.length === 0 && replaced.length === 0) return;
  const issuer = await openIssuer(deps, write);
  if (!issuer) return;
  const known = new Map(accepted.map(({ invoiceId }) => [invoiceId, changes.invoice(invoiceId)]));
  const switched = new Map(
    corrected.flatMap(({ body, settled }): [string, null][] =>
      settled?.includes("invoiced") && body.status === "completed" ? [[body.id, null]] : [],
    ),
  );
  const bodies = corrected.map(({ body }) => body);
  for (const sale of await correctDocuments(issuer, write, bodies, { invoices: known, switched }))
    changes.setSale(sale);
  const facts = await loadSaleFacts(
    issuer,
    write,
    replaced.map(({ body }) => body),
  );
  for (const { body } of replaced) changes.add(issuer.issue(draftFor(issuer, body, facts)));
  await issuer.finish();
}

/** Its POS document is annulled, and no invoice took its place yet. One that was annulled too is not replaced again. */
function needsInvoice(sale: Sale): boolean {
  const document = ownDocument(sale);
  return sale.status === "completed" && document?.document_type === "pos_document" && document.status === "annulled";
}

/** A document that no longer stands disagrees with nothing. */
async function closeSettled(write: Write, changes: Changes, held: readonly ClosedDocument[]): Promise<void> {
  const fallen = held.flatMap(({ invoiceId, annuls, step }) => {
    if (step.status === "issued") return annuls === null ? [] : [annuls];
    return [invoiceId];
  });
  const lonely = changes.sales(fallen).filter(({ body }) => standingDocuments(body).length < 2);
  await closeFindings(
    write,
    [
      ...fallen.map((subject) => ({ kind: "sale_changed" as const, subject })),
      ...lonely.map(({ body }) => ({ kind: "two_documents" as const, subject: body.id })),
    ],
    "El documento ya no está vigente.",
  );
}

function noticeOf(invoice: Invoice, { status, message }: Verdict["step"]): Notice[] {
  if (status === "issued") return [];
  const name = `${invoice.prefix ?? ""}${invoice.number}`;
  return status === "rejected"
    ? [{ kind: "document_rejected", subject: invoice.id, message: `La DIAN rechazó el documento ${name}: ${message}` }]
    : [
        {
          kind: "emission_failed",
          subject: "authority",
          message: `El documento ${name} no se pudo emitir: ${message}`,
        },
      ];
}
