import { plainDigits } from "../taxes/document-number.ts";
import type { Person, PersonName } from "./person.ts";

/** What stands where something of a person stood. */
export const erased = "(dato borrado)";

/** Recognizes a person in texts, however her number or her name was written. */
export interface Traces {
  /** For `~*` in SQL: finds at least all texts that name her. Undefined if there is nothing to look for. */
  pattern: string | undefined;
  /** The same, of what a part of her name is enough for. */
  parts: string | undefined;
  /** The text without her. `isHers`: of a record that is about her, where a part of her name is enough. */
  clean(text: string, isHers?: boolean): string;
  /** The value of a JSON document without her, the same object if it does not name her. */
  cleanValue<T>(value: T, isHers?: boolean): T;
}

/** Who works at the counter; a cashier may be a customer too. */
const staffFields = new Set(["opened_by", "closed_by", "created_by", "cashier", "register_name"]);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const instant = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/;

/** A space, a point or a dash, as they are or as they stand in an address. */
const between = "(?:[^0-9A-Za-zÀ-ÿ]|%[0-9A-Fa-f]{2})";
/** A letter with an accent in an address takes two such codes. */
const accented = "%C3%[0-9A-Fa-f]{2}";
const variants: Record<string, string> = {
  a: "aáàäâã",
  e: "eéèëê",
  i: "iíìïî",
  o: "oóòöôõ",
  u: "uúùüû",
  n: "nñ",
  c: "cç",
};
const before = "(?<![0-9A-Za-zÀ-ÿ])";
const after = "(?![0-9A-Za-zÀ-ÿ])";

export function tracesOf({
  emails,
  phones,
  documents,
  names,
}: Pick<Person, "emails" | "phones" | "documents" | "names">): Traces {
  const exact = [...emails.map(mailPattern), ...phones.flatMap(phonePattern), ...documents.flatMap(documentPattern)];
  const whole = names.flatMap(namePattern);
  const patterns = [...exact, ...whole];
  const anywhere = expression(patterns);
  const withParts = [...patterns, ...names.flatMap(partsOf)];
  const parts = expression(withParts);

  function clean(text: string, isHers = false): string {
    const wanted = isHers ? parts : anywhere;
    if (!wanted || uuid.test(text) || instant.test(text)) return text;
    return text.replace(wanted, erased);
  }
  function cleanValue<T>(value: T, isHers = false): T {
    if (typeof value === "string") return clean(value, isHers) as T;
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const items = value.map((item) => cleanValue(item, isHers));
      return items.every((item, i) => item === value[i]) ? value : (items as T);
    }
    const entries = Object.entries(value).map(
      ([name, item]) => [name, staffFields.has(name) ? item : cleanValue(item, isHers)] as const,
    );
    const isSame = entries.every(([name, item]) => item === (value as Record<string, unknown>)[name]);
    return isSame ? value : (Object.fromEntries(entries) as T);
  }
  return { pattern: joined(patterns), parts: joined(withParts), clean, cleanValue };
}

function joined(patterns: readonly string[]): string | undefined {
  return patterns.length > 0 ? patterns.join("|") : undefined;
}

function expression(patterns: readonly string[]): RegExp | undefined {
  return patterns.length === 0 ? undefined : new RegExp(`${before}(?:${patterns.join("|")})${after}`, "gi");
}

function mailPattern(email: string): string {
  return escaped(email).replace("@", "(?:@|%40)");
}

/** With its country, or as a Colombian writes it; fewer than seven digits are no telephone. */
function phonePattern(phone: string): string[] {
  const digits = phone.replace(/\D/g, "");
  const own = digits.length === 12 && digits.startsWith("57") ? digits.slice(2) : digits;
  return own.length < 7 ? [] : [`(?:\\+?57${between}{0,3})?${spaced(own)}`];
}

/** Fewer than five digits are a quantity, not a document. */
function documentPattern(number: string): string[] {
  if (/[a-z]/i.test(number)) {
    const signs = number.replace(/[^0-9a-z]/gi, "");
    return signs.length < 5 ? [] : [spaced(signs)];
  }
  const digits = plainDigits(number);
  return digits.length < 5 ? [] : [`${spaced(digits)}(?:-\\d)?`];
}

/**
 * The whole name, and a given name with a family name. A single word may be anybody's, or a thing: only in what is about her it is
 * her name.
 */
function namePattern(name: PersonName): string[] {
  const { given, family } = halvesOf(name);
  if (family.length === 0) return [];
  const gap = `${between}{1,6}`;
  const any = `(?:${family.map(letters).join("|")})`;
  const pair = `(?:${given.map(letters).join("|")})(?:${gap}[0-9A-Za-zÀ-ÿ]+){0,2}?${gap}${any}(?:${gap}${any})*`;
  return [[...given, ...family].map(letters).join(gap), pair];
}

/** Whoever wrote all of it into one field meant, of two words or three, the first as the given name. */
function halvesOf({ name, last_name }: PersonName): { given: string[]; family: string[] } {
  const words = wordsOf(name);
  if (last_name) return { given: words, family: wordsOf(last_name) };
  const half = Math.max(1, Math.floor(words.length / 2));
  return { given: words.slice(0, half), family: words.slice(half) };
}

/** Each word of a name that is not a particle. */
function partsOf({ name, last_name }: PersonName): string[] {
  return [...wordsOf(name), ...wordsOf(last_name ?? "")].filter((word) => word.length > 3).map(letters);
}

function wordsOf(name: string): string[] {
  return name.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function spaced(signs: string): string {
  return [...signs].join(`${between}{0,3}`);
}

function letters(word: string): string {
  const plain = word
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "");
  return [...plain]
    .map((letter) => (variants[letter] ? `(?:[${variants[letter]}]|${accented})` : escaped(letter)))
    .join("");
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}
