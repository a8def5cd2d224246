import type { Partitions } from "../../db/partitions.ts";
import type { Pool } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import type { Clock } from "../../lib/clock.ts";
import { uuidOfRequestId } from "../../lib/request-id.ts";

/** A call made with a key, as the portal shows it. */
export interface Call {
  accountId: string;
  keyId: string;
  requestId: string;
  method: string;
  path: string;
  status: number;
  ms: number;
}

export interface RequestLog {
  /** Costs a push onto an array: nothing here makes a request wait. */
  note(call: Call): void;
  /** Writes what was noted so far. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export const requestLogDays = 7;
const flushEveryMs = 1_000;
/** While it cannot be written it is tried less and less often, and at least this often. */
const longestPauseMs = 10_000;
const batchSize = 2_000;
/** While the database is away the log is cut, not the memory. */
const maxWaiting = 20_000;
const longestPath = 300;

/** Gathers calls and writes them in batches, one statement for up to 2 000 of them, with the keys' last use. */
export function requestLog(
  deps: { pool: Pool; partitions: Partitions; clock: Clock },
  onError: (error: Error) => void,
): RequestLog {
  let waiting: object[] = [];
  let lastFailedAt = Number.NEGATIVE_INFINITY;
  let pauseMs = 0;
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (waiting.length > 0 && deps.clock.isTrusted?.() !== false) {
      const batch = waiting.slice(0, batchSize);
      try {
        await deps.partitions.ensure(deps.clock.now());
        await deps.pool.query(prepared(writeText, [JSON.stringify(batch)]));
        waiting = waiting.slice(batch.length);
        pauseMs = 0;
      } catch (error) {
        if (await deps.partitions.mend(error).catch(() => false)) continue;
        lastFailedAt = performance.now();
        pauseMs = Math.min(Math.max(2 * pauseMs, flushEveryMs), longestPauseMs);
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
    note(call) {
      if (waiting.length >= maxWaiting) return;
      waiting.push({
        account_id: call.accountId,
        key_id: call.keyId,
        created_at: deps.clock.now(),
        id: uuidOfRequestId(call.requestId),
        method: call.method,
        path: call.path.slice(0, longestPath),
        status: call.status,
        ms: call.ms,
      });
    },
    async flush() {
      // What was noted while a batch was on its way belongs to this call too.
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

// last_used_at moves once a minute at most: a busy key is no reason to rewrite its row every second. A batch may have been
// written before, by an attempt whose answer was lost. Keys are locked in one order: two processes never wait in a circle.
const writeText = `
  with call as materialized (
    select * from json_to_recordset($1::json) as c(account_id uuid, key_id uuid, created_at timestamptz, id uuid, method text,
      path text, status smallint, ms real)
  ), stale as (
    select k.id, c.at from (select key_id, max(created_at) as at from call group by key_id) c
    join api_keys k on k.id = c.key_id and (k.last_used_at is null or k.last_used_at < c.at - interval '1 minute')
    order by k.id for no key update of k
  ), used as (
    update api_keys k set last_used_at = stale.at from stale where k.id = stale.id
  )
  insert into request_log (account_id, key_id, created_at, id, method, path, status, ms)
  select account_id, key_id, created_at, id, method, path, status, ms from call
  on conflict do nothing`;
