import type { ProductLedger } from "../products/store.ts";

/** Types whose quantity is written as a magnitude and means that it left. */
const leaving = new Set(["out", "sale", "waste", "transfer_out"]);

/** What an entry adds to the stock, in thousandths. A negative quantity always takes out, whatever its type. */
export function deltaMilli(type: string, quantity: number): number {
  const milli = Math.round(quantity * 1000);
  return leaving.has(type) && milli > 0 ? -milli : milli;
}

/**
 * The ledger after one more entry. Sums only, so entries may arrive in any order: the stock is the sum of all, the cost
 * the average over what came in with one.
 */
export function addEntry<L extends ProductLedger>(
  ledger: L,
  entry: { type: string; quantity: number; unit_cost: number | null },
): L {
  const delta = deltaMilli(entry.type, entry.quantity);
  const costed = delta > 0 && entry.unit_cost !== null;
  return {
    ...ledger,
    stock_milli: ledger.stock_milli + delta,
    cost_milli: ledger.cost_milli + (costed ? delta : 0),
    cost_value: ledger.cost_value + (costed ? (delta * entry.unit_cost!) / 1000 : 0),
  };
}
