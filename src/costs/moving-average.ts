import { divideHalfEven } from "../lib/money.ts";

/**
 * What goods cost: the moving average of one article (a product, or a variant that is stocked by itself) in the whole business.
 *
 * Quantities are thousandths of the base unit, prices trillionths of a peso per base unit, and so a value is in the unit of both
 * together (`valueUnit`). The average is the only thing that is ever rounded, half to even, when something comes in at a price: the
 * value of the stock is stock × average by definition, and what goes out takes quantity × average with it, exactly.
 */

/** A price has this many decimals. */
export const priceDecimals = 12;
const priceUnit = 10n ** BigInt(priceDecimals);
/** How many of a value's units make a peso. */
export const valueUnit = priceUnit * 1000n;

/** Something that entered or left, at a time of its own. */
export interface CostEntry {
  /** When it happened, in millionths of a second; of the same instant, the lower id came first. */
  us: number;
  id: string;
  /** What it adds to the stock, less than 0 for what it takes. */
  milli: number;
  /** For what comes in: its price. Null for none, which is unknown and never 0. */
  price: bigint | null;
}

export interface CostState {
  milli: number;
  /** Null while nothing is known of what it costs. */
  average: bigint | null;
}

/** What the average is from an entry on. */
export interface Step extends CostState {
  us: number;
  id: string;
  /** As it was before the entry. */
  before: CostState;
}

/** What one entry brought in or took out was worth. */
export interface Use<E extends CostEntry = CostEntry> {
  entry: E;
  /** In the units of a value, of the entry's quantity without its sign. Null while nothing is known of it. */
  value: bigint | null;
  /** How much of it was taken before it was there: what comes in next says what it cost. */
  owedMilli: number;
}

export interface Replay<E extends CostEntry = CostEntry> {
  state: CostState;
  /** One for each entry that came in at a price, which alone change the average. */
  steps: Step[];
  uses: Use<E>[];
}

/** A price as it is written, in pesos. What is not above 0 is none: nothing is known of it. */
export function priceOf(pesos: number | null): bigint | null {
  if (pesos === null || !(pesos > 0)) return null;
  // toFixed rounds once; a multiplication would round twice.
  const price = BigInt(pesos.toFixed(6).replace(".", "")) * (priceUnit / 1_000_000n);
  return price > 0n ? price : null;
}

/** A price in pesos as a decimal text, and back; and a value. */
export function priceText(price: bigint): string {
  return decimalText(price, priceDecimals);
}

export function valueText(value: bigint): string {
  return decimalText(value, priceDecimals + 3);
}

function decimalText(scaled: bigint, decimals: number): string {
  const digits = String(scaled).padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

export function priceFromText(text: string): bigint {
  const [whole = "0", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.slice(0, priceDecimals).padEnd(priceDecimals, "0"));
}

/** To four decimals, as costs are published. */
export function pricePublished(price: bigint): number {
  return Number(divideHalfEven(price, priceUnit / 10_000n)) / 10_000;
}

/** The average after goods came in at a price. What is not there cannot weigh: on a stock of 0 or less the price is the average. */
export function averageAfter({ milli, average }: CostState, cameIn: number, price: bigint): bigint {
  if (average === null || milli <= 0) return price;
  const value = BigInt(milli) * average + BigInt(cameIn) * price;
  return divideHalfEven(value, BigInt(milli) + BigInt(cameIn));
}

export function inOrder(a: Pick<CostEntry, "us" | "id">, b: Pick<CostEntry, "us" | "id">): number {
  return a.us - b.us || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/**
 * Goes through entries, in any order, along their own time. `start` is what came before them, with nothing owed and of a known price, or
 * nothing at all.
 */
export function replay<E extends CostEntry>(start: CostState, entries: readonly E[]): Replay<E> {
  const book: Book<E> = { state: { ...start }, steps: [], uses: [], owed: [], unknown: [] };
  for (const entry of entries.toSorted(inOrder)) {
    if (entry.milli < 0) takeOut(book, entry);
    else if (entry.milli > 0) bringIn(book, entry);
  }
  const { state, steps, uses } = book;
  return { state, steps, uses };
}

interface Book<E extends CostEntry> extends Replay<E> {
  /** Taken before they were there, the first taken first. */
  owed: Use<E>[];
  /** Of which no price is known yet. */
  unknown: Use<E>[];
}

function takeOut<E extends CostEntry>(book: Book<E>, entry: E): void {
  const { state } = book;
  const taken = -entry.milli;
  const owedMilli = Math.min(taken, Math.max(0, taken - state.milli));
  const use = { entry, value: valueAt(taken, state.average), owedMilli };
  book.uses.push(use);
  if (use.value === null) book.unknown.push(use);
  if (owedMilli > 0) book.owed.push(use);
  state.milli += entry.milli;
}

function bringIn<E extends CostEntry>(book: Book<E>, entry: E): void {
  const { state } = book;
  const { milli, price } = entry;
  const before = { ...state };
  if (price !== null) {
    for (const use of book.unknown) use.value = valueAt(Math.abs(use.entry.milli), price);
    // What is owed is worth the average as long as it is, whoever it is owed to.
    if (state.average !== null)
      for (const use of book.owed) use.value = (use.value ?? 0n) + BigInt(use.owedMilli) * (price - state.average);
    book.unknown = [];
    state.average = averageAfter(state, milli, price);
  }
  const use = { entry, value: valueAt(milli, price ?? state.average), owedMilli: 0 };
  book.uses.push(use);
  if (use.value === null) book.unknown.push(use);
  settle(book, milli);
  state.milli += milli;
  if (price !== null) book.steps.push({ us: entry.us, id: entry.id, ...state, before });
}

/** What comes in is given first to what was owed first. */
function settle({ owed }: Pick<Book<CostEntry>, "owed">, cameIn: number): void {
  let left = cameIn;
  while (left > 0 && owed[0]) {
    const [use] = owed;
    const given = Math.min(left, use.owedMilli);
    use.owedMilli -= given;
    left -= given;
    if (use.owedMilli === 0) owed.shift();
  }
}

function valueAt(milli: number, average: bigint | null): bigint | null {
  return average === null ? null : BigInt(milli) * average;
}
