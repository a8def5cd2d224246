import type { Chance } from "../../simulator/chance.ts";

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema is read as data
type Json = any;

/** What values are made of: ids and texts that occur in the shops under attack. */
export interface Vocabulary {
  /** Ids that exist in both shops, or in one, or nowhere. */
  ids: readonly string[];
  /** Marks the texts of the sending account, so that they would be recognized in another's responses. */
  marker: string;
  /** Values by field name that chance would never hit: codes, cursors, tags. */
  known: Readonly<Record<string, readonly unknown[]>>;
  /** How often such a value is used; 0.4 by default. */
  knownShare?: number;
}

/** A value that is valid by a JSON Schema, as TypeBox and the OpenAPI document use them. */
export function validValue(schema: Json, chance: Chance, words: Vocabulary, root: Json = schema, name = ""): unknown {
  if (schema === undefined || schema === true) return anyValue(chance, words, 1);
  if (schema.$ref) return validValue(resolved(schema.$ref, root), chance, words, root, name);
  if (schema.const !== undefined) return schema.const;
  if (words.known[name] && chance.happens(words.knownShare ?? 0.4)) return chance.pick(words.known[name]);
  if (schema.enum) return chance.pick(schema.enum);
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) return validValue(chance.pick(alternatives), chance, words, root, name);
  const type = Array.isArray(schema.type) ? chance.pick(schema.type) : schema.type;
  switch (type) {
    case "object":
      return validObject(schema, chance, words, root);
    case "array":
      return validArray(schema, chance, words, root, name);
    case "integer":
    case "number":
      return validNumber(schema, chance, type === "integer");
    case "boolean":
      return chance.happens(0.5);
    case "null":
      return null;
    case "string":
      return validText(schema, chance, words);
    default:
      return anyValue(chance, words, 2);
  }
}

function resolved(ref: string, root: Json): Json {
  return ref
    .slice(2)
    .split("/")
    .reduce((node, step) => node?.[step], root);
}

function validObject(schema: Json, chance: Chance, words: Vocabulary, root: Json): Record<string, unknown> {
  const required: ReadonlySet<string> = new Set(schema.required ?? []);
  const share = chance.pick([0, 0.3, 0.9]);
  const made: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (required.has(name) || chance.happens(share)) made[name] = validValue(property, chance, words, root, name);
  }
  const names = Object.keys(schema.properties ?? {});
  if (Object.keys(made).length < (schema.minProperties ?? 0) && names.length > 0) {
    const name = chance.pick(names);
    made[name] = validValue(schema.properties[name], chance, words, root, name);
  }
  return made;
}

function validArray(schema: Json, chance: Chance, words: Vocabulary, root: Json, name: string): unknown[] {
  const least = schema.minItems ?? 0;
  const length = chance.between(least, Math.max(least, Math.min(schema.maxItems ?? 4, chance.pick([1, 3, 6]))));
  const items = Array.from({ length }, () => validValue(schema.items, chance, words, root, name));
  return schema.uniqueItems ? [...new Set(items)] : items;
}

function validNumber(schema: Json, chance: Chance, isWhole: boolean): number {
  const least = schema.minimum ?? (schema.exclusiveMinimum !== undefined ? schema.exclusiveMinimum + 1 : -1_000_000);
  const most = schema.maximum ?? 1_000_000_000;
  const whole = chance.pick([least, most, 0, 1, 100, chance.between(least, most), chance.between(least, least + 100)]);
  const inside = Math.min(most, Math.max(least, whole));
  const fraction = isWhole || chance.happens(0.5) ? 0 : chance.between(0, 999) / 1000;
  return Math.min(most, inside + fraction);
}

const instants = [
  "2026-09-28T14:05:00-05:00",
  "2026-09-28T14:05:00.123456789Z",
  "2024-02-29T23:59:59z",
  "1970-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999-14:00",
  "0001-01-01T00:00:00+14:00",
  "0001-01-01T00:00:00Z",
  "1600-02-29t00:00:00+00:00",
  "2026-09-28T14:05:00-00:00",
  "4714-11-24T00:00:00Z",
];

function validText(schema: Json, chance: Chance, words: Vocabulary): string {
  switch (schema.format) {
    case "uuid": {
      const id = chance.pick(words.ids);
      return chance.happens(0.1) ? id.toUpperCase() : id;
    }
    case "date-time":
      return chance.happens(0.5)
        ? chance.pick(instants)
        : new Date(Date.now() - chance.between(-1e9, 4e9)).toISOString();
    case "email":
      return chance.pick([`ana@${words.marker}.co`, "a@b.co", "ñandú@tienda.com.co", `${"x".repeat(60)}@x.co`]);
    case "uri":
      return chance.pick([`https://${words.marker}.co/a?b=c#d`, "http://a.co", "https://ñandú.co/%20"]);
  }
  if (schema.pattern === "^\\d{6}$") return String(chance.between(0, 999_999)).padStart(6, "0");
  const least = schema.minLength ?? 0;
  const most = Math.min(schema.maxLength ?? 300, 5000);
  const text = chance.pick([
    words.marker,
    `${words.marker} ${chance.between(0, 1e6)}`,
    oddText(chance),
    chance.pick(["completed", "invoice", "CASH", "in", "out", "sale", "https://tienda.com.co/hook", "SKU-1", "aeiou"]),
    "x".repeat(most),
    "👩‍🚀".repeat(Math.floor(most / 5)),
  ]);
  return Array.from(text).slice(0, most).join("").padEnd(least, "x");
}

/** Text that has broken programs before: SQL, markup, paths, formats, bidirectional and combining characters. */
export function oddText(chance: Chance): string {
  return chance.pick([
    "' or 1=1 --",
    '"; drop table customers; --',
    "%%%_\\_\\",
    "{{7*7}}<%= 7 %>",
    "<script>alert(1)</script>",
    "../../../../etc/passwd",
    "\u202etxet\u202c",
    "Z\u0351\u036b\u0343\u0369a\u0363lgo",
    "ﷺ",
    "İıſK",
    "\ufeff",
    "\u0000",
    "\ud800",
    "\udfff\ud800",
    "\r\nSet-Cookie: a=b",
    "%00%ff%c0%af",
    "null",
    "undefined",
    "NaN",
    "-0",
    "1e400",
    "0x10",
    "__proto__",
    "constructor",
    "\\u0000",
    " ",
    "",
    "\t\n\u000b\u2028",
    "🧾".repeat(40),
  ]);
}

/** Any JSON at all. */
export function anyValue(chance: Chance, words: Vocabulary, depth = 3): unknown {
  const kind = chance.between(0, depth > 0 ? 9 : 6);
  switch (kind) {
    case 0:
      return null;
    case 1:
      return chance.happens(0.5);
    case 2:
      return chance.pick([
        0,
        -0,
        1,
        -1,
        0.1 + 0.2,
        2 ** 31,
        2 ** 53,
        -(2 ** 63),
        1e21,
        1e308,
        5e-324,
        Number.MAX_VALUE,
      ]);
    case 3:
      return oddText(chance);
    case 4:
      return words.marker;
    case 5:
      return chance.pick(words.ids);
    case 6:
      return chance.pick(instants);
    case 7:
      return Array.from({ length: chance.between(0, 4) }, () => anyValue(chance, words, depth - 1));
    default: {
      const made: Record<string, unknown> = {};
      for (let i = chance.between(0, 4); i > 0; i--) {
        const name = chance.pick(["id", "name", "__proto__", "constructor", "toString", "length", "", oddText(chance)]);
        Object.defineProperty(made, name, {
          value: anyValue(chance, words, depth - 1),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
      return made;
    }
  }
}

/** One or two mistakes in a valid value: a field removed, added, or changed in type or size. */
export function nearlyValid(value: unknown, chance: Chance, words: Vocabulary): unknown {
  if (chance.happens(0.2)) return nearlyValid(nearlyValid(value, chance, words), chance, words);
  if (value === null || typeof value !== "object") return anyValue(chance, words);
  const copy: Json = Array.isArray(value) ? [...value] : { ...value };
  const keys = Object.keys(copy);
  const key = keys.length > 0 ? chance.pick(keys) : "name";
  switch (chance.between(0, 7)) {
    case 0:
      delete copy[key];
      break;
    case 1:
      define(copy, chance.pick(["object", "created_at", "stock", "id", "account_id", "__proto__", "constructor", ""]));
      break;
    case 2:
      copy[key] = Array.from({ length: isLarge(copy[key]) ? 3 : chance.pick([3, 101, 2001]) }, () => copy[key]);
      break;
    case 3:
      copy[key] = JSON.stringify(copy[key]) ?? "";
      break;
    case 4:
      copy[key] = `${words.marker}${"y".repeat(chance.pick([1, 121, 201, 5001, 70_000]))}`;
      break;
    case 5:
      copy[key] = nearlyValid(copy[key], chance, words);
      break;
    default:
      copy[key] = anyValue(chance, words);
  }
  return copy;

  function define(on: object, name: string): void {
    const made = anyValue(chance, words);
    Object.defineProperty(on, name, { value: made, enumerable: true, configurable: true, writable: true });
  }
}

/** Repeating a large text two thousand times would fill the test's memory. */
function isLarge(value: unknown): boolean {
  return typeof value === "object" || (typeof value === "string" && value.length > 100);
}
