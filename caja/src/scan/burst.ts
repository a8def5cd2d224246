/** Where a key went: scanners type into whatever has the focus. */
export type Place = "nowhere" | "text" | "number";

export interface TypedKey {
  key: string;
  /** By the event's own clock, however late it is handled. */
  at: number;
}

export type Ending = "enter" | "tab" | "silence";

/** A wired scanner: nobody types four keys in a row this fast. */
const fastGapMs = 50;
const fastLength = 4;
/** A slow one, by Bluetooth, is told by its steady rhythm. */
const slowGapMs = 200;
const slowLength = 8;
const slowLengthNowhere = 4;
/** The standard deviation of its gaps, as a part of their mean. A person's is larger. */
const steadiness = 0.3;
/** No sum of money and no document has as many digits as a product's code. */
const codeDigits = 12;

/** No key for this long, and a code without an ending is over. */
export function silenceAfter(keys: readonly TypedKey[]): number {
  return isFast(keys) ? 120 : 2 * slowGapMs;
}

/** A key this long after the one before begins anew. */
export function beginsAnew(keys: readonly TypedKey[], at: number): boolean {
  const last = keys.at(-1);
  return last === undefined || at - last.at > slowGapMs || at < last.at;
}

/** Whether a person could not have typed these keys, although nothing has ended yet. */
export function isFast(keys: readonly TypedKey[]): boolean {
  return fastTail(keys).length >= fastLength;
}

/**
 * The keys at the end that a scanner typed; none if a person did. A code that the shop knows is believed sooner: a person
 * types a customer's document steadily too.
 */
export function scannedTail(
  keys: readonly TypedKey[],
  { place, ending, isKnown }: { place: Place; ending: Ending; isKnown: (code: string) => boolean },
): TypedKey[] {
  const fast = fastTail(keys);
  if (fast.length >= fastLength) return fast;
  const code = textOf(keys);
  // A wireless one that was asleep stumbles. Where nothing can be typed no person types so many digits and ends them.
  if (place === "nowhere" && ending !== "silence" && keys.length >= slowLength && /^\d+$/.test(code)) return [...keys];
  if (!isSteady(keys)) return [];
  const isBelieved =
    place === "nowhere"
      ? /\d/.test(code) && keys.length >= (ending === "silence" ? slowLength : slowLengthNowhere)
      : keys.length >= slowLength && (isKnown(code) || new RegExp(`^\\d{${codeDigits},}$`).test(code));
  return isBelieved ? [...keys] : [];
}

export function textOf(keys: readonly TypedKey[]): string {
  return keys.map(({ key }) => key).join("");
}

function fastTail(keys: readonly TypedKey[]): TypedKey[] {
  let from = keys.length - 1;
  while (from > 0 && keys[from]!.at - keys[from - 1]!.at <= fastGapMs) from--;
  return keys.slice(Math.max(0, from));
}

function isSteady(keys: readonly TypedKey[]): boolean {
  const gaps = keys.slice(1).map(({ at }, i) => at - keys[i]!.at);
  if (gaps.length === 0 || gaps.some((gap) => gap > slowGapMs)) return false;
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
  return Math.sqrt(variance) <= steadiness * mean;
}
