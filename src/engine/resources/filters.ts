import { foldText, searchPattern } from "../search/search-text.ts";
import type { Condition } from "./read-list.ts";

/** Every list is sorted by this column. */
const listOrder = "created_at";

export function equal(column: string, value: unknown): Condition[] {
  return value === undefined ? [] : [{ sql: `${column} = ?`, values: [value] }];
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
