import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { TObject } from "typebox";
import { withAccountLock } from "../../../access/accounts/account-lock.ts";
import { recordAudit } from "../../../access/accounts/record-audit.ts";
import type { NeededRight } from "../../../access/people/needed-right.ts";
import type { Pool } from "../../../db/pool.ts";
import type { Deps } from "../../../deps.ts";
import { concurrencyLimit, type RunningTasks, runningTasks } from "../../../lib/concurrency-limit.ts";
import { ApiError } from "../../../lib/errors.ts";
import { bogotaDate } from "../../../taxes/bogota-time.ts";
import { limitsOf } from "../../http/traffic-limits.ts";
import type { TypedApp } from "../../public/public-app.ts";
import { filesOfCustomers } from "../lists/files-of-customers.ts";
import { actorOf } from "../settings/session-routes.ts";
import { csvOf } from "./csv.ts";
import { asJson, jsonLinesOf } from "./json-lines.ts";
import { type OfSedes, sedesAsked } from "./sedes.ts";
import { type Line, linesOf, type Table, type TableLimits, tableLimits } from "./table.ts";
import { xlsxOf } from "./xlsx.ts";

const formats = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  jsonl: "application/x-ndjson",
} as const;
type Format = keyof typeof formats;

/** Declares a table: where it is, which filters it takes, and the table that an account's request gets. */
export interface DeclaredTable<Query> {
  /** `/tables/sales` is served as `/tables/sales.csv` and `/tables/sales.xlsx`. */
  path: string;
  right: NeededRight;
  query: TObject;
  // biome-ignore lint/suspicious/noExplicitAny: each table has rows of its own, which only its own columns read
  make: (request: { accountId: string; query: Query & OfSedes }) => Table<any> | Promise<Table<any>>;
  limits?: TableLimits;
  /** Whether there is a file for programs too, in which each line is a row as JSON: `/tables/audit-log.jsonl`. */
  hasLines?: boolean | undefined;
}

/** GET of a table as a file, for a plain link: the browser sends the session's cookie and saves what it gets. */
export function serveTable<Query>(app: TypedApp, deps: Deps, table: DeclaredTable<Query>): void {
  const downloads = downloadsOf(app, deps);
  for (const format of Object.keys(formats) as Format[]) {
    if (format === "jsonl" && !table.hasLines) continue;
    app.get(
      `${table.path}.${format}`,
      // A HEAD would have to read the whole table.
      { exposeHeadRoute: false, config: { right: table.right }, schema: { querystring: table.query } },
      (request, reply) => sendTable(deps, downloads, request, reply, table as DeclaredTable<unknown>, format),
    );
  }
}

export interface Downloads {
  byAccount: RunningTasks;
  /** Running downloads. They are cut when the service stops. */
  running: Set<Readable>;
  limitReads: ReturnType<typeof concurrencyLimit>;
}

const maxReaders = 3;

/** One count for all tables of a process. */
const downloadsByPool = new WeakMap<Pool, Downloads>();

export function downloadsOf(app: TypedApp, { pool }: Deps): Downloads {
  let downloads = downloadsByPool.get(pool);
  if (!downloads) {
    downloads = { byAccount: runningTasks(), running: new Set(), limitReads: concurrencyLimit(maxReaders) };
    downloadsByPool.set(pool, downloads);
    const { running } = downloads;
    app.addHook("preClose", (done) => {
      for (const stream of running) stream.destroy();
      done();
    });
  }
  return downloads;
}

/** Sends page after page, no faster than the browser reads. Few at once, because each holds pages in memory. */
async function sendTable(
  deps: Deps,
  { byAccount, running, limitReads }: Downloads,
  request: FastifyRequest,
  reply: FastifyReply,
  { path, make, limits = tableLimits }: DeclaredTable<unknown>,
  format: Format,
): Promise<FastifyReply> {
  const { accountId } = request.session;
  const { exportsAtOnce } = limitsOf(deps);
  if (byAccount.count(accountId) >= exportsAtOnce) throw tooMany(exportsAtOnce);
  await byAccount.run([accountId], async () => {
    const query = request.query as { location_id?: string };
    const location_ids = sedesAsked(request.session, query.location_id);
    const made = await make({ accountId, query: { ...query, location_ids } });
    if (filesOfCustomers.has(path)) await recordExport(deps, request, made.title, format);
    const table = format === "jsonl" ? { ...made, columns: [asJson] } : made;
    const lines = linesOf({ ...table, pages: oneAtATime(table.pages, limitReads) }, limits);
    // The first rows are read before the headers are sent, so that a failure is still a normal error response.
    const first = await lines.next();
    const stream = Readable.from(fileOf(table, format, following(first, lines)), { objectMode: false });
    const closed = new Promise<void>((resolve) => void stream.once("close", resolve));
    running.add(stream);
    void reply
      .headers(
        attached(
          [table.title, table.sedes, `${bogotaDate(deps.clock.now())}.${format}`].filter(Boolean).join(" "),
          formats[format],
        ),
      )
      .send(stream);
    // Sent, failed, or cut together with its connection.
    await closed;
    running.delete(stream);
  });
  return reply;
}

/** Whoever carries away who the customers are leaves a line before the file begins. */
async function recordExport(deps: Deps, request: FastifyRequest, name: string, format: Format): Promise<void> {
  const { accountId } = request.session;
  const entry = {
    accountId,
    at: deps.clock.now(),
    action: "customers_file.export",
    details: { name, format },
  } as const;
  await withAccountLock(deps, accountId, (client) => recordAudit(client, { ...entry, actor: actorOf(request) }));
}

/** The headers of a file that a browser saves. */
export function attached(name: string, type: string): Record<string, string> {
  return {
    "content-type": type,
    "content-disposition": `attachment; filename="${plainName(name)}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    "x-content-type-options": "nosniff",
  };
}

/** Reads a page only when it is this download's turn, so that other requests have connections. */
async function* oneAtATime<Page>(
  pages: AsyncIterable<Page>,
  limitReads: Downloads["limitReads"],
): AsyncGenerator<Page> {
  const reading = pages[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await limitReads(() => reading.next());
      if (done) return;
      yield value;
    }
  } finally {
    await reading.return?.();
  }
}

function fileOf(
  { title, columns }: Pick<Table<never>, "title" | "columns">,
  format: Format,
  lines: AsyncIterable<readonly Line[]>,
): AsyncGenerator<string | Buffer> {
  switch (format) {
    case "csv":
      return csvOf(columns, lines);
    case "xlsx":
      return xlsxOf(title, columns, lines);
    case "jsonl":
      return jsonLinesOf(lines);
  }
}

async function* following<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    if (first.done) return;
    yield first.value;
    yield* rest;
  } finally {
    // A download that was cut before its second page must still end its reading.
    await rest.return(undefined);
  }
}

/** For browsers that do not read the encoded name. */
function plainName(name: string): string {
  return name
    .normalize("NFD")
    .replace(/[^\x20-\x7e]/g, "")
    .replace(/["\\]/g, "");
}

export function tooMany(most: number): ApiError {
  return new ApiError("RATE_LIMITED", {
    headers: { "retry-after": "10" },
    message: `Ya hay ${most} descargas en curso, que es el máximo. Espere a que termine una y vuelva a intentar.`,
  });
}
