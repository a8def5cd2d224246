import type { Sale } from "../../../business/sales/schema.ts";
import { type Finding, finding } from "../../../fiscal/findings/finding.ts";
import type { FiscalFinding } from "../../../fiscal/findings/fiscal-finding.ts";
import { grouped } from "../../../taxes/words.ts";
import type { Incoming } from "./read-record.ts";
import type { WorkingSet } from "./working-set.ts";

/**
 * A charged sale that is uploaded as not charged, or with less: it is applied, what it was stays for the owner to see, and he is told.
 * That it happened is not forgotten with the sale's next upload.
 */
export function noteReduction(batch: WorkingSet, record: Incoming, before: Sale | undefined, after: Sale): Finding[] {
  const known = batch.flags.get(record).filter(({ kind }) => kind === "sale_reduced");
  if (before?.status !== "completed" || after.status === "cancelled" || !isLess(before, after)) return known;
  const isCharged = after.status === "completed";
  const to = isCharged ? after.total : null;
  const part = `${before.total} ${to ?? after.status}`;
  const taken = { right: "cancel", at: record.editedAt, amount: before.total - (to ?? 0), part } as const;
  const hasDocument = before.invoices.some(({ status }) => status === "issued");
  batch.reduced.set(record.deviceSeq, { saleId: record.id, taken, from: before.total, to, hasDocument });
  batch.addConflict(record, { unit: isCharged ? "items" : "status", kept: versionOf(after), lost: versionOf(before) });
  const message = isCharged
    ? "La venta estaba cobrada y la caja la volvió a registrar con menos."
    : "La venta estaba cobrada y la caja la volvió a registrar sin cobrar.";
  const found = isCharged
    ? finding("total", before.total, after.total, message)
    : finding("status", before.status, after.status, message);
  return [...known, { ...found, kind: "sale_reduced" }];
}

function isLess(before: Sale, after: Sale): boolean {
  if (after.status !== "completed") return true;
  if (after.total < before.total || after.items.length < before.items.length) return true;
  return hasFewer(before, after);
}

/** Fewer in all; or, for no more money, fewer of something: other goods were in the bag. */
function hasFewer(before: Sale, after: Sale): boolean {
  const units = ({ items }: Sale) => items.reduce((sum, { quantity }) => sum + quantity, 0);
  if (units(after) < units(before)) return true;
  const [had, has] = [unitsOf(before), unitsOf(after)];
  return after.total <= before.total && [...had].some(([article, many]) => (has.get(article) ?? 0) < many - 1e-6);
}

function unitsOf({ items }: Sale): Map<string, number> {
  const units = new Map<string, number>();
  for (const { product_id, variant_id, description, quantity } of items) {
    const article = product_id === null ? `${description}` : `${product_id} ${variant_id}`;
    units.set(article, (units.get(article) ?? 0) + quantity);
  }
  return units;
}

function versionOf({ status, subtotal, discount, tax, tip_amount, total, payment_method, items }: Sale) {
  return { status, subtotal, discount, tax, tip_amount, total, payment_method, items };
}

/** One for each sale of the push that counts less in the end, or did in between. One with a document is compared with that. */
export function reductionFindings({ reduced }: WorkingSet): FiscalFinding[] {
  const bare = [...reduced.values()].filter(({ hasDocument }) => !hasDocument);
  return bare.map(({ saleId, from, to }) => ({
    kind: "sale_reduced",
    subject: saleId,
    gravity: "error",
    saleId,
    invoiceId: null,
    message:
      to === null
        ? `Una venta cobrada de $${grouped(from)} dejó de contar sin que se anulara.`
        : `Una venta cobrada de $${grouped(from)} quedó en $${grouped(to)}${to === from ? " con otros o menos productos" : ""}.`,
    nextStep:
      "Pregunte en la caja qué pasó. Lo que decía antes está en Ajustes → Cajas, en los conflictos de esa caja.",
  }));
}
