import { prepared, type Statement } from "../../db/sql.ts";
import { addToHours, durationClass, hourOf } from "../../engine/deliveries/hourly-counts.ts";
import { deliveryRetentionDays } from "../../engine/deliveries/retention.ts";
import { day } from "../../lib/clock.ts";
import { type DeliveryResult, healthChanges } from "./delivery-result.ts";
import { appended, changes, judge } from "./result-statements.ts";

/**
 * What stores the results of one account's deliveries: a single statement, which takes half the time of the several that Citus needs
 * (result-statements.ts).
 */
export function recordStatement(accountId: string, batch: readonly DeliveryResult[], now: Date): Statement {
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

const recordText = `
  with result as materialized (
    select * from unnest($2::uuid[], $3::timestamptz[], $4::uuid[], $5::text[], $6::timestamptz[], $7::text[],
      $10::timestamptz[], $11::int[]) as o(endpoint_id, due_at, id, kind, next_at, attempt, hour, class)
  ), change as materialized (
    select h.* from ${changes("$9")}
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
    ${judge}
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
