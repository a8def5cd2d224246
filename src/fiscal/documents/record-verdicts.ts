import { type InvoiceColumns, invoices } from "../../business/invoices/resource.ts";
import type { Invoice } from "../../business/invoices/schema.ts";
import { sales } from "../../business/sales/resource.ts";
import type { Sale } from "../../business/sales/schema.ts";
import { isNote, withDocument } from "../../business/sales/summary.ts";
import { sql } from "../../db/sql.ts";
import type { EventType } from "../../engine/events/event-types.ts";
import { loadMany } from "../../engine/resources/read-one.ts";
import type { Loaded } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import { type WritingDeps, writing } from "../../engine/writing/writing.ts";
import { type Notice, recordNotices } from "../../notices/record-notices.ts";
import { bogotaDate } from "../../taxes/bogota-time.ts";
import { contentOfSale } from "../content/document-content.ts";
import { issueNote, readContents } from "./annul-documents.ts";
import { buyerOf, loadBuyers } from "./buyers.ts";
import { type IssuingDeps, openIssuer } from "./issuer.ts";
import type { Step } from "./next-step.ts";

export interface Verdict {
  invoiceId: string;
  /** The lease under which it was obtained: a verdict of somebody who lost it is not written twice. */
  claim: string;
  step: Extract<Step, { kind: "verdict" }>;
}

/** The end of the authority's part: status, summary in the sale, event, and what an annulment brings with it. */
export async function recordVerdicts(
  deps: WritingDeps & IssuingDeps,
  accountId: string,
  verdicts: readonly Verdict[],
): Promise<void> {
  await writing(deps, accountId, async (write) => {
    const held = await closeWork(write, verdicts);
    const files = await openFiles(write, held);
    for (const { invoiceId, annuls, step } of held) {
      files.change(invoiceId, (body) => ({
        ...body,
        ...outcomeOf(step),
        ...(step.status === "issued" && step.cufe ? { cufe: step.cufe } : {}),
      }));
      if (step.status === "issued" && annuls !== null)
        files.change(annuls, (body) => ({ ...body, status: "annulled" }));
    }
    await annulLate(
      deps,
      write,
      files,
      held.filter(({ step }) => step.status === "issued").map((one) => one.invoiceId),
    );
    files.store();
    const notices = held.flatMap(({ invoiceId, step }) => noticeOf(files.invoice(invoiceId), step));
    if (notices.length > 0) await write.client.query(recordNotices(accountId, write.at, bogotaDate(write.at), notices));
  });
}

type Held = { invoiceId: string; annuls: string | null; step: Verdict["step"] };

/** Ends the work on documents that are still held under the same lease; only of those the verdict counts. */
async function closeWork(write: Write, verdicts: readonly Verdict[]): Promise<Held[]> {
  const rows = verdicts.map(({ invoiceId, claim, step }) => ({
    invoice_id: invoiceId,
    claim,
    state: step.status === "issued" ? "decided" : "failed",
    doubt: step.status === "emission_failed" && step.doubt,
    message: step.message,
  }));
  const { rows: closed } = await write.client.query<{ invoice_id: string; annuls: string | null }>(sql`
    update fiscal_documents d set state = r.state, doubt = r.doubt, last_answer = r.message, due_at = null, claim = null,
      leased_until = null,
      decided_at = ${write.at}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(invoice_id uuid, claim uuid, state text, doubt boolean,
      message text)
    where d.account_id = ${write.accountId} and d.invoice_id = r.invoice_id and d.claim = r.claim
    returning d.invoice_id, d.annuls`);
  const steps = new Map(verdicts.map(({ invoiceId, step }) => [invoiceId, step]));
  return closed.map(({ invoice_id, annuls }) => ({ invoiceId: invoice_id, annuls, step: steps.get(invoice_id)! }));
}

function outcomeOf({
  status,
  code,
  message,
}: Verdict["step"]): Pick<Invoice, "status" | "dian_status" | "dian_message"> {
  return { status, dian_status: code, dian_message: message };
}

/** The invoices and sales that the verdicts touch. */
interface Files {
  invoice(id: string): Invoice;
  saleOf(invoiceId: string): Sale | undefined;
  change(id: string, edit: (body: Invoice) => Invoice): void;
  /** A document that was made in this write: its sale takes it in. */
  add(invoice: Invoice): void;
  store(): void;
}

async function openFiles(write: Write, held: readonly Held[]): Promise<Files> {
  const ids = held.flatMap(({ invoiceId, annuls }) => (annuls === null ? [invoiceId] : [invoiceId, annuls]));
  const documents = await loadMany(write.client, invoices, write.accountId, ids);
  const saleIds = [...documents.values()].flatMap(({ body }) => body.sale_id ?? []);
  const tickets = await loadMany(write.client, sales, write.accountId, saleIds);
  const at = write.at.toISOString();
  const changed = new Set<string>();
  const changedTickets = new Set<string>();

  function takeIn(invoice: Invoice): void {
    const ticket = invoice.sale_id === null ? undefined : tickets.get(invoice.sale_id);
    if (!ticket) return;
    tickets.set(ticket.body.id, { ...ticket, body: { ...withDocument(ticket.body, invoice), updated_at: at } });
    changedTickets.add(ticket.body.id);
  }

  return {
    invoice: (id) => documents.get(id)!.body,
    saleOf: (id) => tickets.get(documents.get(id)?.body.sale_id ?? "")?.body,
    change(id, edit) {
      const document = documents.get(id);
      if (!document) return;
      const body = { ...edit(document.body), updated_at: at };
      documents.set(id, { ...document, body });
      changed.add(id);
      takeIn(body);
    },
    add: takeIn,
    store() {
      for (const id of changed) announce(write, documents.get(id)!);
      for (const id of changedTickets) write.put(sales, tickets.get(id)!);
    },
  };
}

/** Stores the document, and tells of its issue or rejection the first time it happens. */
function announce(write: Write, document: Loaded<Invoice, InvoiceColumns>): void {
  const { body, announced } = document;
  const news: Partial<Record<Invoice["status"], EventType>> = {
    issued: "invoice.issued",
    rejected: "invoice.rejected",
  };
  const type = news[body.status];
  const told = announced ?? [];
  const isNews = type !== undefined && !told.includes(body.status);
  write.put(invoices, { ...document, announced: isNews ? [...told, body.status] : told });
  if (isNews) write.emit(type, body);
}

/** Sales that were cancelled while their document was pending: now that it is issued, it needs its note. */
async function annulLate(deps: IssuingDeps, write: Write, files: Files, issued: readonly string[]): Promise<void> {
  const late = issued.filter((id) => {
    const sale = files.saleOf(id);
    return sale?.status === "cancelled" && !isNote(files.invoice(id)) && !sale.invoices.some(isNote);
  });
  if (late.length === 0) return;
  const issuer = await openIssuer(deps, write);
  if (!issuer) return;
  const contents = await readContents(write, late);
  const buyers = await loadBuyers(
    write,
    late.map((id) => files.saleOf(id)!),
  );
  for (const id of late) {
    const sale = files.saleOf(id)!;
    const content = () => contents.get(id) ?? contentOfSale(sale, buyerOf(sale, buyers));
    files.add(issueNote(issuer, sale.id, files.invoice(id), content));
  }
  await issuer.finish();
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
