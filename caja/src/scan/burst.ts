/** Where a key went: scanners type into whatever has the focus. */
export type Place = "nowhere" | "text" | "number";

/** What a field for numbers is for. */
export type Meaning = "money" | "price" | "quantity" | "days" | "number";

export interface TypedKey {
  key: string;
  /** By the event's own clock, however late it is handled. */
  at: number;
}

export type Ending = "enter" | "tab" | "silence";

/** A wired scanner: nobody types four keys in a row this fast. */
const fastGapMs = 50;
const fastLength = 4;
/** A radio passes keys on unevenly, and a busy device holds some of them up: these paces are still nobody's. */
const hurried = [
  { length: 4, meanMs: 65, longestMs: 80 },
  { length: 6, meanMs: 80, longestMs: 120 },
  { length: 8, meanMs: 80, longestMs: 200 },
];
/** With letters in it only this one: words come quicker to a hand than numbers. */
const hurriedText = { length: 6, meanMs: 60, longestMs: 80 };
/** A scanner that was asleep takes this long after its first key. */
const wakingMs = 120;
/** Two keys this close are one finger between them, three are a scanner's: so short a code is believed if the shop knows it. */
const short = { length: 3, gapMs: 30 };
/** Quicker than this on average a slow scanner types too; what is typed slower is never doubted. How many come quicker to a hand than a sum. */
const handMs = { money: 150, price: 150, quantity: 120, days: 150, number: 120 } as const satisfies Record<
  Meaning,
  number
>;
/** The shortest code that is printed on goods. */
const wholeLength = 8;
/** A slow one, by Bluetooth, is told by its steady rhythm. */
const slowGapMs = 200;
const slowLength = 8;
const slowLengthNowhere = 4;
/** The standard deviation of its gaps, as a part of their mean. A person's is larger. */
const steadiness = 0.4;
/** No sum of money and no document has as many digits as a product's code. */
const codeDigits = 12;

/** No key for this long, and a code without an ending is over. */
export function silenceAfter(keys: readonly TypedKey[]): number {
  return isFast(keys) ? slowGapMs + 50 : 2 * slowGapMs;
}

/** A key this long after the one before begins anew. */
export function beginsAnew(keys: readonly TypedKey[], at: number): boolean {
  const last = keys.at(-1);
  return last === undefined || at - last.at > slowGapMs || at < last.at;
}

/** Whether a person could not have typed these keys, although nothing has ended yet. */
export function isFast(keys: readonly TypedKey[]): boolean {
  return fastTail(keys).length > 0;
}

/** A scanner that pauses inside a code goes on within this time. */
const cutOffMs = 600;

/**
 * Whether digits that no field took are the beginning of the code that comes now: nobody types two of them this quickly at nothing, and
 * without them the rest might be another product's code.
 */
export function isCutOff(keys: readonly TypedKey[], at: number): boolean {
  const last = keys.at(-1);
  return (
    last !== undefined &&
    keys.length > 1 &&
    at - last.at <= cutOffMs &&
    /^\d+$/.test(textOf(keys)) &&
    gapsOf(keys).every((gap) => gap <= fastGapMs)
  );
}

/** Whether these keys are no act of a person's on the button that has the focus: their Enter must not press it. */
export function isTypedAtNothing(keys: readonly TypedKey[]): boolean {
  return keys.length > 1 && /\d/.test(textOf(keys));
}

/**
 * The keys at the end that a scanner typed; none if a person did. A code that the shop knows is believed sooner: a person
 * types a customer's document steadily too. No key of what is one code is left out, or its rest might be another product's.
 */
export function scannedTail(
  keys: readonly TypedKey[],
  { place, ending, isKnown }: { place: Place; ending: Ending; isKnown: (code: string) => boolean },
): TypedKey[] {
  const fast = fastTail(keys);
  if (fast.length > 0) return [...fast];
  const code = textOf(keys);
  if (isShort(keys) && isKnown(code)) return [...keys];
  const isLong = new RegExp(`^\\d{${codeDigits},}$`).test(code);
  const isBelieved = {
    // Nobody types a number at a button, however unevenly it comes.
    nowhere: () =>
      /\d/.test(code) &&
      (keys.length >= (ending === "silence" ? slowLength : slowLengthNowhere) ||
        (ending !== "silence" && keys.length === short.length && isKnown(code))),
    number: () => keys.length >= slowLength && (isLong || isKnown(code)),
    text: () => keys.length >= slowLength && isSteady(keys) && (isLong || isKnown(code)),
  }[place];
  return isBelieved() ? [...keys] : [];
}

/** Whether a slow scanner or a hand may have typed this number: a code that the shop knows, too short to be told from a sum. */
export function isDoubtful(keys: readonly TypedKey[], meaning: Meaning, isKnown: (code: string) => boolean): boolean {
  const code = textOf(keys);
  return keys.length >= short.length && /^\d+$/.test(code) && meanOf(gapsOf(keys)) < handMs[meaning] && isKnown(code);
}

export function textOf(keys: readonly TypedKey[]): string {
  return keys.map(({ key }) => key).join("");
}

/** The keys at the end that came faster than anybody types, with those before them that are of the same code. */
function fastTail(keys: readonly TypedKey[]): readonly TypedKey[] {
  if (isTypedBefore(keys)) return keys.slice(1);
  if (isHurried(keys)) return keys;
  let from = runBefore(keys, keys.length - 1);
  let longest = keys.length - from;
  while (from > 0) {
    const before = runBefore(keys, from - 1);
    const pauseMs = keys[from]!.at - keys[from - 1]!.at;
    const isWaking = before === 0 && from === 1 && pauseMs <= wakingMs;
    // What a person typed just before has pauses of its own.
    if (from - before < 2 && !isWaking) break;
    longest = Math.max(longest, from - before);
    from = before;
  }
  return longest >= fastLength ? keys.slice(from) : [];
}

/** Where the keys begin that came fast up to this one. */
function runBefore(keys: readonly TypedKey[], last: number): number {
  let from = last;
  while (from > 0 && keys[from]!.at - keys[from - 1]!.at <= fastGapMs) from--;
  return Math.max(0, from);
}

/** A digit that a person typed just before a whole code of a wired scanner: one that wakes up is quicker, and one by radio uneven. */
function isTypedBefore(keys: readonly TypedKey[]): boolean {
  const [first, second] = keys;
  if (!first || !second || keys.length <= wholeLength || second.at - first.at <= wakingMs) return false;
  return runBefore(keys, keys.length - 1) === 1;
}

function isHurried(keys: readonly TypedKey[]): boolean {
  const code = textOf(keys);
  const paces = /^\d+$/.test(code) ? hurried : /\d/.test(code) ? [hurriedText] : [];
  const gaps = gapsOf(keys);
  return paces.some(
    ({ length, meanMs, longestMs }) =>
      keys.length >= length && meanOf(gaps) <= meanMs && gaps.every((gap) => gap <= longestMs),
  );
}

/** All that was typed, and not a key for 000 alone. */
function isShort(keys: readonly TypedKey[]): boolean {
  return keys.length === short.length && !/^0+$/.test(textOf(keys)) && gapsOf(keys).every((gap) => gap <= short.gapMs);
}

function isSteady(keys: readonly TypedKey[]): boolean {
  const gaps = gapsOf(keys);
  if (gaps.length === 0) return false;
  const mean = meanOf(gaps);
  const variance = meanOf(gaps.map((gap) => (gap - mean) ** 2));
  return Math.sqrt(variance) <= steadiness * mean;
}

function gapsOf(keys: readonly TypedKey[]): number[] {
  return keys.slice(1).map(({ at }, i) => at - keys[i]!.at);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
