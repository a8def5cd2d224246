import { type DecimalProblem, toScaled } from "./exact.ts";
import { FiscalError } from "./fiscal-error.ts";

/** Quantities and rates are integers in millionths: 1.735 kg is 1735000n, a rate of 19 % is 190000n. */
export const million = 1_000_000n;
export const hundredPercent = million;

const largestPesos = BigInt(Number.MAX_SAFE_INTEGER);
/** A double keeps 15 significant digits: with 6 decimals, 9 are left before the point. */
const largestQuantity = 999_999_999_999_999n;

export function readQuantity(value: number | string, field: string): bigint {
  return readDecimal(value, 6, field, largestQuantity);
}

/** A percentage from 0 to 100, with at most 4 decimals. */
export function readRate(value: number, field: string): bigint {
  return readDecimal(value, 4, field, hundredPercent);
}

export function readPesos(value: number, field: string): bigint {
  return readDecimal(value, 0, field, largestPesos);
}

/** Converts to a number, if that is exact. */
export function toPesos(value: bigint, field: string): number {
  if (value > largestPesos) throw new FiscalError("too_large", field, problemTexts.too_large);
  return Number(value);
}

const problemTexts: Record<DecimalProblem, string> = {
  unreadable: "no es un número",
  negative: "no puede ser negativo",
  too_precise: "tiene más decimales de los admitidos",
  too_large: "es demasiado grande",
};

function readDecimal(value: number | string, decimals: number, field: string, largest: bigint): bigint {
  const scaled = toScaled(value, decimals);
  const read = typeof scaled === "bigint" && scaled > largest ? "too_large" : scaled;
  if (typeof read === "string") throw new FiscalError(read, field, problemTexts[read]);
  return read;
}
