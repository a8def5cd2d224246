import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import type { Deps } from "../../../deps.ts";
import { minute } from "../../../lib/clock.ts";
import type { Position } from "../../../lib/cursor.ts";
import { timeOfUuidv7 } from "../../../lib/ids.ts";

/** A request made with a key of the account. */
export interface LoggedRequest {
  id: string;
  created_at: Date;
  key_id: string;
  method: string;
  path: string;
  status: number;
  ms: number;
  query: string | null;
  error_code: string | null;
}

/** Headers are null for a request beyond the day's allowance. */
export interface OpenedRequest extends LoggedRequest {
  request_headers: Record<string, string> | null;
  response_headers: Record<string, string> | null;
}

export interface RequestFilters {
  accountId: string;
  keyId?: string | undefined;
  since: Date;
  until?: Date | undefined;
  result?: "ok" | "error" | undefined;
  method?: string | undefined;
  /** A part of the path. */
  path?: string | undefined;
  id?: string | undefined;
}

const columns = "id, created_at, key_id, method, path, status, ms, query, error_code";

/** Not prepared: the filters change the text of the statement. */
export async function readRequests(
  db: Queryable,
  filters: RequestFilters,
  limit: number,
  after: Position | undefined,
): Promise<LoggedRequest[]> {
  const values: unknown[] = [filters.accountId, filters.since];
  const place = (value: unknown) => `$${values.push(value)}`;
  const { keyId, until, result, method, path, id } = filters;
  const conditions = [
    ...(keyId === undefined ? [] : [`key_id = ${place(keyId)}`]),
    ...(until === undefined ? [] : [`created_at < ${place(until)}`]),
    ...(result === undefined ? [] : [result === "ok" ? "status < 400" : "status >= 400"]),
    ...(method === undefined ? [] : [`method = ${place(method)}`]),
    ...(path === undefined ? [] : [`strpos(lower(path), ${place(path.toLowerCase())}) > 0`]),
    ...(id === undefined ? [] : [`id = ${place(id)}`]),
    ...(after ? [`(created_at, id) < (${place(after.createdAt)}, ${place(after.id)})`] : []),
  ];
  const { rows } = await db.query<LoggedRequest>({
    text: `select ${columns} from request_log
      where ${["account_id = $1", "created_at >= $2", ...conditions].join(" and ")}
      order by created_at desc, id desc limit ${limit}`,
    values,
  });
  return rows;
}

/** From the start of a request, which its id carries, to its row in the log. */
const longestMs = 5 * minute;

export async function openRequest(
  { pool, clock }: Pick<Deps, "pool" | "clock">,
  accountId: string,
  id: string,
): Promise<OpenedRequest | undefined> {
  const startedAt = timeOfUuidv7(withDashes(id))?.getTime();
  if (startedAt === undefined) return undefined;
  // A test's clock may have been moved since: then the whole week is searched.
  const from = startedAt + clock.offsetMs() - minute;
  return (
    (await find(pool, accountId, id, new Date(from), new Date(from + minute + longestMs))) ??
    (clock.offsetMs() === 0 ? undefined : await find(pool, accountId, id, new Date(0), clock.now()))
  );
}

async function find(db: Queryable, accountId: string, id: string, since: Date, until: Date) {
  const { rows } = await db.query(sql`
    select id, created_at, key_id, method, path, status, ms, query, error_code, request_headers, response_headers
    from request_log where account_id = ${accountId} and created_at between ${since} and ${until} and id = ${id} limit 1`);
  const row = rows[0];
  if (!row) return undefined;
  const [request_headers, response_headers] = [parsed(row.request_headers), parsed(row.response_headers)];
  return { ...row, request_headers, response_headers } as OpenedRequest;
}

function withDashes(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The pool hands JSON on as text. */
function parsed(text: string | null): Record<string, string> | null {
  return text === null ? null : (JSON.parse(text) as Record<string, string>);
}
