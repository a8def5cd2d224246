import { costMicro, type ProductLedger } from "../products/ledger.ts";

/** Types whose quantity is written as a magnitude and means that it left. */
const leaving = new Set(["out", "sale", "waste", "transfer_out"]);

/** What an entry adds to the stock, in thousandths. A negative quantity always takes out, whatever its type. */
export function deltaMilli(type: string, quantity: number): number {
  const milli = Math.round(quantity * 1000);
  return leaving.has(type) && milli > 0 ? -milli : milli;
}

/**
 * The ledger after one more entry. Whole sums only, so entries may arrive in any order: the stock is the sum of all, the
 * cost the average over what came in with one.
 */
export function addEntry<L extends ProductLedger>(
  ledger: L,
  entry: { type: string; quantity: number; unit_cost: number | null },
): L {
  const delta = deltaMilli(entry.type, entry.quantity);
  const stock_milli = ledger.stock_milli + delta;
  if (delta <= 0 || entry.unit_cost === null) return { ...ledger, stock_milli };
  const value = BigInt(ledger.cost_value) + BigInt(delta) * costMicro(entry.unit_cost);
  return { ...ledger, stock_milli, cost_milli: ledger.cost_milli + delta, cost_value: String(value) };
}
