import type { Partitions } from "../../db/partitions.ts";
import type { Pool } from "../../db/pool.ts";
import { prepared, unnested } from "../../db/sql.ts";
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

export const requestLogDays = 7;
const flushEveryMs = 1_000;
/** After a failure the pause between attempts doubles, up to this. */
const maxPauseMs = 10_000;
const batchSize = 2_000;
/** While the database is down, further requests are not logged instead of filling memory. */
const maxWaiting = 20_000;
/** And when so many wait, their headers are left out. */
const maxWaitingDetailed = 2_000;
const maxPathLength = 300;

type Row = { key_id: string; created_at: Date } & Record<string, unknown>;

/** Collects requests and writes them in batches of up to 2 000, along with each key's last use. */
export function requestLog(
  deps: { pool: Pool; partitions: Partitions; clock: Clock },
  onError: (error: Error) => void,
): RequestLog {
  const allowance = dailyAllowance();
  let waiting: Row[] = [];
  let lastFailedAt = Number.NEGATIVE_INFINITY;
  let pauseMs = 0;
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (waiting.length > 0 && deps.clock.isTrusted?.() !== false) {
      const batch = waiting.slice(0, batchSize);
      try {
        await deps.partitions.ensure(deps.clock.now());
        await deps.pool.query(prepared(writeText, [JSON.stringify(batch)]));
        // In the order of the requests, so the last use of a key is the one that stays.
        const lastUses = new Map(batch.map(({ key_id, created_at }) => [key_id, created_at]));
        await deps.pool.query(prepared(usedText, [[...lastUses.keys()], [...lastUses.values()]]));
        waiting = waiting.slice(batch.length);
        pauseMs = 0;
      } catch (error) {
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
      if (waiting.length >= maxWaiting) return;
      const now = deps.clock.now();
      const kept = allowance.take(request.accountId, now, request.status >= 400);
      const details = kept.details && waiting.length < maxWaitingDetailed ? request.details() : undefined;
      waiting.push({
        account_id: request.accountId,
        key_id: request.keyId,
        created_at: now,
        id: uuidOfRequestId(request.requestId),
        method: request.method,
        path: request.path.slice(0, maxPathLength),
        status: request.status,
        ms: request.ms,
        is_kept: kept.line,
        query: details?.query,
        error_code: details?.errorCode,
        request_headers: details?.requestHeaders,
        response_headers: details?.responseHeaders,
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

// `on conflict`: an earlier attempt may have succeeded although its result was lost.
const writeText = `
  insert into request_log (account_id, key_id, created_at, id, method, path, status, ms, query, error_code, request_headers,
    response_headers)
  select account_id, key_id, created_at, id, method, path, status, ms, query, error_code, request_headers, response_headers
  from json_to_recordset($1::json) as c(account_id uuid, key_id uuid, created_at timestamptz, id uuid, method text, path text,
    status smallint, ms real, is_kept boolean, query text, error_code text, request_headers json, response_headers json)
  where is_kept
  on conflict do nothing`;
