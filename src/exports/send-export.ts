import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Pool } from "../db/pool.ts";
import { sql } from "../db/sql.ts";
import { chooseEncoding } from "../http/compression.ts";
import type { ListSpec, ReadingDeps } from "../http/reading.ts";
import { decodeCursor, type Position } from "../lib/cursor.ts";
import { ApiError } from "../lib/errors.ts";
import { isUuid } from "../lib/ids.ts";
import { canonicalJson } from "../lib/json.ts";
import type { turns } from "../lib/turns.ts";
import { since, until } from "../resources/filters.ts";
import type { ListQuery } from "../resources/read-list.ts";
import { type ExportPage, readExportPage } from "./read-page.ts";

/** What one resource's export needs beyond its list. */
export interface ExportSpec<Query extends object> {
  list: ListSpec<Query>;
  /** The list's own route: its cursors are good here too. */
  listRoute: string;
  /** When a record was created, by its id; undefined when there is no such record. */
  createdAtOf(pool: Pool, accountId: string, id: string): Promise<Date | undefined>;
}

export interface ExportDeps extends ReadingDeps {
  /** Readers at once: exports must leave connections to everyone else. */
  inTurn: ReturnType<typeof turns>;
  /** Those under way, to be cut when the service stops; their clients go on from the last line they have. */
  running: Set<Readable>;
}

interface ExportQuery {
  starting_after?: string;
  created_since?: string;
  created_until?: string;
  updated_since?: string;
}

/** GET of an export: page after page of the list, as fast as the client reads and no faster. */
export async function sendExport<Query extends object>(
  deps: ExportDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  spec: ExportSpec<Query>,
): Promise<FastifyReply> {
  const query = request.query as Query & ExportQuery;
  const { accountId } = request.access;
  const now = deps.clock.now();
  const after = await placeOf(deps, accountId, query, spec);
  const asOf = after?.asOf ?? (await lastInstant(deps.pool, accountId));
  const conditions = [
    // Without an end, an ascending export of a busy account could run for ever.
    { sql: "created_at <= ?", values: [asOf] },
    ...since("created_at", query.created_since),
    ...until("created_at", query.created_until),
    ...spec.list.conditions(query, now),
  ];
  const order = spec.list.order?.(query) ?? "desc";
  const read = async (from: Position | undefined, limit: number): Promise<ExportPage> => {
    const { table } = spec.list;
    const asked: ListQuery = {
      table,
      accountId,
      conditions,
      order,
      limit,
      after: from,
      updatedSince: query.updated_since,
      asOf,
    };
    const page = await deps.inTurn(() => readExportPage(deps.pool, asked));
    return spec.list.finish
      ? { ...page, bytes: finishLines(page.bytes, (line) => spec.list.finish!(line, now).text) }
      : page;
  };

  // The first page is read before anything is said: what can go wrong is still an error with a code.
  const first = await read(after, firstRows);
  const lines = Readable.from(pagesFrom(first, read), { objectMode: false, highWaterMark: 1 });
  deps.running.add(lines);
  lines.once("close", () => deps.running.delete(lines));
  void reply.headers({ "export-as-of": asOf.toISOString(), "cache-control": "no-store" }).type("application/x-ndjson");
  if (chooseEncoding(request.headers["accept-encoding"], ["gzip"]) === undefined) return reply.send(lines);
  // Level 1: an export is read once, and a higher level would be its bottleneck.
  const gzip = createGzip({ level: 1 });
  pipeline(lines, gzip, () => {});
  return reply.header("content-encoding", "gzip").send(gzip);
}

const firstRows = 200;
const mostRows = 5_000;
/** Pages hold about this much, however large the records are: with two pages at once, memory stays flat. */
const pageSizeBytes = 1024 * 1024;

/** The next page is read while this one is sent. */
async function* pagesFrom(
  first: ExportPage,
  read: (from: Position | undefined, limit: number) => Promise<ExportPage>,
): AsyncGenerator<Buffer> {
  let page: ExportPage | undefined = first;
  while (page && page.rows > 0) {
    const rows = Math.round((pageSizeBytes * page.rows) / page.bytes.length);
    const next: Promise<ExportPage> | undefined = page.hasMore
      ? read(page.end, Math.min(mostRows, Math.max(1, rows)))
      : undefined;
    // A client that goes away leaves nobody to hear of this page's failure.
    next?.catch(() => {});
    yield page.bytes;
    page = await next;
  }
}

function finishLines(bytes: Buffer, finish: (line: string) => string): Buffer {
  const lines = bytes.toString("utf8").split("\n").slice(0, -1);
  return Buffer.from(lines.map((line) => `${finish(line)}\n`).join(""));
}

/** The account's last change: what came after it is not promised here, and is found by `updated_since`. */
async function lastInstant(pool: Pool, accountId: string): Promise<Date> {
  const { rows } = await pool.query<{ ts: Date }>(sql`select ts from account_clock where account_id = ${accountId}`);
  return rows[0]!.ts;
}

/** `starting_after` is the id of the last line received, or a cursor of the list with the same filters. */
async function placeOf<Query extends object>(
  { pool, config }: ExportDeps,
  accountId: string,
  query: Query & ExportQuery,
  spec: ExportSpec<Query>,
): Promise<Position | undefined> {
  const { starting_after: text, ...filters } = query;
  if (text === undefined) return undefined;
  if (isUuid(text)) {
    const createdAt = await spec.createdAtOf(pool, accountId, text);
    if (createdAt) return { createdAt, id: text };
  } else {
    const scope = { key: config.secretKey, route: spec.listRoute, accountId, filters: canonicalJson(filters) };
    const place = decodeCursor(text, scope);
    if (place) return place;
  }
  throw new ApiError("INVALID_CURSOR", { param: "starting_after" });
}
