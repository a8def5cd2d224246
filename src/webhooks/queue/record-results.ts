import type { Pool } from "../../db/pool.ts";
import { prepared, type Statement } from "../../db/sql.ts";
import { inOneTrip } from "../../db/transaction.ts";
import { addToHours, durationClass, hourOf } from "../../engine/deliveries/hourly-counts.ts";
import { deliveryRetentionDays } from "../../engine/deliveries/retention.ts";
import { day } from "../../lib/clock.ts";
import { type EndpointHealth, healthAfter, healthy } from "../endpoints/endpoint-health.ts";
import type { Attempt } from "../history/delivery-history.ts";
import type { ClaimedDelivery } from "./claim.ts";
import type { NextStep } from "./next-step.ts";

export interface DeliveryResult {
  delivery: Pick<ClaimedDelivery, "accountId" | "endpointId" | "id" | "dueAt" | "isTest">;
  /** Null when nothing was sent, because there was nothing to send. */
  attempt: Attempt | null;
  /** `dropped`: it was not sent and never will be. */
  next: NextStep | { kind: "dropped" };
}

/** The health of an endpoint after the batch, for those that failed in it. */
export interface FailingEndpoint {
  accountId: string;
  endpointId: string;
  health: EndpointHealth;
  noticeFor: Date | null;
}

/**
 * Writes a batch of results, one statement per account in one packet. Deliveries that ended move from the queue to the
 * history, those to be retried get their next due time, and endpoints that failed or recovered get their new health.
 *
 * A failure first locks its endpoint's row, in the order of the ids, and so does every change that deactivates or
 * deletes the endpoint or ends the plan: either that change finds the retry in the queue and drops it, or this statement
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
  const results = await inOneTrip(
    pool,
    byAccount.map(([accountId, own]) => recordStatement(accountId, own, now)),
  );
  return results.flatMap(({ rows }, i) =>
    (rows as FailingRow[]).map((row) => ({
      accountId: byAccount[i]![0],
      endpointId: row.id,
      health: { consecutiveFailures: row.consecutive_failures, failingSince: row.failing_since },
      noticeFor: row.notice_for,
    })),
  );
}

function recordStatement(accountId: string, batch: readonly DeliveryResult[], now: Date): Statement {
  return prepared(recordText, [
    accountId,
    batch.map(({ delivery }) => delivery.endpointId),
    batch.map(({ delivery }) => delivery.dueAt),
    batch.map(({ delivery }) => delivery.id),
    batch.map(({ next }) => next.kind),
    batch.map(({ next }) => (next.kind === "retry" ? next.at : null)),
    batch.map(({ attempt }) => attempt && JSON.stringify(attempt)),
    // The history has no partition any more for a delivery older than this.
    new Date(now.getTime() - deliveryRetentionDays * day),
    JSON.stringify(healthChanges(batch)),
    batch.map(({ attempt }) => hourOf(attempt ? new Date(attempt.at) : now)),
    batch.map(({ attempt }) => (attempt?.failure === null ? durationClass(attempt.duration_ms) : null)),
  ]);
}

interface FailingRow {
  id: string;
  consecutive_failures: number;
  failing_since: Date | null;
  notice_for: Date | null;
}

interface HealthChange {
  endpoint_id: string;
  failed: boolean;
  recovered: boolean;
  failures: number;
  failing_since: Date | null;
  last_failure_at: string | null;
  last_failure: string | null;
  last_failure_status: number | null;
}

/** Per endpoint: whether a delivery succeeded, and the run of failures after it. Tests do not count. */
export function healthChanges(batch: readonly DeliveryResult[]): HealthChange[] {
  const changes = new Map<string, { change: HealthChange; run: EndpointHealth }>();
  for (const { delivery, attempt } of batch) {
    if (attempt === null || delivery.isTest) continue;
    const entry = changes.get(delivery.endpointId) ?? {
      change: {
        endpoint_id: delivery.endpointId,
        failed: false,
        recovered: false,
        failures: 0,
        failing_since: null,
        last_failure_at: null,
        last_failure: null,
        last_failure_status: null,
      },
      run: healthy,
    };
    const isDelivered = attempt.failure === null;
    entry.run = healthAfter(entry.run, isDelivered, new Date(attempt.at));
    entry.change.failed ||= !isDelivered;
    entry.change.recovered ||= isDelivered;
    if (!isDelivered) {
      entry.change.last_failure_at = attempt.at;
      entry.change.last_failure = attempt.failure;
      entry.change.last_failure_status = attempt.status;
    }
    entry.change.failures = entry.run.consecutiveFailures;
    entry.change.failing_since = entry.run.failingSince;
    changes.set(delivery.endpointId, entry);
  }
  return [...changes.values()].map(({ change }) => change);
}

const recordText = `
  with result as materialized (
    select * from unnest($2::uuid[], $3::timestamptz[], $4::uuid[], $5::text[], $6::timestamptz[], $7::text[],
      $10::timestamptz[], $11::int[]) as o(endpoint_id, due_at, id, kind, next_at, attempt, hour, class)
  ), change as materialized (
    select h.* from json_to_recordset($9::json) as h(endpoint_id uuid, failed boolean, recovered boolean,
      failures int, failing_since timestamptz, last_failure_at timestamptz, last_failure text, last_failure_status smallint)
    where not h.failed or exists (
      select from result o join webhook_queue q
        on q.account_id = $1 and q.endpoint_id = o.endpoint_id and q.due_at = o.due_at and q.id = o.id
      where o.endpoint_id = h.endpoint_id)
  ), held as materialized (
    select p.id, p.status
    from webhook_endpoints p join change h on h.endpoint_id = p.id
    where p.account_id = $1 and (h.failed or p.consecutive_failures > 0)
    order by p.id for no key update of p
  ), judged as (
    update webhook_endpoints p set
      consecutive_failures = case when h.recovered then h.failures else p.consecutive_failures + h.failures end,
      failing_since = case when h.failures = 0 then null when h.recovered then h.failing_since
        else least(p.failing_since, h.failing_since) end,
      last_failure_at = coalesce(h.last_failure_at, p.last_failure_at),
      last_failure = case when h.failed then h.last_failure else p.last_failure end,
      last_failure_status = case when h.failed then h.last_failure_status else p.last_failure_status end
    from change h, held
    where p.account_id = $1 and h.endpoint_id = p.id and held.id = p.id
    returning p.id, p.status, p.consecutive_failures, p.failing_since, p.notice_for, h.failures
  ), wanted as materialized (
    select o.*, case when o.kind <> 'retry' then o.kind
      when exists (select from held p join account_clock c on c.account_id = $1
        where p.id = o.endpoint_id and p.status <> 'deactivated' and c.records_events)
      then 'retry' else 'dropped' end as step
    from result o
  ), ended as (
    delete from webhook_queue q using wanted o
    where q.account_id = $1 and q.endpoint_id = o.endpoint_id and q.due_at = o.due_at and q.id = o.id
      and o.step <> 'retry'
    returning q.account_id, q.created_at, q.id, q.endpoint_id, q.event_id, q.event_type, q.is_test, o.step, q.attempts,
      o.attempt, q.body, o.hour, o.class
  ), kept as (
    insert into webhook_deliveries (account_id, created_at, id, endpoint_id, event_id, event_type, is_test, state, attempts, body)
    select account_id, created_at, id, endpoint_id, event_id, event_type, is_test, step, ${appended("attempts", "attempt")}, body
    from ended where created_at >= $8
  ), retried as (
    update webhook_queue q set due_at = o.next_at, leased_until = null, attempts_in_series = q.attempts_in_series + 1,
      attempts = ${appended("q.attempts", "o.attempt")}
    from wanted o
    where q.account_id = $1 and q.endpoint_id = o.endpoint_id and q.due_at = o.due_at and q.id = o.id
      and o.step = 'retry'
    returning q.account_id, q.endpoint_id, o.hour, o.class, q.is_test
  ), happened as (
    select account_id, endpoint_id, hour, class, attempt is not null and class is null as is_failure, step = 'dropped' as is_drop
    from ended where not is_test
    union all
    select account_id, endpoint_id, hour, class, true, false from retried where not is_test
  ), counted as (${addToHours("happened")})
  select id, consecutive_failures, failing_since, notice_for from judged where failures > 0`;

/** Appends an element to a JSON array, both as text, without parsing either. */
function appended(list: string, element: string): string {
  return `case when ${element} is null then ${list}
    when ${list}::text = '[]' then ('[' || ${element} || ']')::json
    else (left(${list}::text, -1) || ',' || ${element} || ']')::json end`;
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
