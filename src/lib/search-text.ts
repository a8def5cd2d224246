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

/** The LIKE pattern that finds `q` in a `search` column. */
export function searchPattern(q: string): string {
  return `%${foldText(q).replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

/**
 * The keys a record is found by: every pair and every triple of neighbouring characters, together with the account, as
 * 32 bits. Two that fall together cost a look at a record more; `search` has the last word.
 */
export function searchKeys(accountId: string, text: string): number[] {
  const seed = accountSeed(accountId);
  const keys = new Set<number>();
  for (const codes of text.split(fence).map(codesOf)) {
    for (const size of [2, 3]) {
      for (let i = 0; i + size <= codes.length; i++) keys.add(hash(seed, codes, i, size));
    }
  }
  return [...keys].sort((a, b) => a - b);
}

const mostQueryKeys = 8;

/**
 * Keys that every record has whose text holds `folded`: its triples side by side, or its one pair; none for a single
 * character. Overlapping triples, or more of them, find hardly less and each costs a look-up per candidate.
 */
export function queryKeys(accountId: string, folded: string): number[] {
  const codes = codesOf(folded);
  const size = Math.min(3, codes.length);
  if (size < 2) return [];
  const seed = accountSeed(accountId);
  const step = Math.max(size, Math.ceil(codes.length / mostQueryKeys));
  const keys = new Set<number>();
  for (let i = 0; i + size <= codes.length; i += step) keys.add(hash(seed, codes, i, size));
  keys.add(hash(seed, codes, codes.length - size, size));
  return [...keys];
}

/** As many as a number holds exactly, in JavaScript and in JSON. */
const bitCount = 52;

/**
 * One of 52 bits for each pair of neighbouring characters. A text that holds another has all of its bits, which is told
 * from an index entry without looking at the record.
 */
export function searchBits(text: string): number {
  const bits = new Set<number>();
  for (const codes of text.split(fence).map(codesOf)) {
    for (let i = 0; i + 2 <= codes.length; i++) bits.add((hash(bitSeed, codes, i, 2) >>> 0) % bitCount);
  }
  let sum = 0;
  for (const bit of bits) sum += 2 ** bit;
  return sum;
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
