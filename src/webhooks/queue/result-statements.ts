import { plainArray } from "../../db/plain-array.ts";
import { ofAccounts, prepared, type Statement, unnested } from "../../db/sql.ts";
import { addToHours, durationClass, hourOf } from "../../engine/deliveries/hourly-counts.ts";
import { deliveryRetentionDays } from "../../engine/deliveries/retention.ts";
import { day } from "../../lib/clock.ts";
import { type DeliveryResult, healthChanges } from "./delivery-result.ts";

/** An endpoint that failed in the batch, with its health after it; its row is locked. */
export interface JudgedRow {
  account_id: string;
  id: string;
  consecutive_failures: number;
  failing_since: Date | null;
  notice_for: Date | null;
  /** Whether it may be tried again: neither deactivated nor without its plan. */
  is_open: boolean;
}

/**
 * Gives endpoints their health after the batch. It comes before the statements that settle the deliveries, and locks in the
 * order of the ids: two batches never wait for each other.
 */
export function judgeStatements(batch: readonly DeliveryResult[]): Statement[] {
  if (isFailureAmong(batch)) return [prepared(judgeText, [...keysOf(batch), JSON.stringify(healthChanges(batch))])];
  const sent = batch.filter(({ attempt }) => attempt !== null);
  return sent.length > 0 ? [prepared(recoverText, keysOf(sent).slice(0, 3))] : [];
}

export function isFailureAmong(batch: readonly DeliveryResult[]): boolean {
  return batch.some(({ delivery, attempt }) => attempt?.failure && !delivery.isTest);
}

/**
 * Settles deliveries, one statement per table: a distributed table takes no insert as a part of another
 * statement. The first locks those that are still in the queue, so that all of them see the same rows.
 */
export function settleStatements(batch: readonly DeliveryResult[], now: Date): Statement[] {
  const ended = batch.filter(({ next }) => next.kind !== "retry");
  const retries = batch.flatMap((result) => (result.next.kind === "retry" ? [{ ...result, at: result.next.at }] : []));
  const statements = [
    prepared(countText, [
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
    statements.push(prepared(keepText, [...keys, kinds, attemptsOf(ended), oldest]), prepared(endText, keys));
  }
  if (retries.length > 0) {
    const again = plainArray(retries.map(({ at }) => at.toISOString()));
    statements.push(prepared(retryText, [...keysOf(retries), again, attemptsOf(retries)]));
  }
  return statements;
}

/**
 * The accounts, and of each delivery the account, the endpoint, the due time and the id, by which the queue's index finds it.
 * Written out once for all statements.
 */
function keysOf(batch: readonly DeliveryResult[]): string[] {
  const accounts = batch.map(({ delivery }) => delivery.accountId);
  return [
    plainArray([...new Set(accounts)]),
    plainArray(accounts),
    plainArray(batch.map(({ delivery }) => delivery.endpointId)),
    plainArray(batch.map(({ delivery }) => delivery.dueAt.toISOString())),
    plainArray(batch.map(({ delivery }) => delivery.id)),
  ];
}

function attemptsOf(batch: readonly DeliveryResult[]): (string | null)[] {
  return batch.map(({ attempt }) => attempt && JSON.stringify(attempt));
}

/** What the batch says of its deliveries, as `o`. */
function results(columns: readonly string[] = [], names = ""): string {
  const arrays = ["uuid", "uuid", "timestamptz", "uuid", ...columns].map((type, i) => `$${i + 2}::${type}[]`);
  return `${unnested(...arrays)} as o(account_id, endpoint_id, due_at, id${names})`;
}

/**
 * The delivery that `o` speaks of, if it is still in the queue. OFFSET has each looked up by its whole key, whatever the planner
 * thinks of the queue: an account's may be long.
 */
const queued = (columns: string, lock = "") => `lateral (
    select ${columns} from webhook_queue q
    where ${ofAccounts("q")} and q.account_id = o.account_id and q.endpoint_id = o.endpoint_id and q.due_at = o.due_at and q.id = o.id
    offset 0 ${lock}) q`;

/** Most batches bring no failure, and most endpoints had none before: this finds nothing to do. */
const recoverText = `
  with held as materialized (
    select p.account_id, p.id
    from ${unnested("$2::uuid[]", "$3::uuid[]")} as o(account_id, endpoint_id)
    join webhook_endpoints p on p.account_id = o.account_id and p.id = o.endpoint_id
    where ${ofAccounts("p")} and p.consecutive_failures > 0
    order by p.account_id, p.id for no key update of p
  )
  update webhook_endpoints p set consecutive_failures = 0, failing_since = null
  from held where ${ofAccounts("p")} and p.account_id = held.account_id and p.id = held.id`;

/** A failure counts while its delivery is in the queue. */
const judgeText = `
  with change as materialized (
    select h.* from json_to_recordset($6::json) as h(account_id uuid, endpoint_id uuid, failed boolean, recovered boolean,
      failures int, failing_since timestamptz, last_failure_at timestamptz, last_failure text, last_failure_status smallint)
    where not h.failed or h.endpoint_id in (select o.endpoint_id from ${results()} cross join ${queued("q.id")})
  ), held as materialized (
    select p.account_id, p.id
    from webhook_endpoints p join change h on h.account_id = p.account_id and h.endpoint_id = p.id
    where ${ofAccounts("p")} and (h.failed or p.consecutive_failures > 0)
    order by p.account_id, p.id for no key update of p
  ), judged as (
    update webhook_endpoints p set
      consecutive_failures = case when h.recovered then h.failures else p.consecutive_failures + h.failures end,
      failing_since = case when h.failures = 0 then null when h.recovered then h.failing_since
        else least(p.failing_since, h.failing_since) end,
      last_failure_at = coalesce(h.last_failure_at, p.last_failure_at),
      last_failure = case when h.failed then h.last_failure else p.last_failure end,
      last_failure_status = case when h.failed then h.last_failure_status else p.last_failure_status end
    from change h, held
    where ${ofAccounts("p")} and h.account_id = p.account_id and h.endpoint_id = p.id
      and held.account_id = p.account_id and held.id = p.id
    returning p.account_id, p.id, p.status, p.consecutive_failures, p.failing_since, p.notice_for, h.failed
  )
  select p.account_id, p.id, p.consecutive_failures, p.failing_since, p.notice_for,
    p.status <> 'deactivated' and c.records_events as is_open
  from judged p join account_clock c on c.account_id = p.account_id
  where ${ofAccounts("c")} and p.failed`;

const countText = addToHours(`(
    select q.account_id, q.endpoint_id, o.hour, o.class, o.is_failure, o.is_drop, q.is_test
    from ${results(["timestamptz", "int", "boolean", "boolean"], ", hour, class, is_failure, is_drop")}
    cross join ${queued("q.account_id, q.endpoint_id, q.is_test", "for no key update")}) happened where not is_test`);

const keepText = `
  insert into webhook_deliveries (account_id, created_at, id, endpoint_id, event_id, event_type, is_test, state, attempts, body)
  select q.account_id, q.created_at, q.id, q.endpoint_id, q.event_id, q.event_type, q.is_test, o.kind,
    ${appended("q.attempts", "o.attempt")}, q.body
  from ${results(["text", "text"], ", kind, attempt")} cross join ${queued("q.*")}
  where q.created_at >= $8`;

const endText = `
  delete from webhook_queue q
  where ${ofAccounts("q")} and q.ctid = any (array(select q.place from ${results()} cross join ${queued("q.ctid as place")}))`;

const retryText = `
  update webhook_queue q set due_at = o.next_at, leased_until = null, attempts_in_series = q.attempts_in_series + 1,
    attempts = ${appended("q.attempts", "o.attempt")}
  from (select o.next_at, o.attempt, q.place
    from ${results(["timestamptz", "text"], ", next_at, attempt")} cross join ${queued("q.ctid as place")}) o
  where ${ofAccounts("q")} and q.ctid = o.place`;

/** Appends an element to a JSON array, both as text, without parsing either. */
function appended(list: string, element: string): string {
  return `case when ${element} is null then ${list}
    when ${list}::text = '[]' then ('[' || ${element} || ']')::json
    else (left(${list}::text, -1) || ',' || ${element} || ']')::json end`;
}
