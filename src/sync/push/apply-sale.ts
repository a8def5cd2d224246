import { checkSale } from "../../fiscal/check-sale.ts";
import { type Finding, finding } from "../../fiscal/finding.ts";
import { withDocument } from "../../fiscal/summary.ts";
import { documentKinds, type Sale } from "../../sales/schema.ts";
import type { SaleMemory } from "../../sales/store.ts";
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

  const memory: SaleMemory = {
    ...ownership(batch, record),
    announced: before?.announced ?? [],
    findings: findingsOf(record.data),
  };
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
  const kind = data.document_kind as Sale["document_kind"];
  return {
    object: "sale",
    id,
    status: data.status as string,
    document_kind: documentKinds.includes(kind) ? kind : "pos",
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

/** What is odd in a sale that can be read. It is kept beside the sale and shown; the counter is never refused. */
function findingsOf(data: Fields): Finding[] {
  const found = checkSale(data);
  if (!knownStatuses.includes(data.status as string))
    found.push(finding("status", knownStatuses.join(", "), data.status, "Estado desconocido."));
  if (data.document_kind !== undefined && !(documentKinds as readonly unknown[]).includes(data.document_kind))
    found.push(
      finding("document_kind", documentKinds.join(", "), data.document_kind, "Tipo de documento desconocido."),
    );
  return found;
}
