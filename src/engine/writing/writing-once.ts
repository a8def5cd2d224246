import type { Pool } from "../../db/pool.ts";
import type { Ending, Job, WritingDeps } from "./job.ts";
import { type FoundResponse, type IdempotencyKey, operationLock, type StoredResponse } from "./stored-responses.ts";
import type { Write } from "./write.ts";
import { enqueueWrite, writeOutsideQueue } from "./write-queue.ts";
import { withPartitions } from "./writing.ts";

export type { StoredResponse } from "./stored-responses.ts";

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
  const lock = operationLock(accountId, once.key);
  const pending = pendingOperations.get(deps.pool) ?? new Set();
  pendingOperations.set(deps.pool, pending);
  // A retry gets the operation's status at once instead of queueing behind it.
  const isRetry = pending.has(lock);
  return new Promise((resolve, reject) => {
    let response: StoredResponse;
    const end = () => void (isRetry || pending.delete(lock));
    const job: Job = {
      deps,
      requestId: once.requestId,
      isShort: true,
      once: { ...once, lock },
      async run(write) {
        response = await work(write);
        return response;
      },
      settle(ending) {
        end();
        resolve(resultOf(ending, once, response));
      },
      fail(error) {
        end();
        reject(error as Error);
      },
    };
    if (isRetry) writeOutsideQueue(accountId, job);
    else {
      pending.add(lock);
      enqueueWrite(accountId, job);
    }
  });
}

function resultOf(ending: Ending, once: IdempotencyKey, response: StoredResponse): OnceResult {
  switch (ending.kind) {
    case "written":
      return { kind: "done", response };
    case "in-progress":
      return ending;
    case "earlier":
      return replay(ending.response, once);
  }
}

function replay({ fingerprint, status, headers, body }: FoundResponse, once: IdempotencyKey): OnceResult {
  if (!fingerprint.equals(once.fingerprint)) return { kind: "reused" };
  return { kind: "replayed", response: { status, headers: JSON.parse(headers), body } };
}
