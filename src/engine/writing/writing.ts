import type { QueryResult } from "pg";
import type { Partitions } from "../../db/partitions.ts";
import type { Pool } from "../../db/pool.ts";
import type { Clock } from "../../lib/clock.ts";
import type { DeliverySignal } from "../deliveries/delivery-signal.ts";
import { queuedEndpoints } from "../deliveries/fan-out.ts";
import { clockRow, takeClock } from "./account-clock.ts";
import { Draft } from "./draft.ts";
import type { FeedSignal } from "./feed-signal.ts";
import { takeTurn } from "./turns.ts";
import type { Write } from "./write.ts";

export interface WritingDeps {
  pool: Pool;
  clock: Clock;
  partitions: Partitions;
  /** Tells this process's webhook worker what was just committed. Without one, a worker finds it when it next looks. */
  deliveries?: DeliverySignal | undefined;
  /** Wakes the registers that wait in this process. Without one, they find the change when they next look. */
  feed?: FeedSignal | undefined;
}

/**
 * One change of one account, whole or not at all, at its own place in the account's order. Its events keep the id of the
 * request that caused it, where there was one.
 */
export async function writing<T>(
  deps: WritingDeps,
  accountId: string,
  work: (write: Write) => Promise<T> | T,
  requestId?: string,
): Promise<T> {
  return withPartitions(deps, () => writeOnTurn(deps, accountId, work, requestId));
}

/** The work is done again when its account's clock is on a day that has no partition: nothing of the first time was kept. */
export async function withPartitions<T>({ partitions, clock }: WritingDeps, write: () => Promise<T>): Promise<T> {
  await partitions.ensure(clock.now());
  try {
    return await write();
  } catch (error) {
    if (!(await partitions.createMissing(error))) throw error;
    return write();
  }
}

function writeOnTurn<T>(
  deps: WritingDeps,
  accountId: string,
  work: (write: Write) => Promise<T> | T,
  requestId: string | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let draft: Draft;
    let result: T;
    takeTurn(deps.pool, accountId, {
      opening: () => [takeClock(accountId, deps.clock.now())],
      async proceed(client, [clock]) {
        draft = new Draft(client, accountId, clockRow(clock, accountId), requestId);
        result = await work(draft);
        return draft.isForgotten ? undefined : draft.statements(deps.clock.now());
      },
      settle(results) {
        if (!draft.isForgotten) announce(deps, accountId, draft, results);
        resolve(result);
      },
      fail: reject,
    });
  });
}

export function announce(deps: WritingDeps, accountId: string, draft: Draft, results: QueryResult[]): void {
  deps.deliveries?.announce(queuedEndpoints(results));
  if (draft.movedFeed) deps.feed?.announce(accountId);
}
