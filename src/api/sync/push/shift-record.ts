import type { CashMovement, CashSession } from "../../../business/cash-sessions/schema.ts";
import type { ActKind } from "../../../business/counter/act-kinds.ts";
import { isSame } from "../../../engine/resources/revisions.ts";
import { type Finding, finding } from "../../../fiscal/findings/finding.ts";
import type { FiscalFinding } from "../../../fiscal/findings/fiscal-finding.ts";
import { uuidFrom, uuidv7 } from "../../../lib/ids.ts";
import { grouped } from "../../../taxes/words.ts";
import { type Incoming, idIn } from "./read-record.ts";
import type { WorkingSet } from "./working-set.ts";

const figures = ["status", "opening_amount", "cash_sales", "cash_in", "cash_out", "counted_amount"] as const;
const figuresOf = (shift: CashSession) => Object.fromEntries(figures.map((name) => [name, shift[name]]));

/** The money of a movement: what else is said of it may be corrected. */
const moneyOf = ({ type, amount }: CashMovement) => ({ type, amount });

/** Stored movements that are other money after an upload. One of an unknown type is told as such. */
function rewrittenMovements({ movements }: CashSession, after: CashSession, { findings }: Incoming) {
  const now = new Map(after.movements.map((movement) => [movement.id, movement]));
  return movements.flatMap((lost) => {
    const kept = now.get(lost.id);
    const isUnknown = findings.some(({ field }) => field === `movements.${lost.id}.type`);
    return kept && !isUnknown && !isSame(moneyOf(kept), moneyOf(lost)) ? [{ kept, lost }] : [];
  });
}

/**
 * What a register says of its drawer once more and otherwise: it is told, recorded as an act, and what it was stays for the owner to see.
 * It is not forgotten with the shift's next upload.
 */
export function noteRewritten(
  batch: WorkingSet,
  record: Incoming,
  before: CashSession | undefined,
  after: CashSession,
): Finding[] {
  const found = batch.flags.get(record).filter(({ kind }) => kind === "shift_rewritten");
  if (!before) return found;
  for (const { kept, lost } of rewrittenMovements(before, after, record)) {
    batch.addConflict(record, { unit: `movements.${kept.id}`, kept: moneyOf(kept), lost: moneyOf(lost) });
    const turned = kept.type === lost.type ? "" : kept.type === "in" ? " de entrada" : " de salida";
    const message = `Un movimiento del cajón era de $${grouped(lost.amount)} y la caja lo volvió a subir con $${grouped(kept.amount)}${turned}.`;
    found.push({
      ...finding(`movements.${kept.id}.amount`, lost.amount, kept.amount, message),
      kind: "shift_rewritten",
    });
    note(batch, record, message, {
      kind: "cash_moved",
      amount: lost.amount,
      part: `${kept.id} ${lost.amount} ${kept.type} ${kept.amount}`,
    });
  }
  if (before.status === "open" && before.opening_amount !== after.opening_amount) {
    const [from, to] = [before.opening_amount, after.opening_amount];
    batch.addConflict(record, { unit: "opening_amount", kept: to, lost: from });
    const message = `El turno se abrió con una base de $${grouped(from)} y la caja lo volvió a subir con $${grouped(to)}.`;
    found.push({ ...finding("opening_amount", from, to, message), kind: "shift_rewritten" });
    note(batch, record, message, { kind: "cash_moved", amount: from - to, part: `base ${from} ${to}` });
  }
  const [was, is] = [figuresOf(before), figuresOf(after)];
  if (before.status === "closed" && !isSame(was, is)) {
    batch.addConflict(record, { unit: "*", kept: is, lost: was });
    const message = `El turno ya estaba cerrado y la caja lo volvió a subir con otras cifras: la diferencia era de $${grouped(before.difference ?? 0)} y ahora dice $${grouped(after.difference ?? 0)}.`;
    found.push({ ...finding("difference", before.difference, after.difference, message), kind: "shift_rewritten" });
    note(batch, record, message, { kind: "shift_closed", amount: before.difference, part: JSON.stringify(is) });
  }
  return found;
}

/** What a shift should hold, told where it does not follow from the rest of it: by that its drawer is counted. */
export function tellExpected(batch: WorkingSet, shiftId: string, expected: number, said: number): void {
  const message = `La caja dice que en el turno debe haber $${grouped(said)}, y de su base, sus ventas y sus movimientos resultan $${grouped(expected)}.`;
  batch.told.push(aboutShift(shiftId, message, "drawer_short"));
}

function note(
  batch: WorkingSet,
  { id, beside }: Incoming,
  message: string,
  { kind, amount, part }: { kind: ActKind; amount: number | null; part: string },
): void {
  batch.told.push(aboutShift(id, message));
  batch.acts.push({
    ...drawerAct(batch.write.at, { kind, shiftId: id, amount, message, part }),
    cashier_id: beside?.cashierId ?? null,
  });
}

/** Of the drawer of a shift, which nobody declared. */
export function drawerAct(
  at: Date,
  {
    kind,
    shiftId,
    amount,
    message,
    part,
  }: { kind: ActKind; shiftId: string; amount: number | null; message: string; part: string },
) {
  return {
    ...{ id: uuidv7(at), cause: uuidFrom(`${shiftId} ${kind} ${part}`), kind, occurred_at: at.toISOString() },
    ...{ cashier_id: null, authorized_by: null, shift_id: shiftId, sale_id: null, label: null, amount },
    ...{ detail: message, is_allowed: false },
  };
}

export function aboutShift(
  shiftId: string,
  message: string,
  kind: FiscalFinding["kind"] = "shift_rewritten",
): FiscalFinding {
  return {
    ...{ kind, subject: shiftId, gravity: "error", saleId: null, invoiceId: null, message },
    nextStep:
      "Cuente el cajón y pregunte en la caja qué pasó. Lo que decía antes está en Ajustes → Cajas, en los conflictos de esa caja.",
  };
}

/** A sale that begins to count in a shift that its register had closed before this push. */
export function lateInShift(batch: WorkingSet, record: Incoming, isNew: boolean): Finding[] {
  const shiftId = idIn(record.data, "cash_session_id");
  const known = batch.flags.get(record).filter(({ kind }) => kind === "closed_shift");
  if (!isNew || record.data.status !== "completed" || !shiftId || !batch.isClosedShift(shiftId)) return known;
  // Of another register's it counts in no shift, and that is told.
  if (batch.isOthersShift(shiftId)) return known;
  const total = record.data.total as number;
  const message = `Una venta de $${grouped(total)} entró en un turno que ya estaba cerrado: su cierre no la tiene.`;
  batch.told.push({ ...aboutShift(record.id, message, "closed_shift"), saleId: record.id });
  const act = { kind: "shift_closed", shiftId, amount: total, message, part: record.id } as const;
  batch.acts.push({
    ...drawerAct(batch.write.at, act),
    sale_id: record.id,
    cashier_id: record.beside?.cashierId ?? null,
  });
  return [{ ...finding("cash_session_id", null, shiftId, message), kind: "closed_shift" }];
}
