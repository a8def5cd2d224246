import type { CashMovement, CashSession } from "../../../business/cash-sessions/schema.ts";
import { type Finding, finding } from "../../../fiscal/findings/finding.ts";
import { must } from "../../../lib/must.ts";
import { legibleMeans } from "../../../taxes/means.ts";
import { announceOnce, claim, ownerColumns } from "./apply-owned.ts";
import { checkClock } from "./check-clock.ts";
import { applied, type Outcome, tooLarge } from "./outcome.ts";
import { type Fields, fieldIn, type Incoming, idIn, instantIn } from "./read-record.ts";
import { foreignShift } from "./shift-owners.ts";
import { noteRewritten, tellExpected } from "./shift-record.ts";
import type { WorkingSet } from "./working-set.ts";

export function applyCashSession(batch: WorkingSet, record: Incoming): Outcome {
  const { cashSessions } = batch.recordSets;
  const before = cashSessions.get(record.id);
  // A register does not count what it uploads as returns: they may come from the portal or from another register too.
  const returned = batch.returning.cashOf(record.id);
  const read = (stored: CashSession | undefined, at: string) =>
    withReturns(readSession(batch, record, stored, at), returned);
  const taken = claim(batch, cashSessions, record, (stored) => read(stored, stored.updated_at));
  if (taken.kind === "refused") return taken.outcome;
  const body = read(before?.body, batch.at);
  const refusal = tooLarge(body);
  if (refusal) return refusal;
  batch.flags.set(record, [
    ...record.findings,
    ...checkSums(batch, body, record.data),
    ...checkTimes(batch, body),
    ...noteRewritten(batch, record, before?.body, body),
  ]);
  let announced = before?.announced ?? [];
  const once = body.status === "closed" ? announceOnce({ announced }, "closed") : undefined;
  if (once) {
    announced = once;
    batch.events.push({ type: "cash_session.closed", body });
  }
  cashSessions.set({ body, ...ownerColumns(batch, record), announced });
  batch.openShifts.delete(record.id);
  if (body.status === "open") batch.openShifts.add(record.id);
  releaseStraySales(batch, record.id);
  return applied;
}

/** Takes sales of other registers out of a shift that they named before it arrived. */
function releaseStraySales(batch: WorkingSet, shiftId: string): void {
  const { sales } = batch.recordSets;
  for (const { id, device_id, device_seq } of batch.straySales.get(shiftId) ?? []) {
    const sale = must(sales.get(id), "Stray sales are loaded with the working set");
    const body = { ...sale.body, cash_session_id: null, updated_at: batch.at };
    sales.set({ ...sale, body });
    const ref = { type: "sale", id, deviceSeq: device_seq, deviceId: device_id } as const;
    batch.flags.set(ref, [...batch.flags.get(ref), foreignShift(shiftId)]);
    batch.events.push({ type: "sale.updated", body });
  }
  batch.straySales.delete(shiftId);
}

/** The shift as its register counted it; sums that it left out follow from its movements and from those it sent. */
function readSession(
  batch: WorkingSet,
  { id, data }: Incoming,
  before: CashSession | undefined,
  updatedAt: string,
): CashSession {
  const amount = (name: string) => fieldIn(data, name, 0);
  const movements = readMovements(id, fieldIn<Fields[]>(data, "movements", []), before?.movements ?? [], updatedAt);
  const cashIn = fieldIn(data, "cash_in", moved(movements, "in"));
  const cashOut = fieldIn(data, "cash_out", moved(movements, "out"));
  const expected = amount("opening_amount") + amount("cash_sales") - amount("cash_refunds") + cashIn - cashOut;
  const counted = fieldIn<number | null>(data, "counted_amount", null);
  const expectedAmount = fieldIn(data, "expected_amount", expected);
  return {
    object: "cash_session",
    id,
    status: data.status as CashSession["status"],
    register_id: idIn(data, "register_id"),
    register_name: before?.register_name || batch.shiftName(fieldIn(data, "register_name", "")),
    opened_at: instantIn(data, "opened_at", before?.opened_at ?? updatedAt),
    closed_at: instantIn(data, "closed_at", data.status === "closed" ? (before?.closed_at ?? updatedAt) : null),
    opened_by: fieldIn(data, "opened_by", null),
    closed_by: fieldIn(data, "closed_by", null),
    opening_amount: amount("opening_amount"),
    cash_sales: amount("cash_sales"),
    cash_refunds: amount("cash_refunds"),
    cash_in: cashIn,
    cash_out: cashOut,
    expected_amount: expectedAmount,
    counted_amount: counted,
    difference: fieldIn(data, "difference", counted === null ? null : counted - expectedAmount),
    sales_count: amount("sales_count"),
    sales_total: amount("sales_total"),
    payments: fieldIn<Fields[]>(data, "payments", []).map((payment) => ({
      payment_method: legibleMeans(payment.payment_method as string),
      count: payment.count as number,
      amount: payment.amount as number,
    })),
    notes: fieldIn(data, "notes", null),
    movements,
    created_at: before?.created_at ?? updatedAt,
    updated_at: updatedAt,
  };
}

/** Where returns took cash out of the drawer, what is expected in it follows from the sums. */
function withReturns(session: CashSession, returned: number): CashSession {
  if (returned === 0) return session;
  const { opening_amount, cash_sales, cash_in, cash_out, counted_amount } = session;
  const cash_refunds = session.cash_refunds + returned;
  const expected_amount = opening_amount + cash_sales - cash_refunds + cash_in - cash_out;
  const difference = counted_amount === null ? null : counted_amount - expected_amount;
  return { ...session, cash_refunds, expected_amount, difference };
}

function moved(movements: readonly CashMovement[], type: CashMovement["type"]): number {
  return movements.reduce((sum, movement) => (movement.type === type ? sum + movement.amount : sum), 0);
}

function checkTimes(batch: WorkingSet, { opened_at, closed_at, created_at, movements }: CashSession): Finding[] {
  return checkClock(batch, created_at, [
    ["opened_at", opened_at],
    ["closed_at", closed_at],
    ...movements.map(({ id, occurred_at }) => [`movements.${id}.occurred_at`, occurred_at] as const),
  ]);
}

/** Sums that the register sent and that do not follow from the shift itself. */
function checkSums(batch: WorkingSet, body: CashSession, data: Fields): Finding[] {
  const { opening_amount, cash_sales, cash_refunds, cash_in, cash_out, counted_amount, expected_amount } = body;
  const expected = opening_amount + cash_sales - cash_refunds + cash_in - cash_out;
  if (expected_amount < expected) tellExpected(batch, body.id, expected, expected_amount);
  const hasMovements = body.movements.length > 0 || data.movements !== undefined;
  const sums: [keyof CashSession, number | null, string][] = [
    ...(hasMovements
      ? ([
          ["cash_in", moved(body.movements, "in"), "No es la suma de las entradas del turno."],
          ["cash_out", moved(body.movements, "out"), "No es la suma de las salidas del turno."],
        ] as [keyof CashSession, number, string][])
      : []),
    ["expected_amount", expected, "No es apertura más ventas menos devoluciones más entradas menos salidas."],
    [
      "difference",
      counted_amount === null ? null : counted_amount - expected_amount,
      "No es lo contado menos lo esperado.",
    ],
  ];
  return sums.flatMap(([field, sum, message]) =>
    body[field] === sum ? [] : [finding(field, sum, body[field], message)],
  );
}

/** Money that moved in the drawer is never forgotten: a movement that an upload leaves out stays. */
function readMovements(
  sessionId: string,
  sent: readonly Fields[],
  before: readonly CashMovement[],
  updatedAt: string,
): CashMovement[] {
  const earlier = new Map(before.map((movement) => [movement.id, movement]));
  const read = new Map(earlier);
  for (const movement of sent) {
    const said = readMovement(sessionId, movement, updatedAt);
    const known = earlier.get(said.id);
    const made = known ? { ...said, created_at: known.created_at, updated_at: known.updated_at } : said;
    read.set(said.id, JSON.stringify(made) === JSON.stringify(known) ? made : { ...made, updated_at: updatedAt });
  }
  return [...read.values()];
}

function readMovement(sessionId: string, movement: Fields, updatedAt: string): CashMovement {
  return {
    object: "cash_movement",
    id: must(idIn(movement, "id"), "A cash movement has an id, or it is not readable"),
    cash_session_id: sessionId,
    type: movement.type as CashMovement["type"],
    amount: movement.amount as number,
    reason: fieldIn(movement, "reason", null),
    created_by: fieldIn(movement, "created_by", null),
    occurred_at: instantIn(movement, "occurred_at", updatedAt),
    created_at: updatedAt,
    updated_at: updatedAt,
  };
}
