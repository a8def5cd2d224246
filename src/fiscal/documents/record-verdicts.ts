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
import { deliverDocuments } from "./deliver-documents.ts";
import { type IssuingDeps, openIssuer } from "./issuer.ts";
import type { Step } from "./next-step.ts";

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
    await annulLate(
      deps,
      write,
      changes,
      held.filter(({ step }) => step.status === "issued").map((one) => one.invoiceId),
    );
    changes.store();
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

interface Held {
  invoiceId: string;
  annuls: string | null;
  /** The buyer's address. */
  email: string | null;
  step: Verdict["step"];
}

/** Closes the documents still held under the same claim; only their verdicts count. */
async function closeDocuments(write: Write, verdicts: readonly Verdict[]): Promise<Held[]> {
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
    step: steps.get(invoice_id)!,
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
  saleOf(invoiceId: string): Sale | undefined;
  change(id: string, edit: (body: Invoice) => Invoice): void;
  /** Adds a document issued in this write to its sale. */
  add(invoice: Invoice): void;
  store(): void;
}

async function openChanges(write: Write, held: readonly Held[]): Promise<Changes> {
  const ids = held.flatMap(({ invoiceId, annuls }) => (annuls === null ? [invoiceId] : [invoiceId, annuls]));
  const documents = await loadMany(write.client, invoices, write.accountId, ids);
  const saleIds = [...documents.values()].flatMap(({ body }) => body.sale_id ?? []);
  const loadedSales = await write.loadMany(sales, saleIds);
  const at = write.at.toISOString();
  const changed = new Set<string>();
  const changedSales = new Set<string>();

  function updateSale(invoice: Invoice): void {
    const sale = invoice.sale_id === null ? undefined : loadedSales.get(invoice.sale_id);
    if (!sale) return;
    loadedSales.set(sale.body.id, { ...sale, body: { ...withDocument(sale.body, invoice), updated_at: at } });
    changedSales.add(sale.body.id);
  }

  return {
    invoice: (id) => documents.get(id)!.body,
    saleOf: (id) => loadedSales.get(documents.get(id)?.body.sale_id ?? "")?.body,
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
      for (const id of changed) announce(write, documents.get(id)!);
      for (const id of changedSales) write.put(sales, loadedSales.get(id)!);
    },
  };
}

/** Stores the document, and emits its issue or rejection the first time it happens. */
function announce(write: Write, document: Loaded<Invoice, InvoiceColumns>): void {
  const { body, announced } = document;
  const eventOf: Partial<Record<Invoice["status"], EventType>> = {
    issued: "invoice.issued",
    rejected: "invoice.rejected",
  };
  const type = eventOf[body.status];
  const before = announced ?? [];
  const isNews = type !== undefined && !before.includes(body.status);
  write.put(invoices, { ...document, announced: isNews ? [...before, body.status] : before });
  if (isNews) write.emit(type, body);
}

/** Issues the notes for sales that were cancelled while their document was pending. */
async function annulLate(deps: IssuingDeps, write: Write, changes: Changes, issued: readonly string[]): Promise<void> {
  const late = issued.filter((id) => {
    const sale = changes.saleOf(id);
    return sale?.status === "cancelled" && !isNote(changes.invoice(id)) && !sale.invoices.some(isNote);
  });
  if (late.length === 0) return;
  const issuer = await openIssuer(deps, write);
  if (!issuer) return;
  const contents = await readContents(write, late);
  const buyers = await loadBuyers(
    write,
    late.map((id) => changes.saleOf(id)!),
  );
  for (const id of late) {
    const sale = changes.saleOf(id)!;
    const content = () => contents.get(id) ?? contentOfSale(sale, buyerOf(sale, buyers));
    changes.add(issueNote(issuer, sale.id, changes.invoice(id), content));
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
