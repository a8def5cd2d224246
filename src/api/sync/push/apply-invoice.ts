import type { Invoice } from "../../../business/invoices/schema.ts";
import { withDocument } from "../../../business/sales/summary.ts";
import { announceOnce, claim, ownerColumns } from "./apply-owned.ts";
import { applied, type Outcome, parked } from "./outcome.ts";
import { addTo } from "./push-reads.ts";
import { fieldIn, type Incoming, idIn, instantIn } from "./read-record.ts";
import type { WorkingSet } from "./working-set.ts";

const onceStates = { issued: "invoice.issued", rejected: "invoice.rejected" } as const;

/** A document issued by a register. If it arrives before its sale, it is published without one and waits. */
export function applyInvoice(batch: WorkingSet, record: Incoming): Outcome {
  const { sales, invoices } = batch.recordSets;
  const before = invoices.get(record.id);
  const wanted = idIn(record.data, "sale_id");
  const sale = wanted === null ? undefined : sales.get(wanted);
  const taken = claim(batch, invoices, record, (stored) =>
    readInvoice(record, stored, stored.sale_id, stored.updated_at),
  );
  if (taken.kind === "refused") return taken.outcome;

  const body = readInvoice(record, before?.body, sale ? wanted : null, batch.at);
  batch.flags.set(record, record.findings);
  let announced = before?.announced ?? [];
  const state = onceStates[body.status as keyof typeof onceStates];
  const once = state && announceOnce({ announced }, body.status);
  if (once) {
    announced = once;
    batch.events.push({ type: state, body });
  }
  batch.registerDocuments.add(record.id);
  invoices.set({ body, ...ownerColumns(batch, record), announced, wanted_sale_id: wanted });
  if (sale) {
    sales.set({ ...sale, body: { ...withDocument(sale.body, body), updated_at: batch.at } });
    return applied;
  }
  if (wanted === null) return applied;
  addTo(batch.parkedInvoices, wanted, record.id);
  return parked;
}

function readInvoice(
  { id, data }: Incoming,
  before: Invoice | undefined,
  saleId: string | null,
  updatedAt: string,
): Invoice {
  return {
    object: "invoice",
    id,
    sale_id: saleId,
    document_type: data.document_type as Invoice["document_type"],
    type_document_id: fieldIn(data, "type_document_id", null),
    status: data.status as Invoice["status"],
    dian_status: fieldIn(data, "dian_status", null),
    dian_message: fieldIn(data, "dian_message", null),
    document_reason: fieldIn(data, "document_reason", null),
    prefix: fieldIn(data, "prefix", null),
    number: data.number as number,
    cufe: fieldIn(data, "cufe", null),
    subtotal: fieldIn(data, "subtotal", data.total as number),
    tax: fieldIn(data, "tax", 0),
    total: data.total as number,
    issued_at: instantIn(data, "issued_at", updatedAt),
    created_at: before?.created_at ?? updatedAt,
    updated_at: updatedAt,
  };
}
