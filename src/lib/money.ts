/** Exact arithmetic over pesos: a percentage has decimals, a price has none, and floating point is trusted with neither. */

const percentScale = 1_000_000n;

/** n / d rounded half to even, for n ≥ 0 and d > 0. */
export function divideHalfEven(n: bigint, d: bigint): bigint {
  const quotient = n / d;
  const twice = 2n * (n % d);
  return twice > d || (twice === d && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

/** A price less a percentage from 0 to 100. */
export function lessPercent(price: number, percent: number): number {
  const kept = 100n * percentScale - BigInt(Math.round(percent * Number(percentScale)));
  return Number(divideHalfEven(BigInt(price) * kept, 100n * percentScale));
}

/** The percentage by which `final` lies under `base`, to two decimals; 0 when it does not. */
export function percentBelow(base: number, final: number): number {
  return base > 0 && final < base ? Math.round(((base - final) / base) * 10_000) / 100 : 0;
}
