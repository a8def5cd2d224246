import { averageAfter, priceOf, priceText } from "../../costs/moving-average.ts";
import { costMicro, costStateOf, type ProductLedger } from "../products/ledger.ts";

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

/** What an entry is for the ledger. */
export interface CountedEntry {
  delta_milli: number;
  /** When it happened, in millionths of a second; one of before happened when it arrived. */
  made_us?: number | null;
  from_api: boolean;
  body: { unit_cost: number | null; origin_type: string | null; created_at: string };
}

export function usOf(instant: string): number {
  return Date.parse(instant) * 1000;
}

/** Between two warehouses of ours, which the service joins (transfers.ts): what left one is on its way to the other. */
function isOnItsWay({ from_api, body }: CountedEntry): boolean {
  return from_api && body.origin_type === "transfer";
}

/**
 * The ledger after one more entry. The stock is the sum of all entries, in whatever order they arrive. The average is right at once
 * unless something happened before what is known already; the end of the write sees to that, and to what was sold before it came in.
 */
export function addEntry<L extends ProductLedger>(ledger: L, entry: CountedEntry): L {
  const { delta_milli, body, made_us: at } = entry;
  const made_us = at ?? usOf(body.created_at);
  const stock_milli = ledger.stock_milli + delta_milli;
  if (isOnItsWay(entry)) return { ...ledger, stock_milli, transit_milli: (ledger.transit_milli ?? 0) - delta_milli };
  const price = delta_milli > 0 ? priceOf(body.unit_cost) : null;
  if (price === null) {
    const isLate = made_us < (ledger.costed_us ?? 0);
    return { ...ledger, stock_milli, ...(isLate && { recost_us: earliest(ledger.recost_us, made_us) }) };
  }
  const average = averageAfter(costStateOf(ledger), delta_milli, price);
  return {
    ...ledger,
    stock_milli,
    ...lifetime(ledger, entry),
    average_cost: priceText(average),
    costed_us: Math.max(ledger.costed_us ?? 0, made_us),
    recost_us: earliest(ledger.recost_us, made_us),
  };
}

const earliest = (known: number | null, us: number) => (known ? Math.min(known, us) : us);

function lifetime({ cost_milli, cost_value }: ProductLedger, { delta_milli, body }: CountedEntry) {
  const value = BigInt(cost_value) + BigInt(delta_milli) * costMicro(body.unit_cost ?? 0);
  return { cost_milli: cost_milli + delta_milli, cost_value: String(value) };
}
