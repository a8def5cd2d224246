import type { Payment } from "./protocol.ts";

/** How a ticket is paid. The parts add up to its total. */
export interface Charge {
  payments: Payment[];
  /** Cash that the customer handed over. */
  tendered: number;
  change: number;
  /** What rounding the cash added to the part in cash, or took from it. */
  cash_rounding: number;
}

export type ChargeProblem = { kind: "too_much"; excess: number } | { kind: "not_enough_cash"; missing: number };

/**
 * Splits a total over its means. Cash is what the other means leave, rounded only if the business says so; of two neighbours
 * at the same distance the customer pays the lower. `tendered` is what was handed over in cash, the exact amount if absent.
 */
export function charge(
  total: number,
  others: readonly Payment[],
  cash: { rounding: number; tendered?: number | undefined },
): { charge: Charge } | { problem: ChargeProblem } {
  const paid = others.reduce((sum, { amount }) => sum + amount, 0);
  const rest = total - paid;
  if (rest < 0) return { problem: { kind: "too_much", excess: -rest } };
  const due = roundedCash(rest, cash.rounding);
  const tendered = cash.tendered ?? due;
  if (tendered < due) return { problem: { kind: "not_enough_cash", missing: due - tendered } };
  const parts = [...(rest > 0 ? [{ payment_method: "CASH", amount: rest }] : []), ...others];
  const payments = merged(parts.filter(({ amount }) => amount > 0));
  return {
    charge: {
      // A free ticket was still settled at the counter.
      payments: payments.length > 0 ? payments : [{ payment_method: "CASH", amount: 0 }],
      tendered: rest > 0 ? tendered : 0,
      change: rest > 0 ? tendered - due : 0,
      cash_rounding: due - rest,
    },
  };
}

export function roundedCash(amount: number, rounding: number): number {
  if (rounding <= 0 || amount % rounding === 0) return amount;
  const below = amount - (amount % rounding);
  return amount - below <= rounding / 2 ? below : below + rounding;
}

/**
 * The charge of a sale of which one part was paid with another means. Cash is rounded as at the counter; what was handed over
 * stays where the part in cash does.
 */
export function withMeans(before: Charge, part: number, means: Omit<Payment, "amount">, rounding: number): Charge {
  const total = before.payments.reduce((sum, { amount }) => sum + amount, 0);
  const parts = before.payments.map((one, i) => (i === part ? { amount: one.amount, ...means } : one));
  const others = parts.filter(({ payment_method }) => payment_method !== "CASH");
  const result = charge(total, others, { rounding });
  if ("problem" in result) throw new RangeError("the parts do not add up");
  return cashIn(result.charge) === cashIn(before) ? { ...before, payments: result.charge.payments } : result.charge;
}

const cashIn = ({ payments }: Charge) =>
  payments.reduce((sum, { payment_method, amount }) => (payment_method === "CASH" ? sum + amount : sum), 0);

/** The means of the largest part; of equal ones, the first. A sale publishes this one. */
export function mainMethod(payments: readonly Payment[]): string {
  const largest = payments.reduce((best, one) => (one.amount > best.amount ? one : best), payments[0]!);
  return largest.payment_method;
}

/** What people round up to: coins and small notes for a coffee, the largest notes for what costs hundreds of thousands. */
const steps = [
  { below: 2_000, of: [100, 2_000, 5_000, 10_000] },
  { below: 20_000, of: [1_000, 10_000, 20_000, 50_000, 100_000] },
  { below: 200_000, of: [1_000, 10_000, 50_000, 100_000] },
  { below: Number.POSITIVE_INFINITY, of: [10_000, 50_000, 100_000] },
];
const mostSums = 4;

/** Sums that a customer is likely to hand over, the exact one first: few enough to be read at a glance. */
export function quickNotes(due: number): number[] {
  const { of } = steps.find(({ below }) => due < below)!;
  return [...new Set([due, ...of.map((step) => Math.ceil(due / step) * step)])].slice(0, mostSums);
}

/** Two parts of one means are one, unless each has its own reference. */
function merged(parts: readonly Payment[]): Payment[] {
  const sums = new Map<string, Payment>();
  for (const part of parts) {
    const key = `${part.payment_method} ${part.reference ?? ""}`;
    sums.set(key, { ...part, amount: (sums.get(key)?.amount ?? 0) + part.amount });
  }
  return [...sums.values()];
}
