import type { Ending, Job, WritingDeps } from "./job.ts";
import { type FoundResponse, type IdempotencyKey, operationLock, type StoredResponse } from "./stored-responses.ts";
import type { Write } from "./write.ts";
import { withPartitions } from "./writing.ts";

export type { StoredResponse } from "./stored-responses.ts";

export type OnceResult =
  | { kind: "done"; response: StoredResponse }
  | { kind: "replayed"; response: StoredResponse }
  | { kind: "in-progress" }
  | { kind: "reused" };

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
  const { pendingOperations, writes } = deps;
  if (!pendingOperations.begin(lock)) return statusOf(deps, accountId, once);
  return new Promise((resolve, reject) => {
    let response: StoredResponse;
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
        pendingOperations.end(lock);
        resolve(resultOf(ending, once, response));
      },
      fail(error) {
        pendingOperations.end(lock);
        reject(error as Error);
      },
    };
    writes.add(accountId, job);
  });
}

/** A repeat learns how its operation stands instead of queueing behind it. It never does the work itself. */
async function statusOf(deps: WritingDeps, accountId: string, once: IdempotencyKey): Promise<OnceResult> {
  const found = await deps.pendingOperations.find(accountId, once);
  return found ? replay(found, once) : { kind: "in-progress" };
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
