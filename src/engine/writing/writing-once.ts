import { createHash } from "node:crypto";
import type { Pool } from "../../db/pool.ts";
import { type Statement, sql } from "../../db/sql.ts";
import { advanceClockForOperation, clockRow } from "./account-clock.ts";
import { Draft } from "./draft.ts";
import type { Write } from "./write.ts";
import { enqueueWrite, type Job, writeOutsideQueue } from "./write-queue.ts";
import { type WritingDeps, wakeListeners, withPartitions } from "./writing.ts";

/** Identifies an operation that must happen only once, however often it is retried. */
export interface IdempotencyKey {
  key: string;
  fingerprint: Buffer;
  /** An operation stored before this no longer counts as the same one. */
  validAfter: Date;
  requestId: string;
}

/** An operation's HTTP response, stored verbatim. */
export interface StoredResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export type OnceResult =
  | { kind: "done"; response: StoredResponse }
  | { kind: "replayed"; response: StoredResponse }
  | { kind: "in-progress" }
  | { kind: "reused" };

const pendingOperations = new WeakMap<Pool, Set<bigint>>();

/** A write that commits its key, effect and response together: a crash leaves nothing half done and no key locked. */
export async function writingOnce(
  deps: WritingDeps,
  accountId: string,
  once: IdempotencyKey,
  work: (write: Write) => Promise<StoredResponse>,
): Promise<OnceResult> {
  return withPartitions(deps, () => enqueueOnce(deps, accountId, once, work));
}

function enqueueOnce(
  deps: WritingDeps,
  accountId: string,
  once: IdempotencyKey,
  work: (write: Write) => Promise<StoredResponse>,
): Promise<OnceResult> {
  const operation = operationLock(accountId, once.key);
  const pending = pendingOperations.get(deps.pool) ?? new Set();
  pendingOperations.set(deps.pool, pending);
  // A retry gets the operation's status at once instead of queueing behind it.
  const isRetry = pending.has(operation);
  return new Promise((resolve, reject) => {
    let draft: Draft | undefined;
    let result: OnceResult;
    const end = () => void (isRetry || pending.delete(operation));
    const job: Job = {
      opening: () => [advanceClockForOperation(accountId, deps.clock.now(), operation), findResponse(accountId, once)],
      async proceed(client, [clock, stored]) {
        // A completed operation is replayed even while another retry holds its lock.
        const earlier = stored!.rows[0] as IdempotencyRow | undefined;
        const isFree = clock!.rows.length > 0;
        if (earlier || !isFree) {
          result = earlier ? replay(earlier, once) : { kind: "in-progress" };
          return undefined;
        }
        draft = new Draft(client, accountId, clockRow(clock, accountId), once.requestId);
        const response = await work(draft);
        result = { kind: "done", response };
        return [...draft.statements(deps.clock.now()), storeResponse(draft, once, response)];
      },
      settle(results) {
        end();
        if (draft) wakeListeners(deps, accountId, draft, results);
        resolve(result);
      },
      fail(error) {
        end();
        reject(error as Error);
      },
    };
    if (isRetry) writeOutsideQueue(deps.pool, job);
    else {
      pending.add(operation);
      enqueueWrite(deps.pool, accountId, job);
    }
  });
}

function findResponse(accountId: string, once: IdempotencyKey): Statement {
  return sql`
    select fingerprint, status, headers, body from idempotency_keys
    where account_id = ${accountId} and key = ${once.key} and created_at > ${once.validAfter}
    order by created_at desc limit 1`;
}

function replay(earlier: IdempotencyRow, once: IdempotencyKey): OnceResult {
  if (!earlier.fingerprint.equals(once.fingerprint)) return { kind: "reused" };
  const { status, headers, body } = earlier;
  return { kind: "replayed", response: { status, headers: JSON.parse(headers), body } };
}

interface IdempotencyRow {
  fingerprint: Buffer;
  status: number;
  headers: string;
  body: string;
}

function operationLock(accountId: string, key: string): bigint {
  return createHash("sha256").update(`${accountId}\n${key}`).digest().readBigInt64BE();
}

function storeResponse(write: Write, once: IdempotencyKey, response: StoredResponse): Statement {
  return sql`
    insert into idempotency_keys (account_id, key, created_at, fingerprint, status, headers, body)
    values (${write.accountId}, ${once.key}, ${write.at}, ${once.fingerprint}, ${response.status},
      ${JSON.stringify(response.headers)}, ${response.body})`;
}
