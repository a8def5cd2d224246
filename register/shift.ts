import type { RecordSums } from "../src/business/sale-totals/definition.ts";
import type { Draft } from "./protocol.ts";
import type { KeptSale } from "./sale.ts";
import type { Row } from "./store.ts";
import { addWorth, nothing, type ReturnWorth, worthOfReturn } from "./worth.ts";

/** A shift at the drawer, as the register keeps it; every sale changes it in the same commit. */
export interface Shift {
  id: string;
  register_name: string;
  opened_at: string;
  closed_at: string | null;
  opened_by: string | null;
  closed_by: string | null;
  opening_amount: number;
  /** What went into the drawer for sales, rounding included. */
  cash_sales: number;
  cash_refunds: number;
  movements: CashMovement[];
  counted_amount: number | null;
  sales_count: number;
  sales_total: number;
  payments: { payment_method: string; count: number; amount: number }[];
  notes: string | null;
  /** The number of the last ticket. */
  last_number: number;
  /** Cash given back for returns. The server counts it from the returns themselves: it is not in the uploaded sums. */
  refunded?: number;
  /** What went back by returns, by means: of sales of this shift, of earlier ones and of other registers. */
  returns?: { payment_method: string; count: number; amount: number }[];
  /** What these were worth; its total is that of the means. */
  returned?: RecordSums;
  /** What of them the portal had given back already: the service does not count it as returned. */
  doubled?: { count: number; amount: number };
  /** Returns that the portal paid out of this drawer, as the feed brought them; kept with the catalog and not with the shift. */
  from_portal?: readonly PortalReturn[];
}

/** A return that was made in the portal: this register learns of it by the feed. */
export interface PortalReturn extends Partial<Pick<ReturnWorth, "tax" | "discount" | "tip_amount" | "lines">> {
  id: string;
  cash_session_id: string | null;
  payment_method: string;
  total: number;
  occurred_at: string;
}

export interface CashMovement {
  id: string;
  type: "in" | "out";
  amount: number;
  reason: string | null;
  created_by: string | null;
  occurred_at: string;
  /** Who moved it and who allowed it; private, the service publishes the name. */
  cashier_id?: string | null;
  authorized_by?: string | null;
}

export interface Opening {
  id: string;
  registerName: string;
  at: Date;
  base: number;
  by: string | null;
}

export function openShift({ id, registerName, at, base, by }: Opening): Shift {
  return {
    id,
    register_name: registerName,
    opened_at: at.toISOString(),
    closed_at: null,
    opened_by: by,
    closed_by: null,
    opening_amount: base,
    cash_sales: 0,
    cash_refunds: 0,
    movements: [],
    counted_amount: null,
    sales_count: 0,
    sales_total: 0,
    payments: [],
    notes: null,
    last_number: 0,
  };
}

export function withSale(shift: Shift, sale: KeptSale): Shift {
  return { ...counted(shift, sale, 1), last_number: Math.max(shift.last_number, sale.number) };
}

/** A cancelled sale leaves the sums as if it had never been, and its cash leaves the drawer. */
export function withoutSale(shift: Shift, sale: KeptSale): Shift {
  return counted(shift, sale, -1);
}

function counted(shift: Shift, { data, charge }: KeptSale, sign: 1 | -1): Shift {
  let payments = shift.payments;
  let cash = 0;
  for (const { payment_method, amount } of charge.payments) {
    payments = withPart(payments, { payment_method, count: sign, amount: sign * amount });
    if (payment_method === "CASH") cash += amount + charge.cash_rounding;
  }
  return {
    ...shift,
    cash_sales: shift.cash_sales + sign * cash,
    sales_count: shift.sales_count + sign,
    sales_total: shift.sales_total + sign * data.total,
    payments: payments.filter(({ count }) => count > 0),
  };
}

function withPart(parts: Shift["payments"], part: Shift["payments"][number]): Shift["payments"] {
  const before = parts.find(({ payment_method }) => payment_method === part.payment_method);
  if (!before) return [...parts, part];
  const after = { ...before, count: before.count + part.count, amount: before.amount + part.amount };
  return parts.map((one) => (one === before ? after : one));
}

export function withMovement(shift: Shift, movement: CashMovement): Shift {
  return { ...shift, movements: [...shift.movements, movement] };
}

/** Money that went back to a customer; only cash leaves the drawer. */
export function withRefund(shift: Shift, payment_method: string, made: ReturnWorth): Shift {
  const amount = made.total;
  const cash = payment_method === "CASH" ? amount : 0;
  return {
    ...shift,
    ...(cash > 0 && { refunded: (shift.refunded ?? 0) + cash }),
    returns: withPart(shift.returns ?? [], { payment_method, count: 1, amount }),
    returned: addWorth(shift.returned ?? nothing, worthOfReturn(made)),
  };
}

/** The shift with what the portal paid out of its drawer: exactly these, however often they came down. */
export function withPortalReturns(shift: Shift, all: readonly PortalReturn[]): Shift {
  const { from_portal, ...own } = shift;
  const paid = all.filter(({ cash_session_id }) => cash_session_id === shift.id);
  return paid.length > 0 ? { ...own, from_portal: paid } : own;
}

/** What went back in all, by means, with the portal's part of it. */
export function returnsOf({ returns = [], from_portal = [] }: Shift): ReturnFigure[] {
  const means = new Set([...returns, ...from_portal].map(({ payment_method }) => payment_method));
  return [...means].map((payment_method) => {
    const own = returns.find((one) => one.payment_method === payment_method);
    const paid = from_portal.filter((one) => one.payment_method === payment_method);
    const portal = { count: paid.length, amount: paid.reduce((sum, { total }) => sum + total, 0) };
    const count = (own?.count ?? 0) + portal.count;
    const amount = (own?.amount ?? 0) + portal.amount;
    return { payment_method, count, amount, ...(portal.count > 0 && { portal }) };
  });
}

export interface ReturnFigure {
  payment_method: string;
  count: number;
  amount: number;
  /** How much of it the portal paid; missing for nothing. */
  portal?: { count: number; amount: number };
}

/** Cash that went back to buyers, here and from the portal. */
export function refundedCash(shift: Shift): number {
  return (shift.refunded ?? 0) + portalCash(shift);
}

/** Cash that the portal paid out of this drawer. */
export function portalCash({ from_portal = [] }: Shift): number {
  return from_portal.reduce((sum, one) => (one.payment_method === "CASH" ? sum + one.total : sum), 0);
}

/** A sale that was paid otherwise than its register said: its sums move to the other means. */
export function withOtherMeans(shift: Shift, before: KeptSale, after: KeptSale): Shift {
  return counted(counted(shift, before, -1), after, 1);
}

/** What should be in the drawer. */
export function expectedCash(shift: Shift): number {
  return uploadedCash(shift) - refundedCash(shift);
}

function uploadedCash(shift: Shift): number {
  const { opening_amount, cash_sales, cash_refunds } = shift;
  return opening_amount + cash_sales - cash_refunds + moved(shift, "in") - moved(shift, "out");
}

export function closeShift(shift: Shift, closing: { at: Date; counted: number; by: string | null }): Shift {
  return { ...shift, closed_at: closing.at.toISOString(), counted_amount: closing.counted, closed_by: closing.by };
}

export function difference(shift: Shift): number | null {
  return shift.counted_amount === null ? null : shift.counted_amount - expectedCash(shift);
}

export function moved({ movements }: Shift, type: CashMovement["type"]): number {
  return movements.reduce((sum, movement) => (movement.type === type ? sum + movement.amount : sum), 0);
}

export function shiftDraft(shift: Shift): Draft {
  const { id, last_number, refunded, returns, returned, doubled, from_portal, ...fields } = shift;
  const data = {
    ...fields,
    status: shift.closed_at === null ? "open" : "closed",
    cash_in: moved(shift, "in"),
    cash_out: moved(shift, "out"),
    expected_amount: uploadedCash(shift),
  };
  return { type: "cash_session", id, data };
}

/** Open shifts form a group, so that opening the register does not read all the shifts it ever had. */
export function shiftRow(shift: Shift): Row {
  const { from_portal, ...value } = shift;
  return { table: "shift", key: shift.id, value, group: shift.closed_at === null ? "open" : "closed" };
}
