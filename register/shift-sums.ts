import { type SaleSums, sumsOf } from "../src/business/sale-totals/definition.ts";
import type { KeptSale } from "./sale.ts";
import { type PortalReturn, returnsOf, type Shift } from "./shift.ts";
import { addWorth, nothing, worthOf, worthOfReturn } from "./worth.ts";

/** What a shift's sales add up to, as the service counts them, and how often something took one back. */
export interface ShiftSums extends SaleSums {
  reversals: number;
}

/** `sales` are the shift's own, cancelled ones too. What came back, of them or of any other sale, the shift knows itself. */
export function shiftSums(shift: Shift, sales: readonly KeptSale[]): ShiftSums {
  const cancelled = sales.filter(({ data }) => data.status === "cancelled");
  const { returned = nothing, doubled = { count: 0, amount: 0 }, from_portal = [] } = shift;
  // What an earlier version took back it only knows by its means.
  const total = (shift.returns ?? []).reduce((sum, { amount }) => sum + amount, -doubled.amount);
  const back = addWorth(...cancelled.map(worthOf), { ...returned, total }, ...from_portal.map(worthOfPortal));
  const reversals = returnsOf(shift).reduce((sum, { count }) => sum + count, cancelled.length - doubled.count);
  return { ...sumsOf(sales.length, addWorth(...sales.map(worthOf)), back), reversals };
}

function worthOfPortal({ total, tax = 0, discount = 0, tip_amount = 0, lines }: PortalReturn) {
  return worthOfReturn({ total, tax, discount, tip_amount, lines: lines ?? [] });
}
