import { parseInstant } from "../../db/pool.ts";
import type { Reads } from "../../db/shared-reads.ts";
import { prepared } from "../../db/sql.ts";
import type { Position } from "../../lib/cursor.ts";
import { queryRuns, runKeys, searchBits, searchPattern } from "../search/search-text.ts";

/** One condition of a list: SQL in which `?` stands for its value. */
export interface Condition {
  sql: string;
  values: unknown[];
  /** How much a value like this selects varies too much for one shared plan: plan this query anew each time. */
  varies?: boolean;
  /** It bounds the list's own order: a walk along it starts or ends there. */
  bounds?: boolean;
  /** The folded text that it looks for in `search`. */
  sought?: string;
}

export interface ListQuery {
  table: string;
  accountId: string;
  conditions: Condition[];
  order: "asc" | "desc";
  limit: number;
  after?: Position | undefined;
  /** Leave out what changed after the first page's instant. */
  updatedSince?: string | undefined;
  /** That instant, where it is known before the first page. */
  asOf?: Date | undefined;
  /** Which runs of the text sought for its index is asked for; all of them unless told. */
  runs?: readonly string[] | undefined;
}

/** Columns come as PostgreSQL's text. */
export type ListRow = [id: string, seq: string, createdAt: string, body: string];

export interface ListPage {
  rows: ListRow[];
  hasMore: boolean;
  /** Where the next page starts; undefined on an empty page. */
  end: Position | undefined;
}

/** However many records were asked for, a page is not larger than this, unless one record alone is. */
export const mostPageBytes = 2 * 1024 * 1024;
/** What the envelope of a list takes at most. */
const envelopeBytes = 1024;

const asText = { getTypeParser: () => (text: string) => text };

/** Where a page is looked for, when not in the whole account. */
type Window =
  /** Among what changed since the instant asked for, which is little. */
  | { kind: "changed" }
  /** Among so many of the newest records. */
  | { kind: "newest"; rows: number }
  /** Among so many of the newest index entries: a record is only looked at if its bits may hold what is sought. */
  | { kind: "entries"; entries: number };

/** A keyset page: no OFFSET, no count; one row more than asked, or one that does not fit, tells that there is a next page. */
export async function readList(deps: { reads: Reads; pool: Reads }, query: ListQuery): Promise<ListPage> {
  if (query.updatedSince !== undefined) return readChanged(deps, query, query.updatedSince);
  const sought = query.conditions.find((condition) => condition.sought)?.sought;
  if (sought !== undefined) return readSought(deps, query, sought);
  return readPage(deps, query);
}

/** Up to this many changes are all read and sorted. */
const fewChanges = 200;
/** So many of the newest records are looked through for changed ones. */
const newestRows = 2_000;

/**
 * What changed since an instant, in the order of creation: two orders at once, which no index has. Few changes are found by
 * the one, and sorted; many by walking along the other. How many there are is asked first, because a planner that
 * guesses wrong sorts half of the table for 25 rows.
 */
async function readChanged(
  deps: { reads: Reads; pool: Reads },
  query: ListQuery,
  updatedSince: string,
): Promise<ListPage> {
  // Commit order is clock order: everything up to the clock's last instant is visible in this very snapshot.
  const known = query.after?.asOf ?? query.asOf;
  const { rows } = await deps.pool.query<{ as_of: Date; count: number }>(
    prepared(
      `select c.as_of, (select count(*) from (
         select from ${query.table} where account_id = $1 and updated_at >= $2 and updated_at <= c.as_of
         order by updated_at limit ${fewChanges + 1}) found) as count
       from (select coalesce($3::timestamptz, ts) as as_of from account_clock where account_id = $1) c`,
      [query.accountId, updatedSince, known ?? null],
    ),
  );
  const { as_of: asOf, count } = rows[0]!;
  const settled = { ...query, asOf };
  if (count <= fewChanges) return readPage(deps, settled, { kind: "changed" });
  const page = await readPage(deps, settled, { kind: "newest", rows: newestRows });
  return page.hasMore ? page : readPage(deps, settled);
}

/** So many entries are walked first, and so many at most. */
const firstWalk = 2_000;
const longestWalk = 10_000;

/**
 * What a text is found in, newest first. What many records hold is met soon by walking from the newest; what few hold is
 * looked up, and sorted. The walk goes on as far as what it met promises to fill the page, if that is not too far.
 */
async function readSought(deps: { reads: Reads; pool: Reads }, query: ListQuery, sought: string): Promise<ListPage> {
  const page = await readPage(deps, query, { kind: "entries", entries: firstWalk });
  if (page.hasMore) return page;
  const promised = Math.ceil((1.5 * firstWalk * (query.limit + 1)) / page.rows.length);
  if (promised <= longestWalk) {
    const further = await readPage(deps, query, { kind: "entries", entries: promised });
    if (further.hasMore) return further;
  }
  const runs = await rarest(deps.reads, query, queryRuns(sought));
  return readPage(deps, { ...query, runs });
}

/** Each run costs a look into its list for every candidate of the others: only so many are asked for. */
const askedRuns = 3;
const sampleSize = 200;

/** The runs that fewest of the newest records hold. */
async function rarest(
  reads: Reads,
  { table, accountId }: ListQuery,
  runs: readonly string[],
): Promise<readonly string[]> {
  if (runs.length <= askedRuns) return runs;
  const { rows } = await reads.query<{ place: number }>(
    prepared(
      `with newest as materialized (
         select search from ${table} where account_id = $1 order by created_at desc, id desc limit ${sampleSize})
       select place::int from unnest($2::text[]) with ordinality as run(pattern, place)
       order by (select count(*) from newest where search like pattern), place limit ${askedRuns}`,
      [accountId, runs.map(searchPattern)],
    ),
  );
  return rows.map(({ place }) => runs[place - 1]!);
}

async function readPage(
  { reads, pool }: { reads: Reads; pool: Reads },
  query: ListQuery,
  within?: Window,
): Promise<ListPage> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const columns = ["id", "seq", "created_at", "body", "body_bytes"];
  const { text: rowsText, varies } = listText(query, columns, query.limit + 1, bind, within);
  const text = fittingText(rowsText, query.order);
  const statement = varies ? { text, values } : prepared(text, values);
  // What may take long must not hold up the short ones.
  const isShort = within?.kind === "entries" ? within.entries <= firstWalk : !varies;
  const result = await (isShort ? reads : pool).query<ListRow>({ ...statement, types: asText, rowMode: "array" });

  const unfitting = result.rows.findIndex(([, , , body]) => body === null);
  const most = unfitting === -1 ? query.limit : Math.min(unfitting, query.limit);
  const hasMore = result.rows.length > most;
  const rows = hasMore ? result.rows.slice(0, most) : result.rows;
  const last = rows.at(-1);
  const asOf = query.after?.asOf ?? query.asOf;
  return { rows, hasMore, end: last && { createdAt: parseInstant(last[2]), id: last[0], asOf } };
}

/**
 * The same rows, without the bodies that no longer fit into the page. They stay where they are stored: neither is one of
 * them unpacked, nor does it travel.
 */
function fittingText(rowsText: string, order: ListQuery["order"]): string {
  const along = `created_at ${order}, id ${order}`;
  return `select id, seq, created_at, case
      when sum(${bodyBytes} + 1) over walk <= ${mostPageBytes - envelopeBytes} or row_number() over walk = 1 then body end
    from (${rowsText}) as page window walk as (order by ${along} rows unbounded preceding) order by ${along}`;
}

/** What was stored before its length was kept is measured. */
export const bodyBytes = "coalesce(body_bytes, octet_length(body::text))";

/** The statement of one page; `bind` puts a value in its place, as a parameter or as text. */
export function listText(
  query: ListQuery,
  columns: readonly string[],
  limit: number,
  bind: (value: unknown) => string,
  within?: Window,
): { text: string; varies: boolean } {
  const { table, accountId, after, conditions } = query;
  const account = bind(accountId);
  const bound = ({ sql, values }: Condition) => {
    const places = values.map(bind);
    return sql.replace(/\?/g, () => places.shift()!);
  };
  const changed: string[] = [];
  if (query.updatedSince !== undefined) {
    changed.push(`updated_at >= ${bind(query.updatedSince)}::timestamptz`);
    changed.push(`updated_at <= ${bind(after?.asOf ?? query.asOf)}::timestamptz`);
  }
  /** What bounds a walk along the list's order. */
  const bounds = [`account_id = ${account}`, ...conditions.filter((condition) => condition.bounds).map(bound)];
  if (after) {
    const sign = query.order === "desc" ? "<" : ">";
    bounds.push(`(created_at, id) ${sign} (${bind(after.createdAt)}::timestamptz, ${bind(after.id)}::uuid)`);
  }
  const filters = conditions.filter((condition) => !condition.bounds).map(bound);
  const sought = conditions.flatMap((condition) => condition.sought ?? []);
  const order = `created_at ${query.order}, id ${query.order}`;
  const selected = `select ${columns.join(", ")} from`;
  const rest = () => `order by ${order} limit ${bind(limit)}`;
  const where = (...all: string[][]) => `where ${all.flat().join(" and ")}`;

  switch (within?.kind) {
    case "changed": {
      const few = `select * from ${table} ${where([`account_id = ${account}`], changed)} order by updated_at limit ${fewChanges}`;
      return { text: `${selected} (${few}) as ${table} ${where(bounds, changed, filters)} ${rest()}`, varies: true };
    }
    case "newest": {
      const newest = `select * from ${table} ${where(bounds)} order by ${order} limit ${within.rows}`;
      return { text: `${selected} (${newest}) as ${table} ${where(bounds, changed, filters)} ${rest()}`, varies: true };
    }
    case "entries": {
      const entries = `select created_at, id, search_bits from ${table} ${where(bounds)} order by ${order} limit ${bind(within.entries)}`;
      const bits = sought
        .map((text) => bind(searchBits(text)))
        .map((bit) => `search_bits & ${bit}::bit(128) = ${bit}::bit(128)`);
      // A record is looked up one by one, in the order of the entries, until the page is full: hence the lateral join.
      const text = `${selected} (select created_at as entry_at, id as entry_id from (${entries}) as entry ${where(bits)}) as candidate
        cross join lateral (select * from ${table} where account_id = ${account} and id = entry_id offset 0) as ${table}
        ${where(filters)} order by entry_at ${query.order}, entry_id ${query.order} limit ${bind(limit)}`;
      return { text, varies: false };
    }
  }
  const runs = query.runs ?? sought.flatMap(queryRuns);
  const keys = runs.length === 0 ? [] : [`search_keys @> ${bind(runKeys(accountId, runs))}::int[]`];
  const varies = query.updatedSince !== undefined || conditions.some((condition) => condition.varies);
  return { text: `${selected} ${table} ${where(bounds, changed, filters, keys)} ${rest()}`, varies };
}
