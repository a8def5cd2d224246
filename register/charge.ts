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

const notes = [2_000, 5_000, 10_000, 20_000, 50_000, 100_000];
const mostSums = 6;

/** Sums that a customer is likely to hand over: the exact one first, then with coins, then of notes none of which is too many. */
export function quickNotes(due: number): number[] {
  const coin = due < notes[0]! ? 100 : 1_000;
  const ofNotes = notes
    .map((note) => Math.ceil(due / note) * note)
    .filter((sum) => sum - smallestNoteOf(sum) < due)
    .sort((a, b) => a - b);
  return [...new Set([due, Math.ceil(due / coin) * coin, ...ofNotes])].slice(0, mostSums);
}

/** The smallest of the notes that make up a sum, taking the largest ones first. */
function smallestNoteOf(sum: number): number {
  let rest = sum;
  let smallest = sum;
  for (const note of notes.toReversed()) {
    if (rest < note) continue;
    rest %= note;
    smallest = note;
  }
  return smallest;
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
