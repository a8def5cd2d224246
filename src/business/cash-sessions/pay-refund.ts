import type { CashSession } from "./schema.ts";

/** The shift after a refund left its drawer. A shift that is already counted shows it in its difference. */
export function payRefund(session: CashSession, amount: number, at: string): CashSession {
  return {
    ...session,
    cash_refunds: session.cash_refunds + amount,
    expected_amount: session.expected_amount - amount,
    difference: session.difference === null ? null : session.difference + amount,
    updated_at: at,
  };
}
