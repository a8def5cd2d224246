import type { QueryResult } from "pg";
import type { Partitions } from "../../db/partitions.ts";
import type { Pool } from "../../db/pool.ts";
import type { Clock } from "../../lib/clock.ts";
import type { DeliverySignal } from "../deliveries/delivery-signal.ts";
import { queuedEndpoints } from "../deliveries/fan-out.ts";
import { advanceClock, clockRow } from "./account-clock.ts";
import { Draft } from "./draft.ts";
import type { FeedSignal } from "./feed-signal.ts";
import type { Write } from "./write.ts";
import { enqueueWrite } from "./write-queue.ts";

export interface WritingDeps {
  pool: Pool;
  clock: Clock;
  partitions: Partitions;
  /** Wakes this process's webhook worker after a commit. Without it, a worker finds the deliveries at its next poll. */
  deliveries?: DeliverySignal | undefined;
  /** Wakes the registers that long-poll this process. Without it, they find the change at their next poll. */
  feed?: FeedSignal | undefined;
}

/**
 * One atomic change to one account, with its own place in the account's order. Its events record the id of the request
 * that caused it, if there was one.
 */
export async function writing<T>(
  deps: WritingDeps,
  accountId: string,
  work: (write: Write) => Promise<T> | T,
  requestId?: string,
): Promise<T> {
  return withPartitions(deps, () => enqueue(deps, accountId, work, requestId));
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
  requestId: string | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let draft: Draft;
    let result: T;
    enqueueWrite(deps.pool, accountId, {
      opening: () => [advanceClock(accountId, deps.clock.now())],
      async proceed(client, [clock]) {
        draft = new Draft(client, accountId, clockRow(clock, accountId), requestId);
        result = await work(draft);
        return draft.isDiscarded ? undefined : draft.statements(deps.clock.now());
      },
      settle(results) {
        if (!draft.isDiscarded) wakeListeners(deps, accountId, draft, results);
        resolve(result);
      },
      fail: reject,
    });
  });
}

export function wakeListeners(deps: WritingDeps, accountId: string, draft: Draft, results: QueryResult[]): void {
  deps.deliveries?.announce(queuedEndpoints(results));
  if (draft.movedFeed) deps.feed?.announce(accountId);
}
