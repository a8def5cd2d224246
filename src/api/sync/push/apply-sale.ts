import { cancellationOf } from "../../../business/sales/cancellation.ts";
import type { SaleColumns } from "../../../business/sales/resource.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import { withDocument } from "../../../business/sales/summary.ts";
import type { Stored } from "../../../engine/resources/resource.ts";
import { checkSale } from "../../../fiscal/findings/check-sale.ts";
import { type Finding, finding, rightsField } from "../../../fiscal/findings/finding.ts";
import { restOf } from "../../../fiscal/returns/plan-return.ts";
import { must } from "../../../lib/must.ts";
import { legibleMeans, otherMeans } from "../../../taxes/means.ts";
import { completeOrder, orderOf } from "./apply-order.ts";
import { announceOnce, claim, ownerColumns } from "./apply-owned.ts";
import { applyParkedReturns } from "./apply-return.ts";
import { checkBesideSale } from "./beside-sale.ts";
import { checkClock } from "./check-clock.ts";
import { correctBooks, placeOfChange } from "./correct-sale.ts";
import { isNoBetter } from "./offers.ts";
import { noteOutOfShift } from "./out-of-shift.ts";
import { applied, duplicate, type Outcome } from "./outcome.ts";
import { uploadedOwnFields } from "./own-fields.ts";
import { type Fields, fieldIn, type Incoming, idIn, instantIn } from "./read-record.ts";
import { readSaleItem, readTotals } from "./sale-lines.ts";
import { isCancelling, keepSettled, noteLostWorth, noteStatus, readSwitch } from "./settled-sale.ts";
import { foreignShift } from "./shift-owners.ts";
import { lateInShift } from "./shift-record.ts";
import { noteReduction } from "./taken-back.ts";
import type { WorkingSet } from "./working-set.ts";

const onceStates = { completed: "sale.completed", cancelled: "sale.cancelled" } as const;
const knownStatuses = ["completed", "cancelled", "open", "pending"];

/** Sales that arrived before this day have their time of arrival as occurred_at (service document: Versioning). */
const registerTimeSince = new Date("2026-09-28T00:00:00-05:00");

export function applySale(batch: WorkingSet, record: Incoming): Outcome {
  const { sales, invoices } = batch.recordSets;
  const before = sales.get(record.id);
  const known = before?.settled ?? [];
  if (before && known.includes("cancelled") && record.data.status !== "cancelled") {
    batch.addConflict(record, { unit: "status", kept: before.body.status, lost: record.data.status });
    return { status: "merged", record: before.body };
  }
  const taken = claim(batch, sales, record, (stored) =>
    keepSettled(readSale(batch, record, stored, stored.updated_at), stored, known),
  );
  if (taken.kind === "refused") {
    if (taken.outcome !== duplicate) return taken.outcome;
    if (!isPaidOtherwise(batch, record, before)) return nothingNew(batch, record, before!.body);
  }

  const uploaded = readSale(batch, record, before?.body, batch.at);
  const kept = keepSettled(uploaded, before?.body, known);
  const { sale, settled, findings } = readSwitch(batch, before?.body, kept, known);
  let body = atPlace(sale, before ? before.body.location_id : batch.progress.place);
  // Documents that arrived before their sale.
  for (const id of batch.parkedInvoices.get(record.id) ?? []) {
    const invoice = must(invoices.get(id), "Invoices that wait are loaded with the working set");
    const bound = { ...invoice.body, sale_id: record.id, updated_at: batch.at };
    invoices.set({ ...invoice, body: bound });
    body = withDocument(body, bound);
  }
  batch.parkedInvoices.delete(record.id);

  const { beside } = record;
  const cancels = isCancelling(before?.body, body);
  const isOver = cancels || known.includes("cancelled");
  const columns: SaleColumns = {
    ...ownerColumns(batch, record),
    announced: before?.announced ?? [],
    payments: beside?.payments && !isOver ? JSON.stringify(beside.payments) : (before?.payments ?? null),
    cashier_id: beside?.cashierId ?? before?.cashier_id ?? null,
    ticket_number: beside?.ticketNumber ?? before?.ticket_number ?? null,
    settled: cancels ? [...settled, "cancelled"] : settled,
    order_id: orderOf(batch, record) ?? before?.order_id ?? null,
  };
  if (before?.payments && columns.payments !== before.payments) batch.paidOtherwise.add(record.id);
  if (cancels) cancel(batch, record, { body, ...columns });
  columns.settled = correctBooks(batch, record, before, { body, ...columns });
  const shiftId = idIn(record.data, "cash_session_id");
  const besideFindings = beside ? checkBesideSale(beside, body.total) : [];
  const lost = noteLostWorth(batch, record, uploaded, kept);
  announce(batch, body, columns, before === undefined);
  batch.flags.set(record, [
    ...record.findings,
    ...completeOrder(batch, record, body),
    ...findingsOf(body),
    ...(batch.isOthersShift(shiftId) ? [foreignShift(shiftId)] : []),
    ...checkClock(batch, body.created_at, [["occurred_at", body.occurred_at]]),
    ...besideFindings,
    ...findings,
    ...lost,
    ...lateInShift(batch, record, before === undefined),
    ...noteOutOfShift(batch, record, before, { body, ...columns }),
    ...noteReduction(batch, record, before?.body, body),
    ...noteStatus(before?.body, body, known),
    ...foundBefore(batch, record),
  ]);
  sales.set({ body, ...columns });
  applyParkedReturns(batch, record.id);
  return applied;
}

function announce(batch: WorkingSet, body: Sale, columns: SaleColumns, isNew: boolean): void {
  batch.events.push({ type: isNew ? "sale.created" : "sale.updated", body });
  const state = onceStates[body.status as keyof typeof onceStates];
  const announced = state && announceOnce(columns, body.status);
  if (!state || !announced) return;
  columns.announced = announced;
  batch.events.push({ type: state, body });
}

/** A sale stays where it was made, wherever its register is now. */
function atPlace(sale: Sale, location_id: string | undefined): Sale {
  return location_id === undefined ? sale : { ...sale, location_id };
}

/** It is as stored, or would be but for what is settled: that it was meant to change is told. */
function nothingNew(batch: WorkingSet, record: Incoming, stored: Sale): Outcome {
  const lost = noteLostWorth(batch, record, readSale(batch, record, stored, stored.updated_at), stored);
  if (lost.length === 0) return duplicate;
  batch.flags.set(record, [...batch.flags.get(record), ...lost]);
  return { status: "merged", record: stored };
}

/** What was found of its prices stays while the sale says no better of them. */
function foundBefore({ flags, offers }: WorkingSet, record: Incoming): Finding[] {
  const before = offers.before(record);
  if (!before || !isNoBetter(before, record.data)) return [];
  return flags.get(record).filter(({ field }) => pricing.has(field));
}

const pricing: ReadonlySet<string> = new Set(
  (["discount", "free_line", "price"] as const).map((right) => `${rightsField}${right}`),
);

/** Takes back what is left of a sale that counted. */
function cancel(batch: WorkingSet, record: Incoming, sale: Stored<Sale, SaleColumns>): void {
  const returned = batch.returning
    .of(record.id)
    .map((id) => must(batch.recordSets.returns.get(id), "The returns of a sale are loaded with it").body);
  const place = placeOfChange(batch, record, batch.books.bySale.get(record.id)?.counted ?? sale);
  batch.cancellations.push(cancellationOf(sale, restOf(sale.body, returned), place));
}

/** Its register corrected the means of a part: the sale publishes only the largest, and may look the same. */
function isPaidOtherwise(batch: WorkingSet, { deviceSeq, beside }: Incoming, before: SaleColumns | undefined): boolean {
  const isNews = beside?.payments && JSON.stringify(beside.payments) !== before?.payments;
  return Boolean(isNews) && before?.device_id === batch.deviceId && deviceSeq > (before.device_seq ?? 0);
}

/** The published sale. Fields that the server owns come from the stored sale. */
function readSale(batch: WorkingSet, { id, data }: Incoming, before: Sale | undefined, updatedAt: string): Sale {
  const createdAt = before?.created_at ?? updatedAt;
  const shiftId = idIn(data, "cash_session_id");
  return {
    object: "sale",
    id,
    status: data.status as string,
    document_kind: fieldIn<Sale["document_kind"]>(data, "document_kind", "pos"),
    payment_method: legibleMeans(fieldIn(data, "payment_method", otherMeans)),
    customer_id: idIn(data, "customer_id"),
    cash_session_id: batch.isOthersShift(shiftId) ? null : shiftId,
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
    ...uploadedOwnFields(data, before),
    occurred_at: new Date(createdAt) < registerTimeSince ? createdAt : instantIn(data, "occurred_at", createdAt),
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

/** Problems in a readable sale. They are shown to the owner; the sale is never rejected. */
function findingsOf(sale: Sale): Finding[] {
  const found = checkSale(sale);
  if (!knownStatuses.includes(sale.status))
    found.push(finding("status", knownStatuses.join(", "), sale.status, "Estado desconocido."));
  return found;
}
