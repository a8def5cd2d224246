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

/**
 * The keys a record is found by: n-grams hashed with the account to 32 bits. A collision only costs one more record to
 * check, because the `search` column decides. Every triple of characters is a key; triples are common in numbers and names, so
 * five digits in a row are one too, and so are the two letters on each side of a space. A pair is a key only where its lookup
 * would find no triple that it begins: see `pairKeys`.
 */
export function searchKeys(accountId: string, text: string): number[] {
  const seed = accountSeed(accountId);
  const { codes, count } = readCodes(text);
  const keys = new DistinctNumbers(2 * count);
  for (let at = 0; at + 2 <= count; at++) {
    const [first, second, third] = [codes[at]!, codes[at + 1]!, codes[at + 2]!];
    if (first === separatorCode || second === separatorCode) continue;
    const pair = mix(mix(seed, first), second);
    if (!isFollower(third)) keys.add(pair);
    if (third === separatorCode) continue;
    const triple = mix(pair, third);
    keys.add(triple);
    if (isLong(codes, at)) keys.add(mix(mix(triple, codes[at + 3]!), codes[at + 4]!));
  }
  return keys.all;
}

function isLong(codes: Int32Array, from: number): boolean {
  if (codes[from + 2] === space) return codes[from + 3] !== separatorCode && codes[from + 4] !== separatorCode;
  for (let i = from; i < from + longSize; i++) if (!isDigit(codes[i]!)) return false;
  return true;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Keeps each number once, and faster than a Set. */
class DistinctNumbers {
  readonly all: number[] = [];
  /** Where in `all` the number of a slot is, from 1; 0 is free. At most half are taken. */
  readonly #slots: Int32Array;

  constructor(max: number) {
    let size = slotScratch.length;
    while (size < 2 * max) size *= 2;
    this.#slots = size === slotScratch.length ? slotScratch.fill(0) : new Int32Array(size);
  }

  add(number: number): void {
    const slots = this.#slots;
    let at = number & (slots.length - 1);
    for (; slots[at] !== 0; at = (at + 1) & (slots.length - 1)) if (this.all[slots[at]! - 1] === number) return;
    slots[at] = this.all.push(number);
  }
}

/** Typed arrays take longer to make than to fill, and every write of a record comes here. */
const slotScratch = new Int32Array(1024);
const codeScratch = new Int32Array(1024);

/** The text's code points and how many they are. Separators follow, as after every field. */
function readCodes(text: string): { codes: Int32Array; count: number } {
  const codes = text.length + longSize <= codeScratch.length ? codeScratch : new Int32Array(text.length + longSize);
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i)!;
    codes[count++] = code;
    if (code > 0xffff) i++;
  }
  codes.fill(separatorCode, count, count + longSize);
  return { codes, count };
}

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

/** How to look records up in the index of their keys. */
export interface KeyLookup {
  /** A record has all of the keys, or at least one of them. */
  operator: "@>" | "&&";
  keys: number[];
}

/** Finds every record whose text contains all of the n-grams. */
export function keyLookup(accountId: string, ngrams: readonly string[]): KeyLookup {
  const seed = accountSeed(accountId);
  const keys = ngrams.map((ngram) => hashOf(seed, ngram));
  return isPair(ngrams) ? { operator: "&&", keys: pairKeys(keys[0]!) } : { operator: "@>", keys };
}

/** Whether these are the n-grams of a query of two characters, which has no longer ones. */
export function isPair(ngrams: readonly string[]): boolean {
  return ngrams.length === 1 && [...ngrams[0]!].length === 2;
}

function hashOf(seed: number, text: string): number {
  let hash = seed;
  for (const character of text) hash = mix(hash, character.codePointAt(0)!);
  return hash;
}

/** The characters that follow nearly every pair in names, numbers and addresses. Stored records rely on them: none may be taken away. */
const followers = Array.from(" -.0123456789@_abcdefghijklmnopqrstuvwxyz", (character) => character.charCodeAt(0));
const isFollowerByCode = Array.from({ length: 0x80 }, (_, code) => followers.includes(code));

function isFollower(code: number): boolean {
  return code < isFollowerByCode.length && isFollowerByCode[code]!;
}

/**
 * A pair is looked up by the triples that it forms with each follower, so most pairs need no key of their own: that saves nearly
 * half of a record's keys. Where something else follows the pair, or nothing, its own key finds it.
 */
function pairKeys(pair: number): number[] {
  return [pair, ...followers.map((code) => mix(pair, code))];
}

const bitCount = 128;
const one = 0x31;

/**
 * A signature of 128 bits in PostgreSQL's notation: each pair of adjacent characters sets one. A text that contains another
 * has all of its bits, so an index entry can rule a record out without reading it.
 */
export function searchBits(text: string): string {
  const { codes, count } = readCodes(text);
  bitScratch.fill("0");
  for (let at = 0; at + 2 <= count; at++) {
    const [first, second] = [codes[at]!, codes[at + 1]!];
    if (first === separatorCode || second === separatorCode) continue;
    bitScratch[mix(mix(bitSeed, first), second) & (bitCount - 1)] = one;
  }
  return bitScratch.toString("latin1");
}

const bitScratch = Buffer.alloc(bitCount);

/** The last, random part of an account's UUID. */
function accountSeed(accountId: string): number {
  return Number.parseInt(accountId.slice(-8), 16) | 0;
}

const bitSeed = 0x811c9dc5 | 0;

/**
 * A step of FNV-1a: the hash of some code points and the next one give the hash of all of them. The results are stored: changing it
 * needs a migration that refills the columns.
 */
function mix(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}
