import { parseInstant, type Queryable } from "../db/pool.ts";
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
export async function readList(db: Queryable, query: ListQuery): Promise<ListPage> {
  const values: unknown[] = [query.accountId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const where = ["account_id = $1"];
  let varies = false;
  for (const condition of query.conditions) {
    const bound = condition.values.map(bind);
    where.push(condition.sql.replace(/\?/g, () => bound.shift()!));
    varies ||= condition.varies ?? false;
  }
  // Commit order is clock order: everything up to the clock's last instant is visible in this very snapshot.
  const clockTs = "(select ts from account_clock where account_id = $1)";
  if (query.updatedSince) {
    where.push(`updated_at >= ${bind(query.updatedSince)}::timestamptz`);
    where.push(`updated_at <= ${query.after?.asOf ? `${bind(query.after.asOf)}::timestamptz` : clockTs}`);
    varies = true;
  }
  if (query.after) {
    const sign = query.order === "desc" ? "<" : ">";
    where.push(`(created_at, id) ${sign} (${bind(query.after.createdAt)}::timestamptz, ${bind(query.after.id)}::uuid)`);
  }
  const asOfColumn = query.updatedSince && !query.after?.asOf ? [clockTs] : [];
  const columns = ["id", "seq", "created_at", "body", ...asOfColumn];
  const text = `select ${columns.join(", ")} from ${query.table} where ${where.join(" and ")}
    order by created_at ${query.order}, id ${query.order} limit ${bind(query.limit + 1)}`;
  const statement = varies ? { text, values } : prepared(text, values);
  const result = await db.query<ListRow>({ ...statement, types: asText, rowMode: "array" });

  const hasMore = result.rows.length > query.limit;
  const rows = hasMore ? result.rows.slice(0, query.limit) : result.rows;
  const last = rows.at(-1);
  const asOf = query.after?.asOf ?? (query.updatedSince && last ? parseInstant(last[4]!) : undefined);
  return { rows, hasMore, end: last && { createdAt: parseInstant(last[2]), id: last[0], asOf } };
}
