import { instantArray, jsonArray, plainArray, textArray } from "../../db/arrays.ts";
import { isAccountAway } from "../../db/nodes.ts";
import type { Partitions } from "../../db/partitions.ts";
import type { Pool } from "../../db/pool.ts";
import { prepared, type Statement, unnested } from "../../db/sql.ts";
import type { Clock } from "../../lib/clock.ts";
import { uuidOfRequestId } from "../../lib/request-id.ts";
import { dailyAllowance, type RequestDetails } from "./loggable-request.ts";

/** A request made with a key, as the portal shows it. */
export interface LoggedRequest {
  accountId: string;
  keyId: string;
  requestId: string;
  method: string;
  path: string;
  status: number;
  ms: number;
  /** Asked for only while the account's allowance lasts. */
  details: () => RequestDetails;
}

export interface RequestLog {
  /** Only pushes onto an array: no request waits for the log. */
  note(request: LoggedRequest): void;
  /** Writes everything noted so far. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

const flushEveryMs = 1_000;
/** After a failure the pause between attempts doubles, up to this. */
const maxPauseMs = 10_000;
const batchSize = 2_000;
/** While the database is down, further requests are not logged instead of filling memory. */
const maxWaiting = 20_000;
/** And when so many wait, their headers are left out. */
const maxWaitingDetailed = 2_000;
const maxPathLength = 300;

interface Row {
  accountId: string;
  keyId: string;
  at: Date;
  id: string;
  method: string;
  path: string;
  status: number;
  ms: number;
  /** Whether the account's allowance covers it; its key's last use counts in any case. */
  isKept: boolean;
  details: RequestDetails | undefined;
}

/** Collects requests and writes them in batches of up to 2 000, along with each key's last use. */
export function requestLog(
  deps: { pool: Pool; partitions: Partitions; clock: Clock },
  onError: (error: Error) => void,
): RequestLog {
  const allowance = dailyAllowance();
  let waiting: Row[] = [];
  let lastFailedAt = Number.NEGATIVE_INFINITY;
  let pauseMs = 0;
  /** An attempt failed, and may have succeeded although its result was lost. */
  let maybeWritten = false;
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (waiting.length > 0 && deps.clock.isTrusted?.() !== false) {
      // Those of a business whose node is away wait for it.
      const batch = waiting.filter(({ accountId }) => !isAccountAway(deps.pool, accountId)).slice(0, batchSize);
      if (batch.length === 0) return;
      try {
        await deps.partitions.ensure(deps.clock.now());
        await deps.pool.query(insertion(batch, maybeWritten));
        // In the order of the requests, so the last use of a key is the one that stays.
        const lastUses = new Map(batch.map(({ keyId, at }) => [keyId, at]));
        await deps.pool.query(prepared(usedText, [[...lastUses.keys()], [...lastUses.values()]]));
        const written = new Set(batch);
        waiting = waiting.filter((row) => !written.has(row));
        pauseMs = 0;
        maybeWritten = false;
      } catch (error) {
        maybeWritten = true;
        if (await deps.partitions.createMissing(error).catch(() => false)) continue;
        lastFailedAt = performance.now();
        pauseMs = Math.min(Math.max(2 * pauseMs, flushEveryMs), maxPauseMs);
        onError(error as Error);
        return;
      }
    }
  }
  function flush(): Promise<void> {
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  }
  const timer = setInterval(() => {
    if (waiting.length > 0 && performance.now() - lastFailedAt >= pauseMs) void flush();
  }, flushEveryMs);
  timer.unref();
  return {
    note(request) {
      if (waiting.length >= maxWaiting || isAccountAway(deps.pool, request.accountId)) return;
      const now = deps.clock.now();
      const kept = allowance.take(request.accountId, now, request.status >= 400);
      const details = kept.details && waiting.length < maxWaitingDetailed ? request.details() : undefined;
      waiting.push({
        accountId: request.accountId,
        keyId: request.keyId,
        at: now,
        id: uuidOfRequestId(request.requestId),
        method: request.method,
        path: request.path.slice(0, maxPathLength),
        status: request.status,
        ms: request.ms,
        isKept: kept.line,
        details,
      });
    },
    async flush() {
      // Include what was noted while a batch was being written.
      await writing;
      await flush();
    },
    async stop() {
      clearInterval(timer);
      await writing;
      await flush();
    },
  };
}

// last_used_at changes at most once a minute, so that a busy key's row is not rewritten every second. Keys are locked in a
// fixed order to avoid deadlocks.
const usedText = `
  with stale as (
    select k.id, c.at from ${unnested("$1::uuid[]", "$2::timestamptz[]")} as c(key_id, at)
    join api_keys k on k.id = c.key_id and (k.last_used_at is null or k.last_used_at < c.at - interval '1 minute')
    order by k.id for no key update of k
  )
  update api_keys k set last_used_at = stale.at from stale where k.id = stale.id`;

/** Columns instead of JSON, and a check for repeated lines only where there may be some: half the work for PostgreSQL. */
function insertion(batch: readonly Row[], maybeWritten: boolean): Statement {
  const rows = batch.filter((row) => row.isKept);
  const plain = (read: (row: Row) => string | number) => plainArray(rows.map(read));
  return prepared(maybeWritten ? `${insertText} on conflict do nothing` : insertText, [
    plain((row) => row.accountId),
    plain((row) => row.keyId),
    instantArray(rows.map((row) => row.at)),
    plain((row) => row.id),
    plain((row) => row.method),
    textArray(rows.map((row) => row.path)),
    plain((row) => row.status),
    plain((row) => row.ms),
    textArray(rows.map((row) => row.details?.query ?? null)),
    plainArray(rows.map((row) => row.details?.errorCode ?? null)),
    jsonArray(rows.map((row) => row.details?.requestHeaders ?? null)),
    jsonArray(rows.map((row) => row.details?.responseHeaders ?? null)),
  ]);
}

const columns = [
  "uuid",
  "uuid",
  "timestamptz",
  "uuid",
  "text",
  "text",
  "smallint",
  "real",
  "text",
  "text",
  "json",
  "json",
].map((type, i) => `$${i + 1}::${type}[]`);

const insertText = `
  insert into request_log (account_id, key_id, created_at, id, method, path, status, ms, query, error_code, request_headers,
    response_headers)
  select * from ${unnested(...columns)}`;
