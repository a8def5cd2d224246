/** Exact arithmetic on pesos: prices are whole, percentages have decimals, and neither is left to floating point. */

const percentScale = 1_000_000n;

/** Integer division that rounds half to even, as NTC 3711 requires. For dividend ≥ 0 and divisor > 0. */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twiceTheRest = (dividend % divisor) * 2n;
  if (twiceTheRest === divisor) return quotient + (quotient % 2n);
  return twiceTheRest > divisor ? quotient + 1n : quotient;
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
