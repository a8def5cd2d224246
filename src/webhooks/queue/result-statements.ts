import { instantArray, jsonArray, plainArray, textArray } from "../../db/arrays.ts";
import { ofAccounts, prepared, type Statement, unnested } from "../../db/sql.ts";
import { addToHours, durationClass, hourOf } from "../../engine/deliveries/hourly-counts.ts";
import { deliveryRetentionDays } from "../../engine/deliveries/retention.ts";
import { day } from "../../lib/clock.ts";
import { must } from "../../lib/must.ts";
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

/** A delivery that was still in the queue, and what the queue knew of it beside the result. */
export interface TakenRow {
  /** Its place in the batch, from 1. */
  n: number;
  /** Of those that leave the queue: the attempts before this one, if there were any, and the body of a test. */
  earlier?: string | null;
  body?: string | null;
}

/** Takes those that ended out of the queue, and puts off the others. Each that was there comes back as a row. */
export function takeStatements(batch: readonly DeliveryResult[]): Statement[] {
  const places = batch.map((_, i) => i + 1);
  const placesOf = (isMeant: (result: DeliveryResult) => boolean) =>
    places.filter((n) => isMeant(must(batch[n - 1], "Places count the results of the batch")));
  const ended = placesOf(({ next }) => next.kind !== "retry");
  const again = placesOf(({ next }) => next.kind === "retry");
  const statements: Statement[] = [];
  if (ended.length > 0)
    statements.push(
      endStatement(
        ended.map((n) => must(batch[n - 1], "Places count the results of the batch")),
        ended,
      ),
    );
  if (again.length > 0) {
    const retries = again.map((n) => must(batch[n - 1], "Places count the results of the batch"));
    const times = retries.map(({ next }) => (next.kind === "retry" ? next.at.toISOString() : null));
    statements.push(
      prepared(retryText, [
        ...keysOf(retries),
        plainArray(again),
        plainArray(times),
        retries.map(({ attempt }) => attempt && JSON.stringify(attempt)),
      ]),
    );
  }
  return statements;
}

function endStatement(ended: readonly DeliveryResult[], places: readonly number[]): Statement {
  const [, ...keys] = keysOf(ended);
  const accounts = [...new Set(ended.map(({ delivery }) => delivery.accountId))];
  return accounts.length === 1
    ? prepared(endOfOneText, [accounts[0], ...keys, plainArray(places)])
    : prepared(endText, [plainArray(accounts), ...keys, plainArray(places)]);
}

/**
 * Keeps deliveries that were taken out of the queue, and counts the attempts. A distributed table takes no insert as a part of
 * another statement.
 */
export function storeStatements(batch: readonly DeliveryResult[], taken: readonly TakenRow[], now: Date): Statement[] {
  const results = taken.map((row) => ({ ...batch[row.n - 1]!, row }));
  const counted = results.filter(({ delivery }) => !delivery.isTest);
  // The history has no partition any more for a delivery older than this.
  const oldest = now.getTime() - deliveryRetentionDays * day;
  const kept = results.filter(({ delivery, next }) => next.kind !== "retry" && delivery.createdAt.getTime() >= oldest);
  const statements: Statement[] = [];
  if (counted.length > 0)
    statements.push(
      prepared(countText, [
        ...accountsOf(counted),
        plainArray(counted.map(({ delivery }) => delivery.endpointId)),
        instantArray(counted.map(({ attempt }) => hourOf(attempt ? new Date(attempt.at) : now))),
        plainArray(
          counted.map(({ attempt }) => (attempt?.failure === null ? durationClass(attempt.duration_ms) : null)),
        ),
        plainArray(counted.map(({ attempt }) => Boolean(attempt?.failure))),
        plainArray(counted.map(({ next }) => next.kind === "dropped")),
      ]),
    );
  if (kept.length > 0)
    statements.push(
      prepared(keepText, [
        ...accountsOf(kept),
        instantArray(kept.map(({ delivery }) => delivery.createdAt)),
        plainArray(kept.map(({ delivery }) => delivery.id)),
        plainArray(kept.map(({ delivery }) => delivery.endpointId)),
        plainArray(kept.map(({ delivery }) => delivery.eventId)),
        plainArray(kept.map(({ delivery }) => delivery.eventType)),
        plainArray(kept.map(({ delivery }) => delivery.isTest)),
        plainArray(kept.map(({ next }) => next.kind)),
        jsonArray(kept.map(({ attempt, row }) => attemptsText(row.earlier ?? null, attempt))),
        textArray(kept.map(({ row }) => row.body ?? null)),
      ]),
    );
  return statements;
}

function attemptsText(earlier: string | null, attempt: DeliveryResult["attempt"]): string {
  if (!attempt) return earlier ?? "[]";
  const last = JSON.stringify(attempt);
  return earlier ? `${earlier.slice(0, -1)},${last}]` : `[${last}]`;
}

/** The accounts, and the account of each. */
function accountsOf(batch: readonly DeliveryResult[]): string[] {
  const accounts = batch.map(({ delivery }) => delivery.accountId);
  return [plainArray([...new Set(accounts)]), plainArray(accounts)];
}

/**
 * The accounts, and of each delivery the account, the endpoint, the due time and the id, by which the queue's index finds it.
 * Written out once for all statements.
 */
function keysOf(batch: readonly DeliveryResult[]): (string | Buffer)[] {
  return [
    ...accountsOf(batch),
    plainArray(batch.map(({ delivery }) => delivery.endpointId)),
    instantArray(batch.map(({ delivery }) => delivery.dueAt)),
    plainArray(batch.map(({ delivery }) => delivery.id)),
  ];
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
const queued = (columns: string, isMeant = ofAccounts("q")) => `lateral (
    select ${columns} from webhook_queue q
    where ${isMeant} and q.account_id = o.account_id and q.endpoint_id = o.endpoint_id and q.due_at = o.due_at and q.id = o.id
    offset 0) q`;

/** An owner who was told of the run is told of its end. */
const recovered = (isMeant: string) => `
    to_announce = case when p.notice_for is not null and ${isMeant} then array_append(p.to_announce, 'recovered') else p.to_announce end,
    notice_for = case when ${isMeant} then null else p.notice_for end`;

/** Most batches bring no failure, and most endpoints had none before: this finds nothing to do. */
const recoverText = `
  with held as materialized (
    select p.account_id, p.id
    from ${unnested("$2::uuid[]", "$3::uuid[]")} as o(account_id, endpoint_id)
    join webhook_endpoints p on p.account_id = o.account_id and p.id = o.endpoint_id
    where ${ofAccounts("p")} and p.consecutive_failures > 0
    order by p.account_id, p.id for no key update of p
  )
  update webhook_endpoints p set consecutive_failures = 0, failing_since = null, ${recovered("p.status <> 'deactivated'")}
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
      ${recovered("h.recovered and p.status <> 'deactivated'")},
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

/** Rows of arrays from the third parameter on, as `o`; the accounts come from their clocks, which tell a distributed table the shard. */
function given(types: readonly string[], columns: string): string {
  const arrays = ["uuid", ...types].map((type, i) => `$${i + 2}::${type}[]`);
  return `account_clock c join ${unnested(...arrays)} as o(account_id, ${columns}) on o.account_id = c.account_id
    where ${ofAccounts("c")}`;
}

const countText = addToHours(`(
    select c.account_id, o.endpoint_id, o.hour, o.class, o.is_failure, o.is_drop
    from ${given(["uuid", "timestamptz", "int", "boolean", "boolean"], "endpoint_id, hour, class, is_failure, is_drop")}) happened`);

const kept = "created_at, id, endpoint_id, event_id, event_type, is_test, state, attempts, body";
const keepText = `
  insert into webhook_deliveries (account_id, ${kept})
  select c.account_id, ${kept.replaceAll(/\w+/g, "o.$&")}
  from ${given(["timestamptz", "uuid", "uuid", "uuid", "text", "boolean", "text", "json", "text"], kept)}`;

const endText = endOf(ofAccounts("q"));
/** The same for one account. With an array of them, PostgreSQL would plan it anew each time. */
const endOfOneText = endOf("q.account_id = $1::uuid");

function endOf(isMeant: string): string {
  return `
    delete from webhook_queue q
    using (select o.n, q.place from ${results(["int"], ", n")} cross join ${queued("q.ctid as place", isMeant)}) o
    where ${isMeant} and q.ctid = o.place
    returning o.n, nullif(q.attempts::text, '[]') as earlier, q.body`;
}

const retryText = `
  update webhook_queue q set due_at = o.next_at, leased_until = null, attempts_in_series = q.attempts_in_series + 1,
    attempts = ${appended("q.attempts", "o.attempt")}
  from (select o.n, o.next_at, o.attempt, q.place
    from ${results(["int", "timestamptz", "text"], ", n, next_at, attempt")} cross join ${queued("q.ctid as place")}) o
  where ${ofAccounts("q")} and q.ctid = o.place
  returning o.n`;

/** Appends an element to a JSON array, both as text, without parsing either. */
function appended(list: string, element: string): string {
  return `case when ${element} is null then ${list}
    when ${list}::text = '[]' then ('[' || ${element} || ']')::json
    else (left(${list}::text, -1) || ',' || ${element} || ']')::json end`;
}
