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

/** Columns come as PostgreSQL's text; as_of, the instant of a first page by updated_since, only where it is needed. */
export type ListRow = [id: string, seq: string, createdAt: string, body: string, asOf?: string];

export interface ListPage {
  rows: ListRow[];
  hasMore: boolean;
  /** Where the next page starts; undefined on an empty page. */
  end: Position | undefined;
}

const asText = { getTypeParser: () => (text: string) => text };

/** A keyset page: no OFFSET, no count; one row more than asked tells whether there is a next page. */
export async function readList({ reads, pool }: { reads: Reads; pool: Reads }, query: ListQuery): Promise<ListPage> {
  const values: unknown[] = [];
  const { text, varies } = listText(query, ["id", "seq", "created_at", "body"], query.limit + 1, (value) => {
    return `$${values.push(value)}`;
  });
  const statement = varies ? { text, values } : prepared(text, values);
  // What is planned anew may take long: it must not hold up the short ones.
  const result = await (varies ? pool : reads).query<ListRow>({ ...statement, types: asText, rowMode: "array" });

  const hasMore = result.rows.length > query.limit;
  const rows = hasMore ? result.rows.slice(0, query.limit) : result.rows;
  const last = rows.at(-1);
  const asOf = knownInstant(query) ?? (query.updatedSince && last ? parseInstant(last[4]!) : undefined);
  return { rows, hasMore, end: last && { createdAt: parseInstant(last[2]), id: last[0], asOf } };
}

/** The statement of one page; `bind` puts a value in its place, as a parameter or as text. */
export function listText(
  query: ListQuery,
  columns: readonly string[],
  limit: number,
  bind: (value: unknown) => string,
): { text: string; varies: boolean } {
  const account = bind(query.accountId);
  const where = [`account_id = ${account}`];
  let varies = false;
  for (const condition of query.conditions) {
    const bound = condition.values.map(bind);
    where.push(condition.sql.replace(/\?/g, () => bound.shift()!));
    varies ||= condition.varies ?? false;
  }
  // Commit order is clock order: everything up to the clock's last instant is visible in this very snapshot.
  const clockTs = `(select ts from account_clock where account_id = ${account})`;
  const known = knownInstant(query);
  if (query.updatedSince) {
    where.push(`updated_at >= ${bind(query.updatedSince)}::timestamptz`);
    where.push(`updated_at <= ${known ? `${bind(known)}::timestamptz` : clockTs}`);
    varies = true;
  }
  if (query.after) {
    const sign = query.order === "desc" ? "<" : ">";
    where.push(`(created_at, id) ${sign} (${bind(query.after.createdAt)}::timestamptz, ${bind(query.after.id)}::uuid)`);
  }
  const asOfColumn = query.updatedSince && !known ? [clockTs] : [];
  const text = `select ${[...columns, ...asOfColumn].join(", ")} from ${query.table} where ${where.join(" and ")}
    order by created_at ${query.order}, id ${query.order} limit ${bind(limit)}`;
  return { text, varies };
}

function knownInstant({ after, asOf }: ListQuery): Date | undefined {
  return after?.asOf ?? asOf;
}
