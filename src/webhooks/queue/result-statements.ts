import { plainArray } from "../../db/plain-array.ts";
import { prepared, type Statement } from "../../db/sql.ts";
import { addToHours, durationClass, hourOf } from "../../engine/deliveries/hourly-counts.ts";
import { deliveryRetentionDays } from "../../engine/deliveries/retention.ts";
import { day } from "../../lib/clock.ts";
import { type DeliveryResult, healthChanges } from "./delivery-result.ts";

/** An endpoint that failed in the batch, with its health after it; its row is locked. */
export interface JudgedRow {
  id: string;
  consecutive_failures: number;
  failing_since: Date | null;
  notice_for: Date | null;
  /** Whether it may be tried again: neither deactivated nor without its plan. */
  is_open: boolean;
}

/**
 * Gives an account's endpoints their health after the batch. It comes before the statements that settle the deliveries, and
 * locks in the order of the ids: two batches never wait for each other.
 */
export function judgeStatement(accountId: string, batch: readonly DeliveryResult[]): Statement {
  return isFailureAmong(batch)
    ? prepared(judgeText, [accountId, ...keysOf(batch), JSON.stringify(healthChanges(batch))])
    : prepared(recoverText, [accountId, endpointsOf(batch.filter(({ attempt }) => attempt !== null))]);
}

export function isFailureAmong(batch: readonly DeliveryResult[]): boolean {
  return batch.some(({ delivery, attempt }) => attempt?.failure && !delivery.isTest);
}

/**
 * Settles an account's deliveries, one statement per table: a distributed table takes no insert as a part of another
 * statement. The first locks those that are still in the queue, so that all of them see the same rows.
 */
export function settleStatements(accountId: string, batch: readonly DeliveryResult[], now: Date): Statement[] {
  const ended = batch.filter(({ next }) => next.kind !== "retry");
  const retries = batch.flatMap((result) => (result.next.kind === "retry" ? [{ ...result, at: result.next.at }] : []));
  const statements = [
    prepared(countText, [
      accountId,
      ...keysOf(batch),
      plainArray(batch.map(({ attempt }) => hourOf(attempt ? new Date(attempt.at) : now).toISOString())),
      plainArray(batch.map(({ attempt }) => (attempt?.failure === null ? durationClass(attempt.duration_ms) : null))),
      batch.map(({ attempt }) => Boolean(attempt?.failure)),
      batch.map(({ next }) => next.kind === "dropped"),
    ]),
  ];
  if (ended.length > 0) {
    const keys = keysOf(ended);
    // The history has no partition any more for a delivery older than this.
    const oldest = new Date(now.getTime() - deliveryRetentionDays * day);
    const kinds = plainArray(ended.map(({ next }) => next.kind));
    statements.push(
      prepared(keepText, [accountId, ...keys, kinds, attemptsOf(ended), oldest]),
      prepared(endText, [accountId, ...keys]),
    );
  }
  if (retries.length > 0) {
    const again = plainArray(retries.map(({ at }) => at.toISOString()));
    statements.push(prepared(retryText, [accountId, ...keysOf(retries), again, attemptsOf(retries)]));
  }
  return statements;
}

/** The deliveries' endpoints, due times and ids, by which the queue's index finds them. Written out once for all statements. */
function keysOf(batch: readonly DeliveryResult[]): [string, string, string] {
  return [
    endpointsOf(batch),
    plainArray(batch.map(({ delivery }) => delivery.dueAt.toISOString())),
    plainArray(batch.map(({ delivery }) => delivery.id)),
  ];
}

function endpointsOf(batch: readonly DeliveryResult[]): string {
  return plainArray(batch.map(({ delivery }) => delivery.endpointId));
}

function attemptsOf(batch: readonly DeliveryResult[]): (string | null)[] {
  return batch.map(({ attempt }) => attempt && JSON.stringify(attempt));
}

/**
 * What the batch says of its deliveries, as `o`. Each array is selected, so that the planner does not see its length:
 * otherwise it would plan anew for each batch, which takes longer than the statement.
 */
function results(columns: readonly string[] = [], names = ""): string {
  const arrays = ["uuid", "timestamptz", "uuid", ...columns].map((type, i) => `(select $${i + 2}::${type}[])`);
  return `unnest(${arrays.join(", ")}) as o(endpoint_id, due_at, id${names})`;
}

/** The delivery `q` that `o` speaks of, if it is still in the queue. */
const isQueued = "q.account_id = $1 and q.endpoint_id = o.endpoint_id and q.due_at = o.due_at and q.id = o.id";

/** Most batches bring no failure, and most endpoints had none before: this finds nothing to do. */
const recoverText = `
  with held as materialized (
    select p.id from webhook_endpoints p
    where p.account_id = $1 and p.id = any ((select $2::uuid[])::uuid[]) and p.consecutive_failures > 0
    order by p.id for no key update
  )
  update webhook_endpoints p set consecutive_failures = 0, failing_since = null
  from held where p.account_id = $1 and p.id = held.id`;

/** A failure counts while its delivery is in the queue. OFFSET has each looked up by its key, whatever the planner thinks of the queue. */
const judgeText = `
  with change as materialized (
    select h.* from json_to_recordset($5::json) as h(endpoint_id uuid, failed boolean, recovered boolean,
      failures int, failing_since timestamptz, last_failure_at timestamptz, last_failure text, last_failure_status smallint)
    where not h.failed or h.endpoint_id in (
      select o.endpoint_id from ${results()} cross join lateral (
        select from webhook_queue q where ${isQueued} offset 0) q)
  ), held as materialized (
    select p.id
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
    returning p.id, p.status, p.consecutive_failures, p.failing_since, p.notice_for, h.failed
  )
  select p.id, p.consecutive_failures, p.failing_since, p.notice_for, p.status <> 'deactivated' and c.records_events as is_open
  from judged p join account_clock c on c.account_id = $1
  where p.failed`;

const countText = addToHours(`(
    select q.account_id, q.endpoint_id, o.hour, o.class, o.is_failure, o.is_drop, q.is_test
    from webhook_queue q
    join ${results(["timestamptz", "int", "boolean", "boolean"], ", hour, class, is_failure, is_drop")} on ${isQueued}
    for no key update of q) happened where not is_test`);

const keepText = `
  insert into webhook_deliveries (account_id, created_at, id, endpoint_id, event_id, event_type, is_test, state, attempts, body)
  select q.account_id, q.created_at, q.id, q.endpoint_id, q.event_id, q.event_type, q.is_test, o.kind,
    ${appended("q.attempts", "o.attempt")}, q.body
  from webhook_queue q join ${results(["text", "text"], ", kind, attempt")} on ${isQueued}
  where q.created_at >= $7`;

const endText = `delete from webhook_queue q using ${results()} where ${isQueued}`;

const retryText = `
  update webhook_queue q set due_at = o.next_at, leased_until = null, attempts_in_series = q.attempts_in_series + 1,
    attempts = ${appended("q.attempts", "o.attempt")}
  from ${results(["timestamptz", "text"], ", next_at, attempt")} where ${isQueued}`;

/** Appends an element to a JSON array, both as text, without parsing either. */
function appended(list: string, element: string): string {
  return `case when ${element} is null then ${list}
    when ${list}::text = '[]' then ('[' || ${element} || ']')::json
    else (left(${list}::text, -1) || ',' || ${element} || ']')::json end`;
}
