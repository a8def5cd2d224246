import { must } from "../../lib/must.ts";
/** A seeded random generator: the same seed gives the same shop. */
export interface Chance {
  /** An integer from least to most, both included. */
  between(least: number, most: number): number;
  pick<T>(items: readonly T[]): T;
  /** True with this probability. */
  happens(share: number): boolean;
}

export function chance(seed: number): Chance {
  let state = seed >>> 0;
  // mulberry32: small, and good enough for invented data.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    pick: (items) => must(items[Math.floor(next() * items.length)], "One is picked from a list that has some"),
    happens: (share) => next() < share,
  };
}
