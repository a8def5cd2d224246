import { costMicro, type ProductLedger } from "../products/ledger.ts";

type Direction = "in" | "out" | "unclear";

/** The movement types of our registers. Quantities are magnitudes, except in adjustments. */
const known: ReadonlyMap<string, Direction> = new Map([
  ...(["in", "purchase", "return", "transfer_in", "adjustment", "initial_stock"] as const).map(inward),
  ...(["out", "sale", "waste", "transfer_out"] as const).map(outward),
]);

/** Unambiguous types used by other registers. They are flagged, but still move the stock the right way. */
const understood: ReadonlyMap<string, Direction> = new Map([
  ...known,
  ...["entrada", "compra", "ingreso", "devolucion", "devolución", "ajuste"].map(inward),
  ...["salida", "venta", "merma", "consumo", "baja", "recipe_explosion"].map(outward),
]);

/** The fields that decide whether an entry adds to the stock or takes from it. */
export interface Moved {
  type: string;
  quantity: number;
  origin_type: string | null;
  sale_id: string | null;
}

export const knownTypes: readonly string[] = [...known.keys()];

export function isKnownType(type: string): boolean {
  return known.has(type);
}

/**
 * What an entry adds to the stock, in thousandths. A negative quantity always takes from it. If neither the type nor the
 * origin gives the direction, the stock does not move: a flagged entry is better than a wrong stock.
 */
export function deltaMilli(entry: Moved): number {
  const milli = Math.round(entry.quantity * 1000);
  if (milli <= 0) return milli;
  const direction = directionOf(entry);
  return direction === "unclear" ? 0 : direction === "out" ? -milli : milli;
}

function directionOf({ type, origin_type, sale_id }: Moved): Direction {
  const origin = origin_type?.toLowerCase() ?? "";
  // Reversing a sale adds stock; reversing anything else may go either way.
  const byOrigin = origin === "reversal" && sale_id !== null ? "in" : understood.get(origin);
  return understood.get(type.toLowerCase()) ?? byOrigin ?? "unclear";
}

function inward(word: string): [string, Direction] {
  return [word, "in"];
}

function outward(word: string): [string, Direction] {
  return [word, "out"];
}

/**
 * The ledger after one more entry. Sums are integers, so the order of arrival does not matter. The stock is the sum of all
 * entries; the cost is the average over those that came in with one.
 */
export function addEntry<L extends ProductLedger>(
  ledger: L,
  { delta_milli, body: { unit_cost } }: { delta_milli: number; body: { unit_cost: number | null } },
): L {
  const stock_milli = ledger.stock_milli + delta_milli;
  if (delta_milli <= 0 || unit_cost === null) return { ...ledger, stock_milli };
  const value = BigInt(ledger.cost_value) + BigInt(delta_milli) * costMicro(unit_cost);
  return { ...ledger, stock_milli, cost_milli: ledger.cost_milli + delta_milli, cost_value: String(value) };
}
