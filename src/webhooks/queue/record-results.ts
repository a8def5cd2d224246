import type { QueryResult } from "pg";
import { isCitusPool } from "../../db/distribute.ts";
import { sendPacket } from "../../db/packet.ts";
import type { Pool } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import { commit, inOneTripWhereReached, rollback } from "../../db/transaction.ts";
import { must } from "../../lib/must.ts";
import type { EndpointHealth } from "../endpoints/endpoint-health.ts";
import type { ClaimedDelivery } from "./claim.ts";
import type { DeliveryResult } from "./delivery-result.ts";
import {
  isFailureAmong,
  type JudgedRow,
  judgeStatements,
  storeStatements,
  type TakenRow,
  takeStatements,
} from "./result-statements.ts";

/** The health of an endpoint after the batch, for those that failed in it. */
export interface FailingEndpoint {
  accountId: string;
  endpointId: string;
  health: EndpointHealth;
  noticeFor: Date | null;
}

/**
 * Writes a batch of results in one transaction. Deliveries that ended move from the queue to the history, those to be
 * retried get their next due time, and endpoints that failed or recovered get their new health.
 *
 * A failure first locks its endpoint's row, in the order of the ids, and so does every change that deactivates or
 * deletes the endpoint or ends the plan: either that change finds the retry in the queue and drops it, or this one
 * sees the change and queues no retry. So a batch with failures takes a trip more.
 *
 * A batch may come twice, when the reply to it was lost: by then its deliveries have left the queue, and nothing is
 * counted again.
 */
export async function recordResults(
  pool: Pool,
  batch: readonly DeliveryResult[],
  now: Date,
): Promise<FailingEndpoint[]> {
  const parts = await inParts(pool, batch);
  const opening = ["begin", ...parts.flatMap(judgeStatements)];
  const hasFailure = isFailureAmong(batch);
  const client = await pool.connect();
  try {
    const judged = hasFailure ? rowsOf<JudgedRow>(await sendPacket(client, opening)) : [];
    const settled = hasFailure ? parts.map((part) => withoutClosed(part, judged)) : parts;
    const before = hasFailure ? [] : opening;
    const take = settled.map(takeStatements);
    const results = (await sendPacket(client, [...before, ...take.flat()])).slice(before.length);
    const store = settled.flatMap((part, i) =>
      storeStatements(
        part,
        rowsOf<TakenRow>(results.splice(0, must(take[i], "There is one statement for each part").length)),
        now,
      ),
    );
    await commit(client, store);
    client.release();
    return judged.filter((row) => row.consecutive_failures > 0).map(failing);
  } catch (error) {
    await rollback(client);
    throw error;
  }
}

function rowsOf<T>(results: readonly QueryResult[]): T[] {
  return results.flatMap(({ rows }) => rows as T[]);
}

/** What one statement is for: all accounts, or one on Citus, whose node then gets it as it is. */
async function inParts(pool: Pool, batch: readonly DeliveryResult[]): Promise<(readonly DeliveryResult[])[]> {
  if (!(await isCitusPool(pool))) return [batch];
  // In one order, so that two processes never wait for each other.
  const byAccount = [...Map.groupBy(batch, ({ delivery }) => delivery.accountId)].sort(([a], [b]) => (a < b ? -1 : 1));
  return byAccount.map(([, own]) => own);
}

/** Retries of endpoints that get no more are dropped. */
function withoutClosed(batch: readonly DeliveryResult[], judged: readonly JudgedRow[]): DeliveryResult[] {
  const open = new Set(judged.flatMap(({ id, is_open: isOpen }) => (isOpen ? [id] : [])));
  return batch.map((result) =>
    result.next.kind === "retry" && !open.has(result.delivery.endpointId)
      ? { ...result, next: { kind: "dropped" } }
      : result,
  );
}

function failing(row: JudgedRow): FailingEndpoint {
  return {
    accountId: row.account_id,
    endpointId: row.id,
    health: { consecutiveFailures: row.consecutive_failures, failingSince: row.failing_since },
    noticeFor: row.notice_for,
  };
}

/** Releases claimed deliveries that were not sent; they may be claimed again after `waitMs`, or when their lease ends. */
export async function releaseUnsent(pool: Pool, deliveries: readonly ClaimedDelivery[], waitMs = 0): Promise<void> {
  const byAccount = Map.groupBy(deliveries, ({ accountId }) => accountId);
  await inOneTripWhereReached(
    pool,
    Array.from(byAccount, ([accountId, own]) =>
      prepared(releaseText, [
        accountId,
        own.map(({ endpointId }) => endpointId),
        own.map(({ dueAt }) => dueAt),
        own.map(({ id }) => id),
        waitMs,
      ]),
    ),
  );
}

const releaseText = `
  update webhook_queue q set leased_until = statement_timestamp() + $5::int * interval '1 millisecond'
  from unnest($2::uuid[], $3::timestamptz[], $4::uuid[]) as d(endpoint_id, due_at, id)
  where q.account_id = $1 and q.endpoint_id = d.endpoint_id and q.due_at = d.due_at and q.id = d.id`;
