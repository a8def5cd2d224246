/** Lower case, without accents, single spaces: the form in which `q` and what it searches are compared. */
export function foldText(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

// A control character cannot occur in folded text, so it fences the fields that a query must not run across.
const fence = "\u0001";

/** What a record's `search` column holds: its folded fields. */
export function searchText(fields: readonly (string | null | undefined)[]): string {
  return fields
    .map((field) => foldText(field ?? ""))
    .filter((folded) => folded !== "")
    .join(fence);
}

/** The LIKE pattern that finds what holds a folded text. */
export function searchPattern(folded: string): string {
  return `%${folded.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

/**
 * The runs of neighbouring characters that are keys: every two and every three. In numbers all of these are common, and so
 * are those of names: five digits in a row are a key too, and the two letters on each side of a space.
 */
function* runsOf(codes: readonly number[]): Generator<[start: number, size: number]> {
  let digits = 0;
  for (let end = 1; end <= codes.length; end++) {
    if (end >= 2) yield [end - 2, 2];
    if (end >= 3) yield [end - 3, 3];
    digits = isDigit(codes[end - 1]!) ? digits + 1 : 0;
    if (digits >= longRun || (end >= longRun && codes[end - 3] === space)) yield [end - longRun, longRun];
  }
}

const longRun = 5;
const space = 0x20;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/**
 * The keys a record is found by: each of its runs together with the account, as 32 bits. Two that fall together cost a
 * look at a record more; `search` has the last word.
 */
export function searchKeys(accountId: string, text: string): number[] {
  const seed = accountSeed(accountId);
  const keys = new Set<number>();
  for (const codes of text.split(fence).map(codesOf)) {
    for (const [start, size] of runsOf(codes)) keys.add(hash(seed, codes, start, size));
  }
  return [...keys].sort((a, b) => a - b);
}

const mostQueryRuns = 8;

/** Runs that say nearly all that a query says, the long ones first. None for a single character. */
export function queryRuns(folded: string): string[] {
  const numbers = folded.match(/[0-9]{5,}/g) ?? [];
  const words = folded.split(/[0-9]{5,}/);
  const runs = [
    ...numbers.flatMap((number) => sideBySide(number, longRun)),
    ...Array.from(folded.matchAll(/(?<=(..)) (?=(..))/gu), ([, before, after]) => `${before} ${after}`),
    ...words.flatMap((word) => sideBySide(word, 3)),
  ];
  if (runs.length === 0) runs.push(...sideBySide(folded, 2));
  return [...new Set(runs)].slice(0, mostQueryRuns);
}

/** The runs of one size that a text is laid out with, and its last one. */
function sideBySide(text: string, size: number): string[] {
  const characters = [...text];
  const last = characters.length - size;
  if (last < 0) return [];
  const starts = Array.from({ length: Math.ceil(last / size) }, (_, i) => i * size);
  return [...starts, last].map((start) => characters.slice(start, start + size).join(""));
}

/** The keys of some runs: every record has them whose text holds the runs. */
export function runKeys(accountId: string, runs: readonly string[]): number[] {
  const seed = accountSeed(accountId);
  return runs.map(codesOf).map((codes) => hash(seed, codes, 0, codes.length));
}

const bitCount = 128;

/**
 * One of 128 bits for each pair of neighbouring characters, as PostgreSQL writes them. A text that holds another has all of
 * its bits, which is told from an index entry without looking at the record.
 */
export function searchBits(text: string): string {
  const bits = new Array<string>(bitCount).fill("0");
  for (const codes of text.split(fence).map(codesOf)) {
    for (let i = 0; i + 2 <= codes.length; i++) bits[(hash(bitSeed, codes, i, 2) >>> 0) % bitCount] = "1";
  }
  return bits.join("");
}

function codesOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0)!);
}

/** The random end of an account's UUID. */
function accountSeed(accountId: string): number {
  return Number.parseInt(accountId.slice(-8), 16) | 0;
}

const bitSeed = 0x811c9dc5 | 0;

/** FNV-1a over code points. What it gives is stored: a change of it needs a migration that fills the columns anew. */
function hash(seed: number, codes: readonly number[], from: number, size: number): number {
  let value = seed;
  for (let i = from; i < from + size; i++) value = Math.imul(value ^ codes[i]!, 0x01000193);
  return value;
}
