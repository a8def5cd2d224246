import { foldText, searchPattern } from "../search/search-text.ts";
import type { Condition } from "./read-list.ts";

/** The conditions that lists are made of. */

/** What every list is sorted by. */
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
  // Nothing but accents is left as nothing: it is found nowhere, rather than everywhere.
  const sought = foldText(q);
  if (sought === "") return [{ sql: "false", values: [] }];
  return [{ sql: "search like ?", values: [searchPattern(sought)], varies: true, sought }];
}

export function living(includeDeleted: boolean | undefined): Condition[] {
  return includeDeleted ? [] : [{ sql: "deleted_at is null", values: [] }];
}
