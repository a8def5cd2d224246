import type { Return } from "../../../business/returns/schema.ts";
import { type Finding, finding } from "../../../fiscal/findings/finding.ts";
import type { FiscalFinding } from "../../../fiscal/findings/fiscal-finding.ts";
import { CorrectionError } from "../../../fiscal/returns/correction-error.ts";
import { limitToLeft, type PlannedReturn, planReturn, type WantedLine } from "../../../fiscal/returns/plan-return.ts";
import { effectsOfReturn } from "../../../fiscal/returns/record-return.ts";
import { must } from "../../../lib/must.ts";
import { legibleMeans, otherMeans } from "../../../taxes/means.ts";
import { ownerColumns } from "./apply-owned.ts";
import { checkBesideSale } from "./beside-sale.ts";
import { checkClock } from "./check-clock.ts";
import { applied, duplicate, type Outcome, parked, refused } from "./outcome.ts";
import { addTo } from "./push-reads.ts";
import { type Fields, fieldIn, type Incoming, idIn, instantIn } from "./read-record.ts";
import { foreignShift } from "./shift-owners.ts";
import type { WorkingSet } from "./working-set.ts";

/**
 * A return that a register made. It is never edited. What it takes back beyond what is left of the sale does not count: two
 * registers may take back the same thing while offline. Before its sale is here and completed, it waits.
 */
export function applyReturn(batch: WorkingSet, record: Incoming): Outcome {
  const { returns, sales } = batch.recordSets;
  const stored = returns.get(record.id);
  if (stored) return repeated(batch, record, stored.body);
  const saleId = must(idIn(record.data, "sale_id"), "A return names its sale, or it is not readable");
  const sale = sales.get(saleId)?.body;
  if (!sale || (sale.status !== "completed" && sale.status !== "cancelled")) {
    batch.returning.park(record, saleId);
    return parked;
  }
  return takeBack(batch, record, saleId);
}

/** Applies the returns that waited for this sale. One that takes back nothing any more is kept as a conflict. */
export function applyParkedReturns(batch: WorkingSet, saleId: string): void {
  const status = batch.recordSets.sales.get(saleId)?.body.status;
  if (status !== "completed" && status !== "cancelled") return;
  for (const record of batch.returning.unpark(saleId)) {
    const { status } = takeBack(batch, record, saleId);
    if (status === "quarantined") batch.addConflict(record, { unit: "*", kept: null, lost: record.data });
  }
}

function repeated(batch: WorkingSet, record: Incoming, stored: Return): Outcome {
  const text = (lines: readonly WantedLine[]) =>
    JSON.stringify(lines.map((line) => [line.item_id, line.quantity]).sort());
  const isSame = stored.sale_id === idIn(record.data, "sale_id") && text(stored.lines) === text(readLines(record.data));
  if (isSame) return duplicate;
  batch.addConflict(record, { unit: "*", kept: null, lost: record.data });
  return { status: "merged", record: stored };
}

function takeBack(batch: WorkingSet, record: Incoming, saleId: string): Outcome {
  const { returns, sales, products, stockMovements, cashSessions, warehouses } = batch.recordSets;
  const { data } = record;
  const sale = must(sales.get(saleId), "A return whose sale is missing is parked");
  const earlier = batch.returning
    .of(saleId)
    .map((id) => must(returns.get(id), "The returns of a sale are loaded with it").body);
  const wanted = readLines(data);
  const plan = planLeft(sale.body, earlier, wanted);
  if (plan instanceof CorrectionError) return refused("NOTHING_TO_RETURN", plan.message);

  const named = idIn(data, "cash_session_id");
  const isForeign = isOthersDrawer(batch, record, named);
  const sessionId = isForeign ? null : named;
  const payment = paymentOf(record, plan.total);
  const cashAmount = sessionId === null ? 0 : payment.cash;
  const warehouseId = idIn(data, "warehouse_id");
  const session = sessionId === null ? undefined : cashSessions.get(sessionId);
  const effects = effectsOfReturn(
    {
      plan,
      id: record.id,
      reason: fieldIn(data, "reason", null),
      payment_method: payment.method,
      cash_session_id: sessionId,
      cashAmount,
      occurred_at: instantIn(data, "occurred_at", batch.at),
    },
    {
      sale,
      session,
      productOf: (id) => products.get(id),
      warehouseOf: (id) =>
        warehouseId !== null && warehouses.get(warehouseId) ? warehouseId : batch.returning.warehouseOf(id),
      at: batch.write.at,
    },
  );
  const columns = {
    ...ownerColumns(batch, record),
    payments: record.beside?.payments ? JSON.stringify(record.beside.payments) : null,
    cashier_id: record.beside?.cashierId ?? null,
  };
  returns.set({ ...effects.record, ...columns });
  batch.events.push({ type: "return.created", body: effects.record.body });
  addTo(batch.returning.ids, saleId, record.id);
  sales.set(effects.sale);
  for (const product of effects.products) products.set(product);
  for (const movement of effects.movements) {
    stockMovements.set(movement);
    batch.events.push({ type: "inventory.movement.created", body: movement.body });
  }
  if (effects.session) cashSessions.set(effects.session);
  if (sessionId !== null) batch.returning.addCash(sessionId, cashAmount);
  batch.events.push({ type: "sale.updated", body: effects.sale.body });
  const isLate = cashAmount > 0 && session?.body.status === "closed";
  if (isForeign) batch.told.push(foreignReturn(record.id, saleId));
  const besideFindings = record.beside ? checkBesideSale(record.beside, plan.total) : [];
  batch.flags.set(record, [
    ...record.findings,
    ...findingsOf(data, wanted, plan),
    ...checkClock(batch, batch.at, [["occurred_at", effects.record.body.occurred_at]]),
    ...besideFindings,
    ...(isLate ? [closedShift] : []),
    ...(isForeign ? [foreignShift(named)] : []),
  ]);
  return applied;
}

const closedShift = finding("cash_session_id", "open", "closed", "El turno ya estaba cerrado: cambió su diferencia.");

/** What another register's drawer should hold is not for this one to say: its shift stays as it is. */
function isOthersDrawer(batch: WorkingSet, record: Incoming, shiftId: string | null): boolean {
  const owner = batch.recordSets.cashSessions.get(shiftId ?? "")?.device_id ?? null;
  return owner !== null && owner !== (record.deviceId ?? batch.deviceId) && !batch.retiredDevices.has(owner);
}

const foreignReturn = (subject: string, saleId: string): FiscalFinding => ({
  ...{ kind: "foreign_shift", subject, gravity: "warning", saleId, invoiceId: null },
  message: "Una devolución dice que es del turno de otra caja: cuenta en su día, y en ningún turno.",
  nextStep:
    "Averigüe de qué cajón salió el dinero. Si nadie reconoce la devolución, retire esa caja en Ajustes → Cajas.",
});

function planLeft(
  sale: Parameters<typeof planReturn>[0],
  earlier: readonly Return[],
  wanted: readonly WantedLine[],
): PlannedReturn | CorrectionError {
  try {
    return planReturn(sale, earlier, limitToLeft(sale, earlier, wanted));
  } catch (error) {
    if (error instanceof CorrectionError) return error;
    throw error;
  }
}

function readLines(data: Fields): WantedLine[] {
  return (data.lines as Fields[]).map((line) => ({
    item_id: must(idIn(line, "item_id"), "A returned line names its item, or it is not readable"),
    quantity: line.quantity as number,
  }));
}

/** The published means is that of the largest part. Parts that do not sum up say nothing about the drawer. */
function paymentOf({ data, beside }: Incoming, total: number): { method: string; cash: number } {
  const parts = beside?.payments ?? [];
  const [largest] = parts.toSorted((a, b) => b.amount - a.amount);
  const method = legibleMeans(largest?.payment_method ?? fieldIn(data, "payment_method", otherMeans));
  const isWhole = parts.length > 0 && parts.reduce((sum, { amount }) => sum + amount, 0) === total;
  const inCash = parts.reduce((sum, part) => (part.payment_method === "CASH" ? sum + part.amount : sum), 0);
  return { method, cash: isWhole ? inCash : method === "CASH" ? total : 0 };
}

/** What the register took back or paid out, and the sale does not allow. */
function findingsOf(data: Fields, wanted: readonly WantedLine[], plan: PlannedReturn): Finding[] {
  const found: Finding[] = [];
  const asked = wanted.reduce((sum, { quantity }) => sum + quantity, 0);
  const taken = plan.lines.reduce((sum, { quantity }) => sum + quantity, 0);
  if (Math.abs(asked - taken) > 1e-6)
    found.push(
      finding("lines", taken, asked, "Se devolvió más de lo que quedaba de la venta: cuenta solo lo que quedaba."),
    );
  if (data.total !== undefined && data.total !== plan.total)
    found.push(finding("total", plan.total, data.total, "El dinero devuelto no es lo que valen las líneas devueltas."));
  return found;
}
