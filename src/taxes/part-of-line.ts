import { divideHalfEven } from "../lib/money.ts";
import { sum } from "./exact.ts";

const micro = 1_000_000n;

/** What a line is worth in all, or what was taken back of it: the value before percentage taxes, and each tax. */
export interface LineParts {
  /** Before taxes and after the discount. */
  base: bigint;
  /** The amounts of the percentage taxes, in the line's order. */
  taxes: bigint[];
}

/**
 * What a line's next return takes back, when it brings the returned quantity to `quantity` of `of`. The returned value is
 * the proportional one, rounded half to even over all returns so far; so is each tax, as far as no part exceeds what
 * is left of it. So several returns of a line always sum up to the line, to the peso, and no part is ever negative.
 *
 * `drift` says by how much each tax of the lines before it, in the same note, is too high; this one makes up for it.
 * Otherwise the pesos that each line is rounded by could add up to more than the authority allows a note.
 */
export function nextPart(
  whole: LineParts,
  returned: LineParts,
  quantity: bigint,
  of: bigint,
  drift: readonly bigint[] = [],
): LineParts {
  if (quantity === of) return difference(whole, returned);
  const share = (value: bigint, excess = 0n) => divideHalfEven(value * quantity * micro - excess * of, of * micro);
  const target = share(netOf(whole));
  const wholes = [...whole.taxes, whole.base];
  const before = [...returned.taxes, returned.base];
  const after: bigint[] = [];
  wholes.forEach((most, i) => {
    const taken = sum(after);
    const atMost = min(most, target - taken - sum(before.slice(i + 1)));
    const atLeast = max(before[i]!, target - taken - sum(wholes.slice(i + 1)));
    after.push(max(atLeast, min(atMost, share(most, drift[i]))));
  });
  return difference({ base: after.at(-1)!, taxes: after.slice(0, -1) }, returned);
}

/** By how much each tax of a part exceeds its share in the part's value, in millionths of a peso. */
export function driftOf(whole: LineParts, part: LineParts): bigint[] {
  const net = netOf(whole);
  return part.taxes.map((tax, i) => (net === 0n ? 0n : tax * micro - (whole.taxes[i]! * netOf(part) * micro) / net));
}

function difference(a: LineParts, b: LineParts): LineParts {
  return { base: a.base - b.base, taxes: a.taxes.map((tax, i) => tax - b.taxes[i]!) };
}

export function netOf({ base, taxes }: LineParts): bigint {
  return base + sum(taxes);
}

const min = (a: bigint, b: bigint) => (a < b ? a : b);
const max = (a: bigint, b: bigint) => (a > b ? a : b);
