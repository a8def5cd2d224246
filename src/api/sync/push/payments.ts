import { type Fields, fieldIn } from "./read-record.ts";

/** How an amount was paid. The published means is that of its largest part. */
export interface Payment {
  method: string;
  /** What was paid in cash, of the given total. */
  cash: number;
  /** The parts as JSON; null when there is only one. */
  parts: string | null;
}

export function readPayment(data: Fields, total: number): Payment {
  const sent = fieldIn<Fields[] | null>(data, "payments", null) ?? [];
  const parts = sent.map(({ payment_method, amount }) => ({
    payment_method: payment_method as string,
    amount: amount as number,
  }));
  const [largest] = parts.toSorted((a, b) => b.amount - a.amount);
  const method = largest?.payment_method ?? fieldIn(data, "payment_method", "OTHER");
  const isWhole = parts.length > 0 && parts.reduce((sum, { amount }) => sum + amount, 0) === total;
  const inCash = parts.reduce((sum, part) => (part.payment_method === "CASH" ? sum + part.amount : sum), 0);
  // Parts that do not sum up say nothing about the drawer.
  const cash = isWhole ? inCash : method === "CASH" ? total : 0;
  return { method, cash, parts: parts.length > 0 ? JSON.stringify(parts) : null };
}
