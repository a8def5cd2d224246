import { isAccountAway } from "../../db/nodes.ts";
import type { Pool } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import { inOneTripWhereReached } from "../../db/transaction.ts";
import type { EndpointKey } from "../../engine/deliveries/delivery-signal.ts";
import { leaseSeconds } from "../../engine/deliveries/fan-out.ts";
import { asRequestId } from "../../lib/request-id.ts";

export interface ClaimedDelivery {
  accountId: string;
  endpointId: string;
  id: string;
  dueAt: Date;
  createdAt: Date;
  eventId: string;
  eventType: string;
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
}

/**
 * Claims up to `size` due deliveries of each endpoint, oldest first: one statement per account, in one packet. SKIP LOCKED
 * lets processes claim side by side; no transaction outlives the packet. An endpoint that is not active gets only tests. An
 * event past its retention and an account without its plan leave nothing to send: the delivery was leased when they ended,
 * so it was not dropped then. An account whose node is away gets nothing.
 */
export async function claimDeliveries(
  pool: Pool,
  claims: readonly EndpointClaim[],
  now: Date,
): Promise<ClaimedDelivery[]> {
  const reached = claims.filter(({ accountId }) => !isAccountAway(pool, accountId));
  const byAccount = [...Map.groupBy(reached, ({ accountId }) => accountId)];
  const results = await inOneTripWhereReached(
    pool,
    byAccount.map(([accountId, own]) => ({
      ...prepared(claimText, [accountId, own.map(({ endpointId }) => endpointId), own.map(({ size }) => size), now]),
      rowMode: "array",
    })),
  );
  return results.flatMap((result, i) =>
    ((result?.rows ?? []) as ClaimRow[]).map((row) => claimed(byAccount[i]![0], row)),
  );
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
];

/**
 * The rows that this statement locked are updated by ctid, and within the span of their due times: a planner with old
 * statistics would read the account's whole queue.
 */
const claimText = `
  with wanted as materialized (
    select p.id as endpoint_id, l.size, p.status, p.version, k.records_events as has_plan
    from webhook_endpoints p
    join unnest($2::uuid[], $3::int[]) as l(id, size) on l.id = p.id
    join account_clock k on k.account_id = p.account_id
    where p.account_id = $1
  ), due as materialized (
    select found.place, found.due_at
    from wanted cross join lateral (
      select q.ctid as place, q.due_at from webhook_queue q
      where q.account_id = $1 and q.endpoint_id = wanted.endpoint_id and q.due_at <= $4
        and (q.leased_until is null or q.leased_until < statement_timestamp())
      order by q.due_at, q.id limit wanted.size
      for no key update skip locked) found
    where wanted.status = 'active'
    union all
    select found.place, found.due_at
    from wanted cross join lateral (
      select q.ctid as place, q.due_at from webhook_queue q
      where q.account_id = $1 and q.endpoint_id = wanted.endpoint_id and q.due_at <= $4 and q.is_test
        and (q.leased_until is null or q.leased_until < statement_timestamp())
      order by q.due_at limit wanted.size
      for no key update skip locked) found
    where wanted.status <> 'active'
  ), claimed as (
    update webhook_queue q set leased_until = statement_timestamp() + interval '${leaseSeconds} seconds'
    where q.account_id = $1 and q.endpoint_id = any ($2::uuid[]) and q.ctid = any (array(select place from due))
      and q.due_at >= (select min(due_at) from due) and q.due_at <= (select max(due_at) from due)
    returning q.endpoint_id, q.id, q.due_at, q.created_at, q.event_id, q.event_type, q.is_test, q.attempts_in_series, q.body
  )
  select c.endpoint_id, c.id, c.due_at, c.created_at, c.event_id, c.event_type, c.is_test, c.attempts_in_series, wanted.version,
    case when wanted.has_plan then c.body end, case when wanted.has_plan then e.body end, e.request_id
  from claimed c
  join wanted on wanted.endpoint_id = c.endpoint_id
  left join events e on e.account_id = $1 and e.created_at = c.created_at and e.id = c.event_id`;
