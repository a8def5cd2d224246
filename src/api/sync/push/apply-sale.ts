import type { Sale } from "../../../business/sales/schema.ts";
import { withDocument } from "../../../business/sales/summary.ts";
import type { Uploaded } from "../../../engine/resources/uploaded.ts";
import { checkSale } from "../../../fiscal/findings/check-sale.ts";
import { type Finding, finding } from "../../../fiscal/findings/finding.ts";
import { announceOnce, claim, ownership } from "./apply-owned.ts";
import type { Batch } from "./batch.ts";
import { applied, type Outcome } from "./outcome.ts";
import { type Fields, fieldIn, type Incoming, idIn, instantIn } from "./read-record.ts";
import { readSaleItem, readTotals } from "./sale-lines.ts";

const onceStates = { completed: "sale.completed", cancelled: "sale.cancelled" } as const;
const knownStatuses = ["completed", "cancelled", "open", "pending"];

/** Sales that reached the server before this day carry their arrival as occurred_at (service document: Versioning). */
const registerTimeSince = new Date("2026-09-28T00:00:00-05:00");

export function applySale(batch: Batch, record: Incoming): Outcome {
  const { sales, invoices } = batch.shelves;
  const before = sales.get(record.id);
  const taken = claim(
    batch,
    sales,
    record,
    (stored) => JSON.stringify(readSale(record, stored, stored.updated_at)) === JSON.stringify(stored),
  );
  if (taken.kind === "refused") return taken.outcome;

  let body = readSale(record, before?.body, batch.at);
  // Documents that came before their sale.
  for (const id of batch.parkedInvoices.get(record.id) ?? []) {
    const invoice = invoices.get(id)!;
    const bound = { ...invoice.body, sale_id: record.id, updated_at: batch.at };
    invoices.set({ ...invoice, body: bound });
    body = withDocument(body, bound);
  }
  batch.parkedInvoices.delete(record.id);

  const memory: Uploaded = {
    ...ownership(batch, record),
    announced: before?.announced ?? [],
  };
  batch.flags.set(record, [...record.findings, ...findingsOf(body)]);
  batch.news.push({ type: before ? "sale.updated" : "sale.created", body });
  const state = onceStates[body.status as keyof typeof onceStates];
  const announced = state && announceOnce(memory, body.status);
  if (state && announced) {
    memory.announced = announced;
    batch.news.push({ type: state, body });
  }
  sales.set({ body, ...memory });
  return applied;
}

/** The published sale. What the server owns comes from the sale as it is; `updatedAt` is the caller's to say. */
function readSale({ id, data }: Incoming, before: Sale | undefined, updatedAt: string): Sale {
  const createdAt = before?.created_at ?? updatedAt;
  return {
    object: "sale",
    id,
    status: data.status as string,
    document_kind: fieldIn<Sale["document_kind"]>(data, "document_kind", "pos"),
    payment_method: fieldIn(data, "payment_method", "OTHER"),
    customer_id: idIn(data, "customer_id"),
    cash_session_id: idIn(data, "cash_session_id"),
    subtotal: fieldIn(data, "subtotal", data.total as number),
    discount: fieldIn(data, "discount", 0),
    discount_percent: fieldIn(data, "discount_percent", 0),
    tax: fieldIn(data, "tax", 0),
    tip_amount: fieldIn(data, "tip_amount", 0),
    total: data.total as number,
    tax_breakdown: readTotals(data.tax_breakdown),
    notes: fieldIn(data, "notes", null),
    table_label: fieldIn(data, "table_label", null),
    items: (data.items as Fields[]).map(readSaleItem),
    invoices: before?.invoices ?? [],
    occurred_at: new Date(createdAt) < registerTimeSince ? createdAt : instantIn(data, "occurred_at", createdAt),
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

/** What does not add up in a sale that can be read. It is shown to the owner; the counter is never refused. */
function findingsOf(sale: Sale): Finding[] {
  const found = checkSale(sale);
  if (!knownStatuses.includes(sale.status))
    found.push(finding("status", knownStatuses.join(", "), sale.status, "Estado desconocido."));
  return found;
}
