import { lineText } from "../../lib/one-line.ts";
import { foldText, searchPattern } from "../search/search-text.ts";
import type { Condition } from "./read-list.ts";

/** Every list is sorted by this column. */
const listOrder = "created_at";

export function equal(column: string, value: unknown): Condition[] {
  if (value === undefined) return [];
  const forms = typeof value === "string" ? storedForms(value) : [value];
  return [{ sql: `${column} in (${forms.map(() => "?").join(", ")})`, values: forms }];
}

/**
 * How a text that a filter asks for may be stored: as writing brings it into its form, and, if that differs, also as it is,
 * because what a register uploaded or an earlier release stored keeps its own.
 */
export function storedForms(text: string): string[] {
  return [...new Set([lineText(text), text])];
}

export function since(column: string, instant: string | undefined): Condition[] {
  return instant === undefined
    ? []
    : [{ sql: `${column} >= ?::timestamptz`, values: [instant], varies: true, bounds: column === listOrder }];
}

export function until(column: string, instant: string | undefined): Condition[] {
  return instant === undefined
    ? []
    : [{ sql: `${column} < ?::timestamptz`, values: [instant], varies: true, bounds: column === listOrder }];
}

export function matching(q: string | undefined): Condition[] {
  if (q === undefined) return [];
  // A text of nothing but accents folds to nothing. It must match no record instead of all of them.
  const searched = foldText(q);
  if (searched === "") return [{ sql: "false", values: [] }];
  return [{ sql: "search like ?", values: [searchPattern(searched)], varies: true, searched }];
}

export function notDeleted(includeDeleted: boolean | undefined): Condition[] {
  return includeDeleted ? [] : [{ sql: "deleted_at is null", values: [] }];
}

/** The text of conditions joined by AND; their values are added to `values`. */
export function allOf(conditions: readonly Condition[], values: unknown[]): string {
  return conditions
    .map(({ sql, values: own }) => {
      const places = own.map((value) => `$${values.push(value)}`);
      return sql.replace(/\?/g, () => places.shift()!);
    })
    .join(" and ");
}
