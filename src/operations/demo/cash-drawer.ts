import type { CashSession } from "../../business/cash-sessions/schema.ts";
import type { Sale } from "../../business/sales/schema.ts";
import { uuidv7 } from "../../lib/ids.ts";
import type { Chance } from "./random.ts";
import type { Register } from "./registers.ts";
import type { Sede } from "./sedes.ts";

/** A shift at one register, with its running totals. */
export interface CashDrawer {
  id: string;
  sede: Sede;
  add(sale: Sale): void;
  /** Gives cash back for a return. */
  refund(amount: number): void;
  /** The published record of the shift at this instant. */
  session(at: Date, closedAt: Date | null): CashSession;
}

export function openDrawer(register: Register, cashier: string, openedAt: Date, chance: Chance): CashDrawer {
  const id = uuidv7(openedAt);
  const opening = 100_000;
  const payments = new Map<string, { count: number; amount: number }>();
  const paidOut = chance.happens(0.4) ? chance.between(2, 12) * 5_000 : 0;
  const miscounted = chance.happens(0.15) ? chance.between(-6, 6) * 500 : 0;
  let refunded = 0;
  let created: string | undefined;
  return {
    id,
    sede: register.sede,
    add(sale) {
      if (sale.status !== "completed") return;
      const entry = payments.get(sale.payment_method) ?? { count: 0, amount: 0 };
      payments.set(sale.payment_method, { count: entry.count + 1, amount: entry.amount + sale.total });
    },
    refund(amount) {
      refunded += amount;
    },
    session(at, closedAt) {
      created ??= at.toISOString();
      const all = [...payments].map(([payment_method, { count, amount }]) => ({ payment_method, count, amount }));
      const cash = payments.get("CASH")?.amount ?? 0;
      const cashOut = closedAt ? paidOut : 0;
      const expected = opening + cash - refunded - cashOut;
      return {
        object: "cash_session",
        id,
        status: closedAt ? "closed" : "open",
        register_id: register.id,
        register_name: register.name,
        opened_at: openedAt.toISOString(),
        closed_at: closedAt?.toISOString() ?? null,
        opened_by: cashier,
        closed_by: closedAt ? cashier : null,
        opening_amount: opening,
        cash_sales: cash,
        cash_refunds: refunded,
        cash_in: 0,
        cash_out: cashOut,
        expected_amount: expected,
        counted_amount: closedAt ? expected + miscounted : null,
        difference: closedAt ? miscounted : null,
        sales_count: all.reduce((total, { count }) => total + count, 0),
        sales_total: all.reduce((total, { amount }) => total + amount, 0),
        payments: all,
        notes: null,
        movements: cashOut > 0 ? [paidOutMovement(id, cashOut, cashier, openedAt, at)] : [],
        created_at: created,
        updated_at: at.toISOString(),
      };
    },
  };
}

function paidOutMovement(cash_session_id: string, amount: number, created_by: string, openedAt: Date, at: Date) {
  return {
    object: "cash_movement" as const,
    id: uuidv7(openedAt),
    cash_session_id,
    type: "out" as const,
    amount,
    reason: "Pago a proveedor",
    created_by,
    occurred_at: new Date(openedAt.getTime() + 5 * 3_600_000).toISOString(),
    created_at: at.toISOString(),
    updated_at: at.toISOString(),
  };
}
