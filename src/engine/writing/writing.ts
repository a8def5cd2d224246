import type { Job, WritingDeps } from "./job.ts";
import type { Write } from "./write.ts";

export type { WritingDeps } from "./job.ts";

/**
 * One atomic change to one account, with its own place in the account's order. Its events record the id of the request
 * that caused it, if there was one.
 *
 * `work` may run more than once: when another write spoils the transaction that they share, each is done again by itself.
 * What it does besides the write must bear that.
 */
export async function writing<T>(
  deps: WritingDeps,
  accountId: string,
  work: (write: Write) => Promise<T> | T,
  requestId?: string,
  known: Partial<Pick<Job, "isShort" | "declared">> = {},
): Promise<T> {
  return withPartitions(deps, () => enqueue(deps, accountId, work, { isShort: false, ...known, requestId }));
}

/** Retries a write that failed because its day has no partition yet. The failed attempt stored nothing. */
export async function withPartitions<T>({ partitions, clock }: WritingDeps, write: () => Promise<T>): Promise<T> {
  await partitions.ensure(clock.now());
  try {
    return await write();
  } catch (error) {
    if (!(await partitions.createMissing(error))) throw error;
    return write();
  }
}

function enqueue<T>(
  deps: WritingDeps,
  accountId: string,
  work: (write: Write) => Promise<T> | T,
  known: Pick<Job, "requestId" | "isShort" | "declared">,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let result: T;
    const job: Job = {
      deps,
      ...known,
      async run(write) {
        result = await work(write);
        return undefined;
      },
      settle: () => resolve(result),
      fail: reject,
    };
    deps.writes.add(accountId, job);
  });
}
