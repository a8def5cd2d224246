import { parseInstant } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import type { Reads } from "../../db/shared-reads.ts";
import { prepared } from "../../db/sql.ts";
import type { Position } from "../../lib/cursor.ts";
import { must } from "../../lib/must.ts";
import { isPair, queryNgrams, searchPattern } from "../search/search-text.ts";
import {
  bodyBytes,
  boundsOf,
  changeColumn,
  changedSince,
  fewChanges,
  type ListQuery,
  listSql,
  orderOf,
  type Window,
} from "./list-sql.ts";

export type { Condition } from "./list-sql.ts";

/** Columns in PostgreSQL's text format. */
export type ListRow = [id: string, seq: string, createdAt: string, body: string];

export interface ListPage {
  rows: ListRow[];
  hasMore: boolean;
  /** Where the next page starts; undefined on an empty page. */
  end: Position | undefined;
}

/** A page is never larger than this, unless it is a single record. */
export const maxPageBytes = 2 * 1024 * 1024;
/** The largest size of a list's envelope. */
const envelopeBytes = 1024;

const asText = { getTypeParser: () => (text: string) => text };

/** A keyset page: no OFFSET, no count. One extra row, or a row that does not fit, means there is a next page. */
export async function readList(deps: { reads: Reads; pool: Reads }, query: ListQuery): Promise<ListPage> {
  if (query.updatedSince !== undefined) return readChanged(deps, query, query.updatedSince);
  const searched = query.conditions.find((condition) => condition.searched)?.searched;
  if (searched !== undefined) return readSearch(deps, query, searched);
  return readPage(deps, query);
}

/** How many of the newest records are checked for changes first. */
const newestRecords = 2_000;

/**
 * Records changed since an instant, in order of creation. No index has both orders, so few changes are found by time of
 * change and sorted, and many by scanning in order of creation. They are counted first, because a planner that guesses
 * wrong sorts half of the table for 25 rows.
 */
async function readChanged(
  deps: { reads: Reads; pool: Reads },
  query: ListQuery,
  updatedSince: string,
): Promise<ListPage> {
  // Commit order is clock order: this snapshot sees everything up to the clock's last instant.
  const known = query.after?.asOf ?? query.asOf;
  const values: unknown[] = [query.accountId, known ?? null];
  const since = changedSince(query, updatedSince, (value) => `$${values.push(value)}`);
  const { rows } = await deps.pool.query<{ as_of: Date; count: number }>(
    prepared(
      `select c.as_of, (select count(*) from (
         select from ${query.table} where account_id = $1 and ${since.join(" and ")} and updated_at <= c.as_of
         order by ${changeColumn(query)} limit ${fewChanges + 1}) found) as count
       from (select coalesce($2::timestamptz, ts) as as_of from account_clock where account_id = $1) c`,
      values,
    ),
  );
  const { as_of: asOf, count } = oneRow(rows);
  const atInstant = { ...query, asOf };
  if (count <= fewChanges) return readPage(deps, atInstant, { kind: "changed" });
  const page = await readPage(deps, atInstant, { kind: "newest", rows: newestRecords });
  return page.hasMore ? page : readPage(deps, atInstant);
}

/** How many index entries the first scan reads, and the second at most. */
const firstScanEntries = 2_000;
const maxScanEntries = 10_000;

/**
 * Records that contain a text, newest first. A common text fills a page quickly by scanning from the newest record; a rare
 * one is looked up in the index and sorted. A second scan follows if the first one's matches suggest it can fill the page.
 */
async function readSearch(deps: { reads: Reads; pool: Reads }, query: ListQuery, searched: string): Promise<ListPage> {
  const page = await readPage(deps, query, { kind: "entries", entries: firstScanEntries });
  if (page.hasMore || !(await hasMoreEntries(deps.reads, query, firstScanEntries))) return page;
  const neededEntries = Math.ceil((1.5 * firstScanEntries * (query.limit + 1)) / page.rows.length);
  if (neededEntries <= maxScanEntries) {
    const further = await readPage(deps, query, { kind: "entries", entries: neededEntries });
    if (further.hasMore) return further;
  }
  const ngrams = await rarestNgrams(deps.reads, query, queryNgrams(searched));
  return readPage(deps, { ...query, ngrams });
}

/** Whether the list has more entries than a scan reads. Most businesses have not: what the scan did not find, they do not have. */
async function hasMoreEntries(reads: Reads, query: ListQuery, entries: number): Promise<boolean> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const bounds = boundsOf(query, bind(query.accountId), bind);
  const text = `select from ${query.table} where ${bounds.join(" and ")} order by ${orderOf(query)} offset ${entries} limit 1`;
  const { rowCount } = await reads.query(prepared(text, values));
  return rowCount === 1;
}

/** Every candidate is checked against the posting list of each n-gram, so only the rarest few are used. */
const maxIndexedNgrams = 3;
const sampleSize = 200;

/** The n-grams found in the fewest of the newest records. */
async function rarestNgrams(
  reads: Reads,
  { table, accountId }: ListQuery,
  ngrams: readonly string[],
): Promise<readonly string[]> {
  if (isPair(ngrams)) return (await isRare(reads, { table, accountId }, ngrams[0]!)) ? ngrams : [];
  if (ngrams.length <= maxIndexedNgrams) return ngrams;
  const { rows } = await reads.query<{ place: number }>(
    prepared(
      `with ${newestTexts(table, sampleSize)}
       select place::int from unnest($2::text[]) with ordinality as ngram(pattern, place)
       order by (select count(*) from newest where search like pattern), place limit ${maxIndexedNgrams}`,
      [accountId, ngrams.map(searchPattern)],
    ),
  );
  return rows.map(({ place }) => must(ngrams[place - 1], "Places count the n-grams"));
}

/**
 * Whether few records contain a pair, judged by as many of the newest as the first scan reads. A lookup reads every record that
 * has it, whatever other filters leave of them: too many if it is common.
 */
async function isRare(reads: Reads, { table, accountId }: Pick<ListQuery, "table" | "accountId">, pair: string) {
  const { rows } = await reads.query<{ count: number }>(
    prepared(`with ${newestTexts(table, firstScanEntries)} select count(*) from newest where search like $2`, [
      accountId,
      searchPattern(pair),
    ]),
  );
  return oneRow(rows).count <= firstScanEntries / 50;
}

function newestTexts(table: string, count: number): string {
  return `newest as materialized (
    select search from ${table} where account_id = $1 order by created_at desc, id desc limit ${count})`;
}

async function readPage(deps: { reads: Reads; pool: Reads }, query: ListQuery, within?: Window): Promise<ListPage> {
  const usual = await readRows(deps, query, within, sharedEqually(query));
  const someExceedShare = usual.some((row, i) => row[3] === null && i < query.limit);
  const found = someExceedShare ? await readRows(deps, query, within, addedUp(query)) : usual;

  const firstTooLarge = found.findIndex((row) => row[3] === null);
  const count = firstTooLarge === -1 ? query.limit : Math.min(firstTooLarge, query.limit);
  const hasMore = found.length > count;
  const rows = hasMore ? found.slice(0, count) : found;
  const last = rows.at(-1);
  const asOf = query.after?.asOf ?? query.asOf;
  return { rows, hasMore, end: last && { createdAt: parseInstant(last[2]), id: last[0], asOf } };
}

/** A way to leave out the bodies that do not fit on a page: PostgreSQL then neither decompresses nor sends them. */
interface Fitting {
  columns(bind: (value: unknown) => string): string[];
  /** The statement, given the one that lists these columns. */
  around(rowsSql: string): string;
}

async function readRows(
  { reads, pool }: { reads: Reads; pool: Reads },
  query: ListQuery,
  within: Window | undefined,
  { columns, around }: Fitting,
): Promise<ListRow[]> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const { text: rowsSql, varies } = listSql(query, columns(bind), query.limit + 1, bind, within);
  const text = around(rowsSql);
  const statement = varies ? { text, values } : prepared(text, values);
  // A query that may take long must not delay the short ones on the shared connections.
  const isShort = within?.kind === "entries" ? within.entries <= firstScanEntries : !varies;
  const { rows } = await (isShort ? reads : pool).query<ListRow>({ ...statement, types: asText, rowMode: "array" });
  return rows;
}

const bytesForRecords = maxPageBytes - envelopeBytes;

/**
 * Null for each body that exceeds an equal share of the page. Adding the lengths up costs PostgreSQL a third more, and nearly
 * all pages are far from full.
 */
function sharedEqually({ limit }: ListQuery): Fitting {
  const share = Math.floor(bytesForRecords / (limit + 1)) - 1;
  return {
    columns: (bind) => [
      "id",
      "seq",
      "created_at",
      `case when ${bodyBytes} <= ${bind(share)}::int then body end as body`,
    ],
    around: (rowsSql) => rowsSql,
  };
}

/** Null for the bodies from the first one on that no longer fits. */
function addedUp({ order }: ListQuery): Fitting {
  const along = `created_at ${order}, id ${order}`;
  return {
    columns: () => ["id", "seq", "created_at", "body", "body_bytes"],
    around: (rowsSql) => `select id, seq, created_at, case
        when sum(${bodyBytes} + 1) over walk <= ${bytesForRecords} or row_number() over walk = 1 then body end
      from (${rowsSql}) as page window walk as (order by ${along} rows unbounded preceding) order by ${along}`,
  };
}
