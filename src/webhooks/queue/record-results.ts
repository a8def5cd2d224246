import { isCitusPool } from "../../db/distribute.ts";
import type { Pool } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import { inOneTrip } from "../../db/transaction.ts";
import type { EndpointHealth } from "../endpoints/endpoint-health.ts";
import type { ClaimedDelivery } from "./claim.ts";
import type { DeliveryResult } from "./delivery-result.ts";
import { recordStatement } from "./record-statement.ts";
import { resultStatements } from "./result-statements.ts";

/** The health of an endpoint after the batch, for those that failed in it. */
export interface FailingEndpoint {
  accountId: string;
  endpointId: string;
  health: EndpointHealth;
  noticeFor: Date | null;
}

/**
 * Writes a batch of results, one transaction in one packet. Deliveries that ended move from the queue to the
 * history, those to be retried get their next due time, and endpoints that failed or recovered get their new health.
 *
 * A failure first locks its endpoint's row, in the order of the ids, and so does every change that deactivates or
 * deletes the endpoint or ends the plan: either that change finds the retry in the queue and drops it, or this one
 * sees the change and queues no retry.
 *
 * A batch may come twice, when the reply to it was lost: by then its deliveries have left the queue, and nothing is
 * counted again.
 */
export async function recordResults(
  pool: Pool,
  batch: readonly DeliveryResult[],
  now: Date,
): Promise<FailingEndpoint[]> {
  // In one order, so that two processes never wait for each other.
  const byAccount = [...Map.groupBy(batch, ({ delivery }) => delivery.accountId)].sort(([a], [b]) => (a < b ? -1 : 1));
  const isCitus = await isCitusPool(pool);
  const parts = byAccount.map(([accountId, own]) => ({
    accountId,
    statements: isCitus ? resultStatements(accountId, own, now) : [recordStatement(accountId, own, now)],
  }));
  const results = await inOneTrip(
    pool,
    parts.flatMap(({ statements }) => statements),
  );
  let next = 0;
  return parts.flatMap(({ accountId, statements }) => {
    const { rows } = results[next]!;
    next += statements.length;
    return (rows as FailingRow[]).map((row) => ({
      accountId,
      endpointId: row.id,
      health: { consecutiveFailures: row.consecutive_failures, failingSince: row.failing_since },
      noticeFor: row.notice_for,
    }));
  });
}

interface FailingRow {
  id: string;
  consecutive_failures: number;
  failing_since: Date | null;
  notice_for: Date | null;
}

/** Releases claimed deliveries that were not sent; they may be claimed again after `waitMs`. */
export async function releaseUnsent(pool: Pool, deliveries: readonly ClaimedDelivery[], waitMs = 0): Promise<void> {
  const byAccount = Map.groupBy(deliveries, ({ accountId }) => accountId);
  await inOneTrip(
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
