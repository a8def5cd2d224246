import type { SaleColumns } from "../../../business/sales/resource.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import { ownDocument } from "../../../business/sales/summary.ts";
import { isSame } from "../../../engine/resources/revisions.ts";
import { switchProblem } from "../../../fiscal/documents/switch-problem.ts";
import { type Finding, finding } from "../../../fiscal/findings/finding.ts";
import type { Incoming } from "./read-record.ts";
import type { WorkingSet } from "./working-set.ts";

type Settled = NonNullable<SaleColumns["settled"]>;

/**
 * The uploaded sale with what is settled about it. After a return its lines and amounts stay, and that it was sold; after a
 * switch, kind and buyer. What was sold and is cancelled stays as it counted on its day, and stays cancelled.
 */
export function keepSettled(uploaded: Sale, before: Sale | undefined, settled: Settled): Sale {
  if (!before) return uploaded;
  const isOver = settled.includes("cancelled");
  return {
    ...uploaded,
    ...((isOver || settled.includes("returned") || isCancelling(before, uploaded)) && worthOf(before)),
    ...((isOver || isCancelling(before, uploaded)) && placeOf(before)),
    ...((isOver || (settled.includes("returned") && uploaded.status !== "cancelled")) && { status: before.status }),
    ...(settled.includes("invoiced") && { document_kind: before.document_kind, customer_id: before.customer_id }),
  };
}

/** A cancellation takes back a sale that counts. */
export function isCancelling(before: Sale | undefined, uploaded: Sale): boolean {
  return before?.status === "completed" && uploaded.status === "cancelled";
}

function placeOf({ occurred_at, cash_session_id, payment_method }: Sale) {
  return { occurred_at, cash_session_id, payment_method };
}

function worthOf(sale: Sale) {
  const { subtotal, discount, discount_percent, tax, tip_amount, total, tax_breakdown, items } = sale;
  return { subtotal, discount, discount_percent, tax, tip_amount, total, tax_breakdown, items };
}

/** An upload that would change what was returned of: it is kept for the owner to see. */
export function noteLostWorth(batch: WorkingSet, record: Incoming, uploaded: Sale, kept: Sale): Finding[] {
  if (uploaded === kept || isSame(worthOf(uploaded), worthOf(kept))) return [];
  batch.addConflict(record, { unit: "items", kept: worthOf(kept), lost: worthOf(uploaded) });
  return [
    finding(
      "total",
      kept.total,
      uploaded.total,
      "La venta tiene devoluciones o está anulada: sus líneas y valores ya no cambian.",
    ),
  ];
}

/** What a register may record, and the owner should look at: money or goods may have gone back twice, or not at all. */
export function noteStatus(before: Sale | undefined, { status }: Sale, settled: Settled): Finding[] {
  if (!before || before.status === status) return [];
  const note = (message: string) => [finding("status", before.status, status, message)];
  if (before.status === "cancelled")
    return note("La venta estaba anulada y la caja la volvió a registrar. Revise el dinero y las existencias.");
  if (status === "cancelled" && settled.includes("returned"))
    return note("La venta se anuló cuando ya tenía una devolución. Revise que no se haya devuelto dos veces.");
  return [];
}

/**
 * A register asks for an invoice in place of the POS document by uploading its sale with that kind and the buyer. When that
 * is not possible, the sale keeps its kind and the reason is shown.
 */
export function readSwitch(
  batch: WorkingSet,
  before: Sale | undefined,
  uploaded: Sale,
  settled: Settled,
): { sale: Sale; settled: Settled; findings: Finding[] } {
  const unchanged = { sale: uploaded, settled, findings: [] };
  const document = before && ownDocument(before);
  const isAsked = before?.document_kind === "pos" && uploaded.document_kind === "invoice";
  if (!isAsked || document?.document_type !== "pos_document" || uploaded.status !== "completed") return unchanged;
  if (document.status !== "issued" && document.status !== "pending") return unchanged;
  const buyer = uploaded.customer_id === null ? undefined : batch.recordSets.customers.get(uploaded.customer_id)?.body;
  const sale: Sale = { ...uploaded, invoices: before.invoices };
  const problem = switchProblem(sale, buyer, { isReturned: settled.includes("returned") });
  if (problem)
    return {
      sale: { ...uploaded, document_kind: "pos" },
      settled,
      findings: [finding("document_kind", "pos", "invoice", problem.message)],
    };
  batch.switched.set(uploaded.id, before);
  return { sale: uploaded, settled: [...settled, "invoiced"], findings: [] };
}
