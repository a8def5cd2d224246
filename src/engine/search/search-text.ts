/** Lower case, no accents, single spaces. `q` and the searched fields are compared in this form. */
export function foldText(text: string): string {
  // Nearly every text. Each of these letters folds by itself, and every write of a record comes here.
  if (/^[!-~\u00a1-\u017f]+(?: [!-~\u00a1-\u017f]+)*$/.test(text))
    return text.replace(/[\u00c0-\u017f]/g, (letter) => latin[letter.charCodeAt(0)]!).toLowerCase();
  return foldLetters(text)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

function foldLetters(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
}

const latin = Array.from({ length: 0x180 }, (_, code) => foldLetters(String.fromCharCode(code)));

// Folded text has no control characters, so one can separate the fields: no match spans two of them.
const separatorCode = 1;
const separator = String.fromCharCode(separatorCode);

/** The value of a record's `search` column: its folded fields. */
export function searchText(fields: readonly (string | null | undefined)[]): string {
  return fields
    .map((field) => foldText(field ?? ""))
    .filter((folded) => folded !== "")
    .join(separator);
}

/** The LIKE pattern for texts that contain a folded text. */
export function searchPattern(folded: string): string {
  return `%${folded.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

const longSize = 5;
const space = 0x20;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isNumber(codes: readonly number[], from: number): boolean {
  for (let i = from; i < from + longSize; i++) if (!isDigit(codes[i]!)) return false;
  return true;
}

/**
 * The keys a record is found by: n-grams hashed with the account to 32 bits. A collision only costs one more record to
 * check, because the `search` column decides. Every pair and every triple of characters is a key; both are common in numbers
 * and names, so five digits in a row are one too, and so are the two letters on each side of a space.
 */
export function searchKeys(accountId: string, text: string): number[] {
  const seed = accountSeed(accountId);
  const codes = codesOf(text);
  // At most three keys begin at each character. Sorting repeated ones next to each other is faster than a Set.
  const keys = 3 * codes.length <= keyScratch.length ? keyScratch : new Int32Array(3 * codes.length);
  let count = 0;
  eachField(codes, (from, to) => {
    for (let at = from; at + 2 <= to; at++) {
      const pair = hash(seed, codes, at, 2);
      keys[count++] = pair;
      if (at + 3 > to) continue;
      const triple = hash(pair, codes, at + 2, 1);
      keys[count++] = triple;
      if (at + longSize <= to && (codes[at + 2] === space || isNumber(codes, at)))
        keys[count++] = hash(triple, codes, at + 3, longSize - 3);
    }
  });
  const sorted = keys.subarray(0, count).sort();
  const distinct: number[] = [];
  for (let i = 0; i < count; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) distinct.push(sorted[i]!);
  return distinct;
}

/** A typed array takes longer to make than to fill. */
const keyScratch = new Int32Array(4096);

const maxQueryNgrams = 8;

/** N-grams that cover nearly all of a query, the long ones first. None for a single character. */
export function queryNgrams(folded: string): string[] {
  const numbers = folded.match(/[0-9]{5,}/g) ?? [];
  const words = folded.split(/[0-9]{5,}/);
  const ngrams = [
    ...numbers.flatMap((number) => split(number, longSize)),
    ...Array.from(folded.matchAll(/(?<=(..)) (?=(..))/gu), ([, before, after]) => `${before} ${after}`),
    ...words.flatMap((word) => split(word, 3)),
  ];
  if (ngrams.length === 0) ngrams.push(...split(folded, 2));
  return [...new Set(ngrams)].slice(0, maxQueryNgrams);
}

/** Splits a text into adjacent n-grams of one size; the last one may overlap the one before it. */
function split(text: string, size: number): string[] {
  const characters = [...text];
  const last = characters.length - size;
  if (last < 0) return [];
  const starts = Array.from({ length: Math.ceil(last / size) }, (_, i) => i * size);
  return [...starts, last].map((start) => characters.slice(start, start + size).join(""));
}

/** The keys of some n-grams. Every record whose text contains the n-grams has these keys. */
export function ngramKeys(accountId: string, ngrams: readonly string[]): number[] {
  const seed = accountSeed(accountId);
  return ngrams.map(codesOf).map((codes) => hash(seed, codes, 0, codes.length));
}

const bitCount = 128;
const one = 0x31;

/**
 * A signature of 128 bits in PostgreSQL's notation: each pair of adjacent characters sets one. A text that contains another
 * has all of its bits, so an index entry can rule a record out without reading it.
 */
export function searchBits(text: string): string {
  const bytes = Buffer.alloc(bitCount, "0");
  const codes = codesOf(text);
  eachField(codes, (from, to) => {
    for (let at = from; at + 2 <= to; at++) bytes[(hash(bitSeed, codes, at, 2) >>> 0) % bitCount] = one;
  });
  return bytes.toString("latin1");
}

/** The text's code points. Every write of a record comes here, and an iterator over the text takes three times as long. */
function codesOf(text: string): number[] {
  const codes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i)!;
    codes.push(code);
    if (code > 0xffff) i++;
  }
  return codes;
}

/** Calls back with the bounds of each field. */
function eachField(codes: readonly number[], visit: (from: number, to: number) => void): void {
  for (let from = 0; from < codes.length; ) {
    const next = codes.indexOf(separatorCode, from);
    const to = next < 0 ? codes.length : next;
    visit(from, to);
    from = to + 1;
  }
}

/** The last, random part of an account's UUID. */
function accountSeed(accountId: string): number {
  return Number.parseInt(accountId.slice(-8), 16) | 0;
}

const bitSeed = 0x811c9dc5 | 0;

/**
 * FNV-1a over code points. With the hash of other code points as its seed, it is the hash of both. The results are stored:
 * changing it needs a migration that refills the columns.
 */
function hash(seed: number, codes: readonly number[], from: number, size: number): number {
  let value = seed;
  for (let i = from; i < from + size; i++) value = Math.imul(value ^ codes[i]!, 0x01000193);
  return value;
}
