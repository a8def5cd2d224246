import { divideHalfEven } from "../../lib/money.ts";
import { toScaled } from "../../taxes/exact.ts";
import { FiscalError } from "../../taxes/fiscal-error.ts";
import { hundredPercent, million, readRate } from "../../taxes/read-values.ts";
import type { DocumentLine } from "../content/document-content.ts";

/** The authority accepts a difference of two pesos in a computed amount. */
export const toleranceCents = 200n;
/** Half of it: what is sent should not live on the edge of what is accepted. */
const comfortableCents = 100n;

/** Providers print prices with two decimals, whatever they are sent. */
export function fromCents(cents: bigint): string {
  return `${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`;
}

export function pesos(amount: number): string {
  return fromCents(BigInt(amount) * 100n);
}

export interface LinePrice {
  /** Of one unit, before taxes. */
  priceCents: bigint;
  /** Price × quantity less what the line is worth: the sale's discount, or what two decimals cannot express. */
  allowance: { amountCents: bigint; baseCents: bigint; reason: string } | undefined;
}

/**
 * The price of one unit before taxes. The authority multiplies it by the quantity, takes off the line's discounts and
 * compares the result with the line (rule FAV06). A line with a share of the sale's discount shows its list price and
 * the discount; any other shows its value divided by the quantity, and when two decimals miss it by too much (hundreds
 * of cheap units), the next higher price with the difference taken off.
 */
export function priceLine(line: DocumentLine): LinePrice {
  const quantity = quantityOf(line);
  const valueCents = BigInt(line.extension) * 100n;
  const timesQuantity = (cents: bigint) => divideHalfEven(cents * quantity, million);
  const less = (priceCents: bigint, reason: string): LinePrice => {
    const baseCents = timesQuantity(priceCents);
    const amountCents = baseCents - valueCents;
    return { priceCents, allowance: amountCents > 0n ? { amountCents, baseCents, reason } : undefined };
  };
  const above = divideUp(valueCents * million, quantity);
  if ((line.discount ?? 0) > 0) {
    const list = listPriceCents(line);
    return less(larger(list, above), "Descuento");
  }
  const nearest = divideHalfEven(valueCents * million, quantity);
  if (distance(timesQuantity(nearest), valueCents) <= comfortableCents)
    return { priceCents: nearest, allowance: undefined };
  return less(above, "Ajuste al peso");
}

/** In millionths. */
function quantityOf({ quantity }: DocumentLine): bigint {
  const scaled = toScaled(quantity, 6);
  if (typeof scaled === "bigint" && scaled > 0n) return scaled;
  throw new FiscalError("unreadable", "quantity", "la cantidad de una línea no es un número positivo");
}

/** The unit's price at the counter without its percentage taxes. */
function listPriceCents({ unit_price, taxes }: DocumentLine): bigint {
  const rates = taxes.reduce((total, { rate }) => total + (rate === null ? 0n : readRate(rate, "rate")), 0n);
  return divideHalfEven(BigInt(unit_price) * 100n * hundredPercent, hundredPercent + rates);
}

/** Math.max takes no bigint. */
export function larger(a: bigint, b: bigint): bigint {
  const isFirst = a > b;
  return isFirst ? a : b;
}

export function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a;
}

function divideUp(numerator: bigint, divisor: bigint): bigint {
  return (numerator + divisor - 1n) / divisor;
}
