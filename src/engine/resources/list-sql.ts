import type { Position } from "../../lib/cursor.ts";
import { must } from "../../lib/must.ts";
import { isPair, type KeyLookup, keyLookup, queryNgrams, searchBits } from "../search/search-text.ts";

/** One condition of a list, as SQL with a `?` for each value. */
export interface Condition {
  sql: string;
  values: unknown[];
  /** How many rows it selects depends too much on the value for a shared plan: the query is planned each time. */
  varies?: boolean;
  /** It limits the column the list is sorted by, so an index scan can start or end there. */
  bounds?: boolean;
  /** The folded text that it searches for. */
  searched?: string;
}

export interface ListQuery {
  table: string;
  accountId: string;
  conditions: Condition[];
  order: "asc" | "desc";
  limit: number;
  after?: Position | undefined;
  /** Only records changed since this instant, up to `asOf`. */
  updatedSince?: string | undefined;
  changesByHour?: boolean | undefined;
  /** Later changes are left out. If not given, the instant of the first page. */
  asOf?: Date | undefined;
  /** The n-grams to look up in the index; all those of the searched text unless given, but no pair. */
  ngrams?: readonly string[] | undefined;
}

/** Limits a page to part of the account's records. */
export type Window =
  /** The few records that changed since the given instant. */
  | { kind: "changed" }
  /** This many of the newest records. */
  | { kind: "newest"; rows: number }
  /** This many of the newest index entries: a record is only read if its signature may match the searched text. */
  | { kind: "entries"; entries: number };

/** Up to this many changes are read and sorted in full. */
export const fewChanges = 200;
/** The indexed column that tells when a record changed. */
export function changeColumn({ changesByHour }: ListQuery): string {
  return changesByHour ? "updated_hour" : "updated_at";
}

export function changedSince({ changesByHour }: ListQuery, since: string, bind: (value: unknown) => string): string[] {
  const instant = `${bind(since)}::timestamptz`;
  const exact = `updated_at >= ${instant}`;
  return changesByHour ? [`updated_hour >= date_trunc('hour', ${instant}, 'UTC')`, exact] : [exact];
}

/** Rows stored before the column existed have no length: theirs is computed. */
export const bodyBytes = "coalesce(body_bytes, octet_length(body::text))";

/** The statement of one page. `bind` turns a value into a parameter or a literal. */
export function listSql(
  query: ListQuery,
  columns: readonly string[],
  limit: number,
  bind: (value: unknown) => string,
  within?: Window,
): { text: string; varies: boolean } {
  const { table, accountId, after, conditions } = query;
  const account = bind(accountId);
  const bounds = boundsOf(query, account, bind);
  const changed: string[] = [];
  if (query.updatedSince !== undefined) {
    changed.push(...changedSince(query, query.updatedSince, bind));
    changed.push(`updated_at <= ${bind(after?.asOf ?? query.asOf)}::timestamptz`);
  }
  const filters = conditions.filter((condition) => !condition.bounds).map((condition) => bound(condition, bind));
  const searched = conditions.flatMap((condition) => condition.searched ?? []);
  const order = orderOf(query);
  const selected = `select ${columns.join(", ")} from`;
  const rest = () => `order by ${order} limit ${bind(limit)}`;
  const where = (...all: string[][]) => `where ${all.flat().join(" and ")}`;

  switch (within?.kind) {
    case "changed": {
      const few = `select * from ${table} ${where([`account_id = ${account}`], changed)} order by ${changeColumn(query)} limit ${fewChanges}`;
      return { text: `${selected} (${few}) as ${table} ${where(bounds, changed, filters)} ${rest()}`, varies: true };
    }
    case "newest": {
      const newest = `select * from ${table} ${where(bounds)} order by ${order} limit ${within.rows}`;
      return { text: `${selected} (${newest}) as ${table} ${where(bounds, changed, filters)} ${rest()}`, varies: true };
    }
    case "entries": {
      const entries = `select created_at, id, search_bits from ${table} ${where(bounds)} order by ${order} limit ${bind(within.entries)}`;
      const bits = searched
        .map((text) => bind(searchBits(text)))
        .map((bit) => `search_bits & ${bit}::bit(128) = ${bit}::bit(128)`);
      // The lateral join reads records one at a time, in the order of the entries, until the page is full.
      const text = `${selected} (select created_at as entry_at, id as entry_id from (${entries}) as entry ${where(bits)}) as candidate
        cross join lateral (select * from ${table} where account_id = ${account} and id = entry_id offset 0) as ${table}
        ${where(filters)} order by entry_at ${query.order}, entry_id ${query.order} limit ${bind(limit)}`;
      return { text, varies: false };
    }
  }
  const ngrams =
    query.ngrams ??
    searched
      .map(queryNgrams)
      .filter((own) => !isPair(own))
      .flat();
  const found = ngrams.length === 0 ? [] : hasKeys(keyLookup(accountId, ngrams), bind);
  const varies = query.updatedSince !== undefined || conditions.some((condition) => condition.varies);
  return { text: `${selected} ${table} ${where(bounds, changed, filters, found)} ${rest()}`, varies };
}

/** Where an index scan in the list's order starts and ends. */
export function boundsOf(
  { conditions, after, order }: ListQuery,
  account: string,
  bind: (value: unknown) => string,
): string[] {
  const limits = conditions.filter((condition) => condition.bounds).map((condition) => bound(condition, bind));
  const bounds = [`account_id = ${account}`, ...limits];
  if (after) {
    const sign = order === "desc" ? "<" : ">";
    bounds.push(`(created_at, id) ${sign} (${bind(after.createdAt)}::timestamptz, ${bind(after.id)}::uuid)`);
  }
  return bounds;
}

export function orderOf({ order }: ListQuery): string {
  return `created_at ${order}, id ${order}`;
}

function bound({ sql, values }: Condition, bind: (value: unknown) => string): string {
  const places = values.map(bind);
  return sql.replace(/\?/g, () => must(places.shift(), "A condition has one ? for each value"));
}

/**
 * A record needs one of some forty keys. If the planner sees them, it expects a fifth of the table and also reads every index
 * entry of the account. From a list that it does not see, it expects one record in a hundred; the second condition is always true,
 * costs nothing, and has it expect one in twenty thousand.
 */
function hasKeys({ operator, keys }: KeyLookup, bind: (value: unknown) => string): string[] {
  const list = `${bind(keys)}::int[]`;
  if (operator === "@>") return [`search_keys @> ${list}`];
  return [`search_keys && (select ${list})`, "search_keys @> (select '{}'::int[])"];
}
