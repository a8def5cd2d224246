import type { Pool } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
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
 * Claims up to `size` due deliveries of each endpoint, oldest first. SKIP LOCKED lets processes claim side by side; no
 * transaction outlives this statement. An endpoint that is not active gets only tests. An event past its retention and
 * an account without its plan leave nothing to send: the delivery was leased when they ended, so it was not dropped then.
 */
export async function claimDeliveries(
  pool: Pool,
  claims: readonly EndpointClaim[],
  now: Date,
): Promise<ClaimedDelivery[]> {
  const { rows } = await pool.query({
    ...prepared(claimText, [
      claims.map(({ accountId }) => accountId),
      claims.map(({ endpointId }) => endpointId),
      claims.map(({ size }) => size),
      now,
    ]),
    rowMode: "array",
  });
  return (rows as unknown as ClaimRow[]).map((row) => ({
    accountId: row[0],
    endpointId: row[1],
    id: row[2],
    dueAt: row[3],
    createdAt: row[4],
    eventId: row[5],
    eventType: row[6],
    isTest: row[7],
    attemptsInSeries: row[8],
    endpointVersion: row[9],
    testBody: row[10],
    eventText: row[11],
    requestId: row[12] && asRequestId(row[12]),
  }));
}

type ClaimRow = [
  string,
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

/** By ctid: this statement locks the rows, and a planner with old statistics would read the whole queue. */
const claimText = `
  with wanted as materialized (
    select l.account_id, l.endpoint_id, l.size, p.status, p.version, k.records_events as has_plan
    from unnest($1::uuid[], $2::uuid[], $3::int[]) as l(account_id, endpoint_id, size)
    join webhook_endpoints p on p.account_id = l.account_id and p.id = l.endpoint_id
    join account_clock k on k.account_id = l.account_id
  ), due as materialized (
    select found.place
    from wanted cross join lateral (
      select q.ctid as place from webhook_queue q
      where q.account_id = wanted.account_id and q.endpoint_id = wanted.endpoint_id and q.due_at <= $4
        and (q.leased_until is null or q.leased_until < clock_timestamp())
      order by q.due_at, q.id limit wanted.size
      for no key update skip locked) found
    where wanted.status = 'active'
    union all
    select found.place
    from wanted cross join lateral (
      select q.ctid as place from webhook_queue q
      where q.account_id = wanted.account_id and q.endpoint_id = wanted.endpoint_id and q.due_at <= $4 and q.is_test
        and (q.leased_until is null or q.leased_until < clock_timestamp())
      order by q.due_at limit wanted.size
      for no key update skip locked) found
    where wanted.status <> 'active'
  ), claimed as (
    update webhook_queue q set leased_until = clock_timestamp() + interval '${leaseSeconds} seconds'
    where q.ctid = any (array(select place from due))
    returning q.account_id, q.endpoint_id, q.id, q.due_at, q.created_at, q.event_id, q.event_type, q.is_test,
      q.attempts_in_series, q.body
  )
  select c.account_id, c.endpoint_id, c.id, c.due_at, c.created_at, c.event_id, c.event_type, c.is_test,
    c.attempts_in_series, wanted.version, case when wanted.has_plan then c.body end, case when wanted.has_plan then e.body end,
    e.request_id
  from claimed c
  join wanted on wanted.account_id = c.account_id and wanted.endpoint_id = c.endpoint_id
  left join events e on e.account_id = c.account_id and e.created_at = c.created_at and e.id = c.event_id`;

/**
 * Every endpoint with deliveries and its oldest due time, as `pending`. It hops from endpoint to endpoint in the queue's
 * own index, so its cost is the number of endpoints with deliveries, not the length of any queue.
 */
export const pendingEndpoints = `with recursive pending as (
    (select account_id, endpoint_id, due_at from webhook_queue order by account_id, endpoint_id, due_at limit 1)
    union all
    select next.account_id, next.endpoint_id, next.due_at
    from pending cross join lateral (
      select q.account_id, q.endpoint_id, q.due_at from webhook_queue q
      where (q.account_id, q.endpoint_id) > (pending.account_id, pending.endpoint_id)
      order by q.account_id, q.endpoint_id, q.due_at limit 1) next
  )`;

export async function findDueEndpoints(pool: Pool, now: Date): Promise<EndpointKey[]> {
  const { rows } = await pool.query<{ account_id: string; endpoint_id: string }>(prepared(dueEndpointsText, [now]));
  return rows.map((row) => ({ accountId: row.account_id, endpointId: row.endpoint_id }));
}

const dueEndpointsText = `
  ${pendingEndpoints}
  select pending.account_id, pending.endpoint_id
  from pending join webhook_endpoints p on p.account_id = pending.account_id and p.id = pending.endpoint_id
  where pending.due_at <= $1 and p.status = 'active'
  union
  select account_id, endpoint_id from webhook_queue where is_test and due_at <= $1`;
