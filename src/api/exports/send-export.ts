import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { pipeline, Readable, type Writable } from "node:stream";
import { createGzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { since, until } from "../../engine/resources/filters.ts";
import type { ListSpec } from "../../engine/resources/list-spec.ts";
import type { concurrencyLimit, RunningTasks } from "../../lib/concurrency-limit.ts";
import { decodeCursor, type Position } from "../../lib/cursor.ts";
import { ApiError } from "../../lib/errors.ts";
import { isUuid } from "../../lib/ids.ts";
import { canonicalJson } from "../../lib/json.ts";
import { chooseEncoding } from "../http/compression.ts";
import { limitsOf } from "../http/traffic-limits.ts";
import type { ReadingDeps } from "../public/reading.ts";
import { type ExportPage, newPageBuffer, type PageBuffer, readExportPage } from "./read-page.ts";

/** The export of one list. */
export interface ExportSpec {
  list: ListSpec;
  /** The list's route, whose cursors are valid here too. */
  listRoute: string;
  /** When a record was created, by its id; undefined when there is no such record. */
  createdAtOf(pool: Pool, accountId: string, id: string): Promise<Date | undefined>;
}

export interface ExportDeps extends ReadingDeps {
  /** Limits how many pages are read at once, so that other requests have connections. */
  limitReads: ReturnType<typeof concurrencyLimit>;
  /** Running exports. They are cut when the service stops; clients resume from their last line. */
  running: Set<ServerResponse>;
  /** Running exports per account. */
  runningByAccount: RunningTasks;
}

interface ExportQuery {
  starting_after?: string;
  created_since?: string;
  created_until?: string;
  updated_since?: string;
}

/** GET of an export. Their number per account is limited, because each keeps pages in memory for a client that may be slow. */
export async function sendExport(
  deps: ExportDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  spec: ExportSpec,
): Promise<void> {
  const { accountId } = request.access;
  const { exportsAtOnce } = limitsOf(deps);
  if (deps.runningByAccount.count(accountId) >= exportsAtOnce) throw tooManyExports(exportsAtOnce);
  await deps.runningByAccount.run([accountId], () => streamExport(deps, request, reply, spec));
}

function tooManyExports(most: number): ApiError {
  return new ApiError("RATE_LIMITED", {
    headers: { "retry-after": "30" },
    message: `La cuenta ya tiene ${most} exportaciones en curso, que es el máximo. Espere a que termine una y reintente tras los segundos de \`Retry-After\`.`,
  });
}

/** Sends page after page, no faster than the client reads. */
async function streamExport(
  deps: ExportDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  spec: ExportSpec,
): Promise<void> {
  const query = request.query as ExportQuery;
  const { accountId } = request.access;
  const now = deps.clock.now();
  const after = await placeOf(deps, accountId, query, spec);
  const asOf = after?.asOf ?? (await lastInstant(deps.pool, accountId));
  const conditions = [
    // Without this limit, an ascending export of a busy account might never end.
    { sql: "created_at <= ?", values: [asOf] },
    ...since("created_at", query.created_since),
    ...until("created_at", query.created_until),
    ...spec.list.conditions(query as never, now, accountId),
  ];
  const order = spec.list.order?.(query as never) ?? "desc";
  const read = async (buffer: PageBuffer, from: Position | undefined, limit: number): Promise<ExportPage> => {
    const { table, transform, changesByHour } = spec.list;
    const changed = { updatedSince: query.updated_since, changesByHour };
    const list = { table, accountId, conditions, order, limit, after: from, asOf, ...changed };
    const page = await deps.limitReads(() => readExportPage(deps.pool, list, buffer));
    return transform ? { ...page, bytes: transformLines(page.bytes, (line) => transform(line, now).text) } : page;
  };

  // The first page is read before the headers are sent, so that a failure is still a normal error response.
  const first = await read(newPageBuffer(firstSizeBytes), after, firstRows);
  const isZipped = chooseEncoding(request.headers["accept-encoding"], ["gzip"]) !== undefined;
  void reply.headers({
    "content-type": "application/x-ndjson",
    "export-as-of": asOf.toISOString(),
    "cache-control": "no-store",
    vary: "Accept-Encoding",
    ...(isZipped && { "content-encoding": "gzip" }),
  });
  reply.hijack();
  reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
  deps.running.add(reply.raw);
  try {
    await writePages(isZipped ? zippedInto(reply.raw) : reply.raw, first, read);
  } catch (error) {
    // The response has begun: closing the connection is the only way to show that it is incomplete.
    if (!reply.raw.destroyed) request.log.warn({ err: error, request_id: request.id }, "export cut");
    reply.raw.destroy();
  } finally {
    deps.running.delete(reply.raw);
  }
}

const firstRows = 200;
const firstSizeBytes = 256 * 1024;
const maxRows = 20_000;
/** The target size of a page. It keeps memory constant, whatever the size of the records. */
const pageSizeBytes = 2 * 1024 * 1024;
/** Pages read ahead of the client, so that short delays on either side do not stop the other. */
const pagesAhead = 2;

type ReadPage = (buffer: PageBuffer, from: Position | undefined, limit: number) => Promise<ExportPage>;

/** Writes the pages and waits for the client to take each one while the next are read. */
async function writePages(sink: Writable, first: ExportPage, read: ReadPage): Promise<void> {
  const gone = new Promise<never>((_, reject) => sink.once("close", () => reject(new Error("the client went away"))));
  gone.catch(() => {});
  const pages = Readable.from(pagesFrom(first, read), { highWaterMark: pagesAhead });
  for await (const page of pages as AsyncIterable<ExportPage>) await Promise.race([write(sink, page.bytes), gone]);
  sink.end();
}

/** One buffer for each page ahead, one for the page being read and one for the page being written. */
async function* pagesFrom(first: ExportPage, read: ReadPage): AsyncGenerator<ExportPage> {
  const buffers = Array.from({ length: pagesAhead + 2 }, () => newPageBuffer(pageSizeBytes));
  yield first;
  for (let page = first; page.hasMore; ) {
    buffers.push(buffers.shift()!);
    page = await read(buffers[0]!, page.end, fittingRows(page));
    yield page;
  }
}

/** How many rows of this size fill a page. */
function fittingRows({ rows, bytes }: ExportPage): number {
  return Math.min(maxRows, Math.max(1, Math.round((0.9 * pageSizeBytes * rows) / bytes.length)));
}

/** Resolves once the client or the compressor has taken the bytes. Until then the buffer must not be reused. */
function write(sink: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    sink.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

/** Level 1, because a higher level would be the bottleneck. */
function zippedInto(response: ServerResponse): Writable {
  const gzip = createGzip({ level: 1 });
  pipeline(gzip, response, () => {});
  return gzip;
}

function transformLines(bytes: Buffer, transform: (line: string) => string): Buffer {
  const lines = bytes.toString("utf8").split("\n").slice(0, -1);
  return Buffer.from(lines.map((line) => `${transform(line)}\n`).join(""));
}

/** The instant of the account's last change. Later changes are found by `updated_since`. */
async function lastInstant(pool: Pool, accountId: string): Promise<Date> {
  const { rows } = await pool.query<{ ts: Date }>(sql`select ts from account_clock where account_id = ${accountId}`);
  return rows[0]!.ts;
}

/** `starting_after` is the id of the last line received, or a cursor of the list with the same filters. */
async function placeOf(
  { pool, config }: ExportDeps,
  accountId: string,
  query: ExportQuery,
  spec: ExportSpec,
): Promise<Position | undefined> {
  const { starting_after: text, ...filters } = query;
  if (text === undefined) return undefined;
  if (isUuid(text)) {
    const createdAt = await spec.createdAtOf(pool, accountId, text);
    if (createdAt) return { createdAt, id: text };
  } else {
    const scope = { key: config.secretKeys, route: spec.listRoute, accountId, filters: canonicalJson(filters) };
    const place = decodeCursor(text, scope);
    if (place) return place;
  }
  throw new ApiError("INVALID_CURSOR", { param: "starting_after" });
}
