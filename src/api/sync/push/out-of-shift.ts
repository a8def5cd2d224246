import { type PaymentPart, paymentParts } from "../../../business/sale-totals/definition.ts";
import type { SaleColumns } from "../../../business/sales/resource.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import type { Stored } from "../../../engine/resources/resource.ts";
import { type Finding, finding } from "../../../fiscal/findings/finding.ts";
import { grouped } from "../../../taxes/words.ts";
import { type Incoming, idIn } from "./read-record.ts";
import { aboutShift, drawerAct } from "./shift-record.ts";
import type { WorkingSet } from "./working-set.ts";

type StoredSale = Stored<Sale, SaleColumns>;

const cashIn = (parts: readonly PaymentPart[]) =>
  parts.reduce((sum, { payment_method, amount }) => (payment_method === "CASH" ? sum + amount : sum), 0);

/**
 * A sale that was charged in a shift and says that it was in none, or in another; or one in cash that names none while its register has one
 * open. It counts as its register says, and the owner is told: the money was in that drawer. That it was is not forgotten with the next upload.
 */
export function noteOutOfShift(
  batch: WorkingSet,
  record: Incoming,
  before: StoredSale | undefined,
  after: Pick<StoredSale, "body" | "payments">,
): Finding[] {
  const known = batch.flags.get(record).filter(({ kind }) => kind === "left_shift");
  const wasCharged = before?.body.status === "completed";
  const found = wasCharged ? leftShift(batch, record, before, after.body) : withoutShift(batch, record, after);
  if (!found) return known;
  const { shiftId, amount, message } = found;
  batch.told.push({ ...aboutShift(record.id, message, "left_shift"), saleId: record.id });
  const part = `${record.id} ${after.body.cash_session_id ?? ""}`;
  batch.acts.push({
    ...drawerAct(batch.write.at, { kind: "cash_moved", shiftId, amount, message, part }),
    sale_id: record.id,
    cashier_id: record.beside?.cashierId ?? null,
  });
  return [
    ...known.filter((one) => one.message !== message),
    { ...finding("cash_session_id", shiftId, after.body.cash_session_id, message), kind: "left_shift" },
  ];
}

function leftShift(batch: WorkingSet, record: Incoming, { body: before, payments }: StoredSale, after: Sale) {
  const [from, to] = [before.cash_session_id, after.cash_session_id];
  if (from === null || from === to || after.status === "cancelled") return undefined;
  batch.addConflict(record, { unit: "cash_session_id", kept: to, lost: from });
  const parts = paymentParts(before, payments);
  const message = `Una venta de $${grouped(before.total)} se cobró en un turno y la caja la volvió a subir ${to === null ? "sin turno" : "en otro"}: las cuentas de ese turno ya no la tienen.`;
  return { shiftId: from, amount: cashIn(parts), message };
}

/** A register records its shift before the sales that it makes in it. */
function withoutShift(
  { openShifts, isKnownShift }: WorkingSet,
  { data }: Incoming,
  { body, payments }: Pick<StoredSale, "body" | "payments">,
) {
  const shiftId = [...openShifts].at(-1);
  const named = idIn(data, "cash_session_id");
  const amount = cashIn(paymentParts(body, payments));
  if (shiftId === undefined || body.status !== "completed" || amount <= 0) return undefined;
  if (named !== null && isKnownShift(named)) return undefined;
  const which = named === null ? "no nombra ningún turno" : "nombra un turno que no existe";
  const message = `Una venta con $${grouped(amount)} en efectivo ${which}, y la caja tenía uno abierto: las cuentas de ese turno no la tienen.`;
  return { shiftId, amount, message };
}
