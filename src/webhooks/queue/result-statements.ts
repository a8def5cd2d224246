import { prepared, type Statement } from "../../db/sql.ts";
import { addToHours, durationClass, hourOf } from "../../engine/deliveries/hourly-counts.ts";
import { deliveryRetentionDays } from "../../engine/deliveries/retention.ts";
import { day } from "../../lib/clock.ts";
import { type DeliveryResult, healthChanges } from "./delivery-result.ts";

/**
 * What stores the results of one account's deliveries on Citus, in this order and in one transaction: one statement per table, because
 * a distributed table takes no insert as a part of another statement. The first locks the endpoints and then the deliveries that are
 * still in the queue, so that all of them see the same rows; its rows are those of the endpoints that failed.
 */
export function resultStatements(accountId: string, batch: readonly DeliveryResult[], now: Date): Statement[] {
  // Written out once for all statements: the driver would do it again for each.
  const keys = keysOf(batch);
  const kinds = batch.map(({ next }) => next.kind);
  const attempts = batch.map(({ attempt }) => attempt && JSON.stringify(attempt));
  const hours = list(batch.map(({ attempt }) => hourOf(attempt ? new Date(attempt.at) : now).toISOString()));
  const classes = batch.map(({ attempt }) => (attempt?.failure === null ? durationClass(attempt.duration_ms) : null));
  // The history has no partition any more for a delivery older than this.
  const oldest = new Date(now.getTime() - deliveryRetentionDays * day);
  const retries = batch.flatMap((result) => (result.next.kind === "retry" ? [{ ...result, at: result.next.at }] : []));
  const statements = [
    prepared(judgeText, [accountId, ...keys, JSON.stringify(healthChanges(batch))]),
    prepared(countText, [accountId, ...keys, kinds, hours, classes]),
    prepared(keepText, [accountId, ...keys, kinds, attempts, oldest]),
    prepared(endText, [accountId, ...keys, kinds]),
  ];
  if (retries.length > 0) {
    const again = list(retries.map(({ at }) => at.toISOString()));
    const failed = retries.map(({ attempt }) => JSON.stringify(attempt));
    statements.push(prepared(retryText, [accountId, ...keysOf(retries), again, failed]));
  }
  return statements;
}

/** The deliveries' endpoints, due times and ids, by which the queue's index finds them. */
function keysOf(batch: readonly DeliveryResult[]): [string, string, string] {
  return [
    list(batch.map(({ delivery }) => delivery.endpointId)),
    list(batch.map(({ delivery }) => delivery.dueAt.toISOString())),
    list(batch.map(({ delivery }) => delivery.id)),
  ];
}

/** An array as PostgreSQL reads it; for values that need no quotes. */
function list(values: readonly string[]): string {
  return `{${values.join(",")}}`;
}

/** The changes of endpoints' health in a parameter, as `h`. */
export function changes(parameter: string): string {
  return `json_to_recordset(${parameter}::json) as h(endpoint_id uuid, failed boolean, recovered boolean,
      failures int, failing_since timestamptz, last_failure_at timestamptz, last_failure text, last_failure_status smallint)`;
}

/** From the parts `change` and `held` of a statement. */
export const judge = `update webhook_endpoints p set
      consecutive_failures = case when h.recovered then h.failures else p.consecutive_failures + h.failures end,
      failing_since = case when h.failures = 0 then null when h.recovered then h.failing_since
        else least(p.failing_since, h.failing_since) end,
      last_failure_at = coalesce(h.last_failure_at, p.last_failure_at),
      last_failure = case when h.failed then h.last_failure else p.last_failure end,
      last_failure_status = case when h.failed then h.last_failure_status else p.last_failure_status end
    from change h, held
    where p.account_id = $1 and h.endpoint_id = p.id and held.id = p.id`;

/**
 * The queued deliveries `q` that the batch names, joined with what it says of them as `o`. Each array is selected, so that the planner
 * does not see its length: otherwise it would plan anew for each batch, which takes longer than the statement.
 */
function queued(columns: string, names: string): string {
  return `webhook_queue q
    join unnest((select $2::uuid[]), (select $3::timestamptz[]), (select $4::uuid[])${columns}) as o(endpoint_id, due_at, id${names})
      on q.endpoint_id = o.endpoint_id and q.due_at = o.due_at and q.id = o.id`;
}

/** Whether a retry is given up: the endpoint was deactivated or deleted, or the plan ended. The endpoint's row is locked. */
const isClosed = `not exists (
    select from webhook_endpoints p join account_clock c on c.account_id = p.account_id
    where p.account_id = $1 and p.id = o.endpoint_id and p.status <> 'deactivated' and c.records_events)`;
const step = `case when o.kind = 'retry' and ${isClosed} then 'dropped' else o.kind end`;

/** Looked up one by one, whatever the planner thinks of the queue: OFFSET keeps it from reading all of the account's. */
const inQueue = `select q.id from webhook_queue q
      where q.account_id = $1 and q.endpoint_id = o.endpoint_id and q.due_at = o.due_at and q.id = o.id offset 0`;

const judgeText = `
  with result as materialized (
    select * from unnest((select $2::uuid[]), (select $3::timestamptz[]), (select $4::uuid[])) as o(endpoint_id, due_at, id)
    order by endpoint_id, due_at, id
  ), alive as materialized (
    select o.endpoint_id from result o cross join lateral (${inQueue}) q
  ), change as materialized (
    select h.* from ${changes("$5")}
    where not h.failed or h.endpoint_id in (select endpoint_id from alive)
  ), held as materialized (
    select p.id
    from webhook_endpoints p join change h on h.endpoint_id = p.id
    where p.account_id = $1 and (h.failed or p.consecutive_failures > 0)
    order by p.id for no key update of p
  ), judged as (
    ${judge}
    returning p.id, p.consecutive_failures, p.failing_since, p.notice_for, h.failures
  ), locked as materialized (
    select q.id from result o cross join lateral (${inQueue} for no key update) q where (select count(*) from held) >= 0
  )
  select id, consecutive_failures, failing_since, notice_for from judged
  where failures > 0 and (select count(*) from locked) >= 0`;

const countText = addToHours(`(
    select q.account_id, q.endpoint_id, o.hour, o.class, o.class is null and o.kind <> 'dropped' as is_failure,
      ${step} = 'dropped' as is_drop
    from ${queued(", (select $5::text[]), (select $6::timestamptz[]), (select $7::int[])", ", kind, hour, class")}
    where q.account_id = $1 and not q.is_test) happened`);

const keepText = `
  insert into webhook_deliveries (account_id, created_at, id, endpoint_id, event_id, event_type, is_test, state, attempts, body)
  select q.account_id, q.created_at, q.id, q.endpoint_id, q.event_id, q.event_type, q.is_test, ${step},
    ${appended("q.attempts", "o.attempt")}, q.body
  from ${queued(", (select $5::text[]), (select $6::text[])", ", kind, attempt")}
  where q.account_id = $1 and q.created_at >= $7 and (o.kind <> 'retry' or ${isClosed})`;

const endText = `
  delete from webhook_queue q
  using unnest((select $2::uuid[]), (select $3::timestamptz[]), (select $4::uuid[]), (select $5::text[])) as o(endpoint_id, due_at, id, kind)
  where q.account_id = $1 and q.endpoint_id = o.endpoint_id and q.due_at = o.due_at and q.id = o.id
    and (o.kind <> 'retry' or ${isClosed})`;

/** Of those that are left. */
const retryText = `
  update webhook_queue q set due_at = o.next_at, leased_until = null, attempts_in_series = q.attempts_in_series + 1,
    attempts = ${appended("q.attempts", "o.attempt")}
  from unnest((select $2::uuid[]), (select $3::timestamptz[]), (select $4::uuid[]), (select $5::timestamptz[]), (select $6::text[]))
    as o(endpoint_id, due_at, id, next_at, attempt)
  where q.account_id = $1 and q.endpoint_id = o.endpoint_id and q.due_at = o.due_at and q.id = o.id`;

/** Appends an element to a JSON array, both as text, without parsing either. */
export function appended(list: string, element: string): string {
  return `case when ${element} is null then ${list}
    when ${list}::text = '[]' then ('[' || ${element} || ']')::json
    else (left(${list}::text, -1) || ',' || ${element} || ']')::json end`;
}
