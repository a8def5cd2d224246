import { isAccountAway } from "../../db/nodes.ts";
import type { Pool } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import { inOneTripWhereReached } from "../../db/transaction.ts";
import type { EndpointKey } from "../../engine/deliveries/delivery-signal.ts";
import { clockSkew, leaseSeconds } from "../../engine/deliveries/fan-out.ts";
import { asRequestId } from "../../lib/request-id.ts";

export interface ClaimedDelivery {
  accountId: string;
  endpointId: string;
  id: string;
  dueAt: Date;
  createdAt: Date;
  eventId: string;
  eventType: string;
  /**
   * Of the record that the event shows: its deliveries go one after the other. Null for what is in no order: a test, what was sent
   * again by hand, and what has failed before.
   */
  objectId: string | null;
  /** Of the request that caused the event; null when none did, and for tests. */
  requestId: string | null;
  isTest: boolean;
  attemptsInSeries: number;
  /** The version of the endpoint's URL and secrets to send with. */
  endpointVersion: number;
  /** The recorded event, or the whole body of a test; null when there is nothing to send, see claimDeliveries. */
  eventText: string | null;
  testBody: string | null;
}

export interface EndpointClaim extends EndpointKey {
  size: number;
  /** The most of one record. */
  perRecord: number;
  /** Records whose deliveries are left there: those that never failed wait for others of their record. */
  passed: readonly string[];
}

/**
 * Claims up to `size` due deliveries of each endpoint, oldest first: one statement per account, in one packet. SKIP LOCKED
 * lets processes claim side by side; no transaction outlives the packet. An endpoint that is not active gets only tests. An
 * event past its retention and an account without its plan leave nothing to send: the delivery was leased when they ended,
 * so it was not dropped then. An account whose node is away gets nothing.
 *
 * The deliveries of one record go in order while none has failed: one is not claimed while an earlier one that never failed is with
 * another claim. Those two may be in one claim, whose process sends them in order. Records of which something was held up are told:
 * the next claim passes them by, or a record of many versions would hide all that stands behind it.
 */
export async function claimDeliveries(pool: Pool, claims: readonly EndpointClaim[], now: Date): Promise<Claimed> {
  const reached = claims.filter(({ accountId }) => !isAccountAway(pool, accountId));
  const byAccount = [...Map.groupBy(reached, ({ accountId }) => accountId)];
  const results = await inOneTripWhereReached(
    pool,
    byAccount.map(([accountId, own]) => {
      const passed = own.flatMap(({ endpointId, passed: ids }) => ids.map((id) => ({ endpointId, id })));
      const values = [
        accountId,
        own.map(({ endpointId }) => endpointId),
        own.map(({ size }) => size),
        now,
        own.map(({ perRecord }) => perRecord),
        passed.map(({ endpointId }) => endpointId),
        passed.map(({ id }) => id),
      ];
      return { ...prepared(claimText, values), rowMode: "array" };
    }),
  );
  const deliveries: ClaimedDelivery[] = [];
  const held = new Map<string, HeldUp>();
  for (const [i, result] of results.entries())
    for (const row of (result?.rows ?? []) as (ClaimRow | HeldRow)[]) {
      if (row[1] === null) held.set(row[0], { count: row[7], records: row[9].split(" ") });
      else deliveries.push(claimed(byAccount[i]![0], row));
    }
  return { deliveries, held };
}

export interface Claimed {
  deliveries: ClaimedDelivery[];
  /** By endpoint: what was found that must wait for an earlier one of its record. */
  held: ReadonlyMap<string, HeldUp>;
}

export interface HeldUp {
  /** Of deliveries. */
  count: number;
  records: readonly string[];
}

function claimed(accountId: string, row: ClaimRow): ClaimedDelivery {
  return {
    accountId,
    endpointId: row[0],
    id: row[1],
    dueAt: row[2],
    createdAt: row[3],
    eventId: row[4],
    eventType: row[5],
    isTest: row[6],
    attemptsInSeries: row[7],
    endpointVersion: row[8],
    testBody: row[9],
    eventText: row[10],
    requestId: row[11] && asRequestId(row[11]),
    objectId: row[12],
  };
}

type ClaimRow = [
  string,
  string,
  Date,
  Date,
  string,
  string,
  boolean,
  number,
  number,
  string | null,
  string | null,
  string | null,
  string | null,
];

/** An endpoint, the number of its deliveries that must wait, and the ids of their records. */
type HeldRow = [string, null, null, null, null, null, null, number, null, string];

/**
 * More than all processes together may have claimed of an endpoint. The limit is there for the planner: it cannot know that little lies
 * ahead, and would read the whole queue at once, and compile the statement for it.
 */
const mostAhead = 10_000;

/**
 * The rows that this statement locked are updated by ctid, and within the span of their due times: a planner with old
 * statistics would read the account's whole queue. What lies ahead of them is read along the same index; all of it is with other
 * claims, so it is no more than those may hold.
 *
 * Processes whose clocks differ by some milliseconds write for one account. What was never tried is therefore due a little before
 * its time, see fan-out.ts.
 */
const claimText = `
  with wanted as materialized (
    select p.id as endpoint_id, l.size, l.per_record, p.status, p.version, k.records_events as has_plan,
      array(select s.object_id from unnest($6::uuid[], $7::uuid[]) as s(endpoint_id, object_id) where s.endpoint_id = p.id) as passed
    from webhook_endpoints p
    join unnest($2::uuid[], $3::int[], $5::int[]) as l(id, size, per_record) on l.id = p.id
    join account_clock k on k.account_id = p.account_id
    where p.account_id = $1
  ), due as materialized (
    select wanted.endpoint_id, found.*
    from wanted cross join lateral (
      select q.ctid as place, q.due_at, q.id, case when q.attempts_in_series = 0 then q.object_id end as object_id
      from webhook_queue q
      where q.account_id = $1 and q.endpoint_id = wanted.endpoint_id and q.due_at <= $4::timestamptz + ${clockSkew}
        and (q.due_at <= $4 or q.attempts_in_series = 0)
        and (q.leased_until is null or q.leased_until < statement_timestamp())
        and (q.object_id is null or q.attempts_in_series > 0 or q.object_id <> all (wanted.passed))
      order by q.due_at, q.id limit wanted.size
      for no key update skip locked) found
    where wanted.status = 'active'
    union all
    select wanted.endpoint_id, found.*
    from wanted cross join lateral (
      select q.ctid as place, q.due_at, q.id, null::uuid as object_id from webhook_queue q
      where q.account_id = $1 and q.endpoint_id = wanted.endpoint_id and q.due_at <= $4 and q.is_test
        and (q.leased_until is null or q.leased_until < statement_timestamp())
      order by q.due_at limit wanted.size
      for no key update skip locked) found
    where wanted.status <> 'active'
  ), ordered as materialized (
    select endpoint_id, place, due_at, id, object_id,
      row_number() over (partition by endpoint_id, object_id order by due_at, id) as nth,
      row_number() over (partition by endpoint_id order by due_at desc, id desc) as from_the_end
    from due where object_id is not null
  ), ahead as materialized (
    select reach.endpoint_id, found.*
    from (select * from ordered where from_the_end = 1) reach
    join wanted on wanted.endpoint_id = reach.endpoint_id
    cross join lateral (
      select q.ctid as place, q.due_at, q.id, q.object_id from webhook_queue q
      where q.account_id = $1 and q.endpoint_id = reach.endpoint_id and (q.due_at, q.id) < (reach.due_at, reach.id)
        and q.attempts_in_series = 0 and q.object_id is not null and q.object_id <> all (wanted.passed)
      order by q.due_at desc, q.id desc limit ${mostAhead}) found
    where found.place not in (select place from due)
  ), first_ahead as (
    select distinct on (endpoint_id, object_id) endpoint_id, object_id, due_at, id
    from ahead order by endpoint_id, object_id, due_at, id
  ), held as materialized (
    select o.endpoint_id, o.place, o.object_id
    from ordered o
    join wanted on wanted.endpoint_id = o.endpoint_id
    left join first_ahead a on a.endpoint_id = o.endpoint_id and a.object_id = o.object_id
    where o.nth > wanted.per_record or (a.due_at, a.id) < (o.due_at, o.id)
  ), claimed as (
    update webhook_queue q set leased_until = statement_timestamp() + interval '${leaseSeconds} seconds'
    where q.account_id = $1 and q.endpoint_id = any ($2::uuid[]) and q.ctid = any (array(
        select place from due except all select place from held))
      and q.due_at >= (select min(due_at) from due) and q.due_at <= (select max(due_at) from due)
    returning q.endpoint_id, q.id, q.due_at, q.created_at, q.event_id, q.event_type, q.is_test, q.attempts_in_series, q.body,
      q.object_id
  )
  select c.endpoint_id, c.id, c.due_at, c.created_at, c.event_id, c.event_type, c.is_test, c.attempts_in_series, wanted.version,
    case when wanted.has_plan then c.body end, case when wanted.has_plan then e.body end, e.request_id,
    case when c.attempts_in_series = 0 then c.object_id end
  from claimed c
  join wanted on wanted.endpoint_id = c.endpoint_id
  left join events e on e.account_id = $1 and e.created_at = c.created_at and e.id = c.event_id
  union all
  select endpoint_id, null, null, null, null, null, null, count(*)::smallint, null, string_agg(distinct object_id::text, ' '),
    null, null, null
  from held group by endpoint_id`;
