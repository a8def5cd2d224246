import type { Condition } from "../../../engine/resources/read-list.ts";
import { validationError } from "../../../lib/errors.ts";

export function atLeast(column: string, value: number | undefined): Condition[] {
  return value === undefined ? [] : [{ sql: `${column} >= ?`, values: [value] }];
}

export function atMost(column: string, value: number | undefined): Condition[] {
  return value === undefined ? [] : [{ sql: `${column} <= ?`, values: [value] }];
}

const maxDigits = 15;

/**
 * The document that a person names: "1024", "EPOS 1024" or "EPOS-1024". A prefix may end in digits, so every way to cut
 * the text is tried.
 */
export function numbered(text: string | undefined): Condition[] {
  if (text === undefined) return [];
  const name = text.replace(/[\s-]/g, "").toUpperCase();
  const digits = /\d+$/.exec(name)?.[0].slice(-maxDigits);
  if (!/^[A-Z0-9]+$/.test(name) || digits === undefined)
    throw validationError([
      { param: "number", message: "Escriba el número del documento, con su prefijo o sin él: EPOS 1024, o 1024." },
    ]);
  const isBare = digits === name;
  const numbers = isBare ? [digits] : Array.from(digits, (_, i) => digits.slice(i));
  const found = { sql: "body ->> 'number' = any(?::text[])", values: [numbers.map((one) => String(Number(one)))] };
  if (isBare) return [found];
  return [found, { sql: "upper(concat(body ->> 'prefix', body ->> 'number')) = ?", values: [name] }];
}
