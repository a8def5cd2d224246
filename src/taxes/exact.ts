import { divideHalfEven } from "../lib/money.ts";

// Exact decimals as scaled BigInts, without floating point operations: a number is read by its shortest decimal text,
// which is what the register typed and what JSON carries.

export type DecimalProblem = "unreadable" | "negative" | "too_precise" | "too_large";

/** 16 digits before the point hold every safe integer; the limit also keeps hostile text from becoming a huge BigInt. */
const decimalText = /^(\d{1,16})(?:\.(\d+))?$/;

const powersOfTen: bigint[] = [];

function tenTo(exponent: number): bigint {
  powersOfTen[exponent] ??= 10n ** BigInt(exponent);
  return powersOfTen[exponent];
}

/** The value times 10^decimals, or why it cannot be exact. "1.735" with 6 decimals is 1735000n. */
export function toScaled(value: unknown, decimals: number): bigint | DecimalProblem {
  if (typeof value !== "number" && typeof value !== "string") return "unreadable";
  // Most are whole, and need no text.
  if (Number.isSafeInteger(value) && (value as number) >= 0) return BigInt(value) * tenTo(decimals);
  const text = String(value);
  const match = decimalText.exec(text);
  if (!match) return whyUnreadable(text);
  const [, whole = "", fraction = ""] = match;
  if (fraction.length > decimals) return "too_precise";
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

function whyUnreadable(text: string): DecimalProblem {
  if (/^-[\d.]/.test(text)) return "negative";
  // JavaScript writes numbers from 1e21 and below 1e-6 with an exponent.
  if (/^[\d.]+e-\d+$/.test(text)) return "too_precise";
  if (/^[\d.]+e\+\d+$/.test(text) || /^\d{17,}(\.\d+)?$/.test(text)) return "too_large";
  return "unreadable";
}

/**
 * Rounds the fractions numerator/divisor together (largest remainder method): their sum is rounded once, each gets its
 * whole part, and the remaining pesos go to the largest remainders, the earlier one on a tie. No share is a peso or more
 * away from its fraction. `takePeso` may refuse an index that must not be rounded up.
 */
export function shareOut(
  numerators: readonly bigint[],
  divisor: bigint,
  takePeso: (index: number) => boolean = () => true,
): bigint[] {
  const shares = numerators.map((numerator) => numerator / divisor);
  let left = divideHalfEven(sum(numerators), divisor) - sum(shares);
  for (const index of byLargestRemainder(numerators, divisor)) {
    if (left === 0n) break;
    if (!takePeso(index)) continue;
    shares[index]! += 1n;
    left -= 1n;
  }
  return shares;
}

/** Indexes of the fractions that are not whole, the largest remainder first. The sort is stable, so ties keep their order. */
function byLargestRemainder(numerators: readonly bigint[], divisor: bigint): number[] {
  return numerators
    .map((numerator, index) => ({ index, remainder: numerator % divisor }))
    .filter(({ remainder }) => remainder > 0n)
    .sort((a, b) => (a.remainder === b.remainder ? 0 : a.remainder < b.remainder ? 1 : -1))
    .map(({ index }) => index);
}

export function sum(values: Iterable<bigint>): bigint {
  let total = 0n;
  for (const value of values) total += value;
  return total;
}
