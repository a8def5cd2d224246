import { parseInstant } from "../db/pool.ts";
import type { Reads } from "../db/shared-reads.ts";
import { prepared } from "../db/sql.ts";
import type { Position } from "../lib/cursor.ts";

/** One condition of a list: SQL in which `?` stands for its value. */
export interface Condition {
  sql: string;
  values: unknown[];
  /** How much a value like this selects varies too much for one shared plan: plan this query anew each time. */
  varies?: boolean;
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
}

/** Columns come as PostgreSQL's text. */
export type ListRow = [id: string, seq: string, createdAt: string, body: string];

export interface ListPage {
  rows: ListRow[];
  hasMore: boolean;
  /** Where the next page starts; undefined on an empty page. */
  end: Position | undefined;
}

const asText = { getTypeParser: () => (text: string) => text };

/** A keyset page: no OFFSET, no count; one row more than asked tells whether there is a next page. */
export async function readList(deps: { reads: Reads; pool: Reads }, query: ListQuery): Promise<ListPage> {
  return query.updatedSince === undefined ? readPage(deps, query) : readChanged(deps, query, query.updatedSince);
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
  if (count <= fewChanges) return readPage(deps, settled, "changed");
  const page = await readPage(deps, settled, "newest");
  return page.hasMore ? page : readPage(deps, settled);
}

async function readPage(
  { reads, pool }: { reads: Reads; pool: Reads },
  query: ListQuery,
  within?: "changed" | "newest",
): Promise<ListPage> {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const { text, varies } = listText(query, ["id", "seq", "created_at", "body"], query.limit + 1, bind, within);
  const statement = varies ? { text, values } : prepared(text, values);
  // What is planned anew may take long: it must not hold up the short ones.
  const result = await (varies ? pool : reads).query<ListRow>({ ...statement, types: asText, rowMode: "array" });

  const hasMore = result.rows.length > query.limit;
  const rows = hasMore ? result.rows.slice(0, query.limit) : result.rows;
  const last = rows.at(-1);
  const asOf = query.after?.asOf ?? query.asOf;
  return { rows, hasMore, end: last && { createdAt: parseInstant(last[2]), id: last[0], asOf } };
}

/** The statement of one page; `bind` puts a value in its place, as a parameter or as text. */
export function listText(
  query: ListQuery,
  columns: readonly string[],
  limit: number,
  bind: (value: unknown) => string,
  within?: "changed" | "newest",
): { text: string; varies: boolean } {
  const account = bind(query.accountId);
  const order = `created_at ${query.order}, id ${query.order}`;
  const changed: string[] = [];
  if (query.updatedSince !== undefined) {
    changed.push(`updated_at >= ${bind(query.updatedSince)}::timestamptz`);
    changed.push(`updated_at <= ${bind(query.after?.asOf ?? query.asOf)}::timestamptz`);
  }
  const beyond: string[] = [];
  if (query.after) {
    const sign = query.order === "desc" ? "<" : ">";
    const { createdAt, id } = query.after;
    beyond.push(`(created_at, id) ${sign} (${bind(createdAt)}::timestamptz, ${bind(id)}::uuid)`);
  }
  const where = [`account_id = ${account}`, ...changed, ...beyond];
  let varies = query.updatedSince !== undefined;
  for (const condition of query.conditions) {
    const bound = condition.values.map(bind);
    where.push(condition.sql.replace(/\?/g, () => bound.shift()!));
    varies ||= condition.varies ?? false;
  }
  const windows = {
    changed: `(select * from ${query.table} where account_id = ${account} and ${changed.join(" and ")}
      order by updated_at limit ${fewChanges})`,
    newest: `(select * from ${query.table} where ${[`account_id = ${account}`, ...beyond].join(" and ")}
      order by ${order} limit ${newestRows})`,
  };
  const from = within ? `${windows[within]} as ${query.table}` : query.table;
  const text = `select ${columns.join(", ")} from ${from} where ${where.join(" and ")} order by ${order} limit ${bind(limit)}`;
  return { text, varies };
}
