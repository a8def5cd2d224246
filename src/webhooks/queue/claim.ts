import type { Pool } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import type { Lane } from "../../engine/deliveries/delivery-signal.ts";
import { asRequestId } from "../../lib/request-id.ts";

/** A claimed delivery outlives a send and the writing of its outcome; after a crash it is free again within 25 s. */
export const leaseSeconds = 20;

/** A delivery that this process may attempt now. */
export interface Claimed {
  accountId: string;
  endpointId: string;
  id: string;
  dueAt: Date;
  createdAt: Date;
  eventId: string;
  eventType: string;
  /** Of the request that caused the event; null for what none caused, and for tests. */
  requestId: string | null;
  isTest: boolean;
  attemptsInSeries: number;
  /** The version of the endpoint that the delivery must be sent with. */
  endpointVersion: number;
  /** The recorded event, or the whole body of a test; null when there is nothing to send, see claimDeliveries. */
  eventText: string | null;
  testBody: string | null;
}

export interface LaneClaim extends Lane {
  size: number;
}

/**
 * Claims up to `size` due deliveries of each lane, oldest first. SKIP LOCKED lets processes claim side by side; no
 * transaction outlives this statement. Only tests go to an endpoint that is not active. Nothing is to be sent of an event
 * past its retention, nor for an account without its plan: what was leased when that ended was not dropped with the rest.
 */
export async function claimDeliveries(pool: Pool, lanes: readonly LaneClaim[], now: Date): Promise<Claimed[]> {
  const { rows } = await pool.query({
    ...prepared(claimText, [
      lanes.map(({ accountId }) => accountId),
      lanes.map(({ endpointId }) => endpointId),
      lanes.map(({ size }) => size),
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

/** By ctid: the rows are locked by this very statement, and a planner that trusts old statistics would read the whole queue. */
const claimText = `
  with lane as materialized (
    select l.account_id, l.endpoint_id, l.size, p.status, p.version, k.records_events as has_plan
    from unnest($1::uuid[], $2::uuid[], $3::int[]) as l(account_id, endpoint_id, size)
    join webhook_endpoints p on p.account_id = l.account_id and p.id = l.endpoint_id
    join account_clock k on k.account_id = l.account_id
  ), due as materialized (
    select found.place
    from lane cross join lateral (
      select q.ctid as place from webhook_queue q
      where q.account_id = lane.account_id and q.endpoint_id = lane.endpoint_id and q.due_at <= $4
        and (q.leased_until is null or q.leased_until < clock_timestamp())
      order by q.due_at, q.id limit lane.size
      for no key update skip locked) found
    where lane.status = 'active'
    union all
    select found.place
    from lane cross join lateral (
      select q.ctid as place from webhook_queue q
      where q.account_id = lane.account_id and q.endpoint_id = lane.endpoint_id and q.due_at <= $4 and q.is_test
        and (q.leased_until is null or q.leased_until < clock_timestamp())
      order by q.due_at limit lane.size
      for no key update skip locked) found
    where lane.status <> 'active'
  ), claimed as (
    update webhook_queue q set leased_until = clock_timestamp() + interval '${leaseSeconds} seconds'
    where q.ctid = any (array(select place from due))
    returning q.account_id, q.endpoint_id, q.id, q.due_at, q.created_at, q.event_id, q.event_type, q.is_test,
      q.attempts_in_series, q.body
  )
  select c.account_id, c.endpoint_id, c.id, c.due_at, c.created_at, c.event_id, c.event_type, c.is_test,
    c.attempts_in_series, lane.version, case when lane.has_plan then c.body end, case when lane.has_plan then e.body end,
    e.request_id
  from claimed c
  join lane on lane.account_id = c.account_id and lane.endpoint_id = c.endpoint_id
  left join events e on e.account_id = c.account_id and e.created_at = c.created_at and e.id = c.event_id`;

/**
 * Every lane with its oldest delivery, as `lane`. It hops from lane to lane in the queue's own index, so its cost is the
 * number of lanes with anything pending, not the depth of any of them.
 */
export const everyLane = `with recursive lane as (
    (select account_id, endpoint_id, due_at from webhook_queue order by account_id, endpoint_id, due_at limit 1)
    union all
    select next.account_id, next.endpoint_id, next.due_at
    from lane cross join lateral (
      select q.account_id, q.endpoint_id, q.due_at from webhook_queue q
      where (q.account_id, q.endpoint_id) > (lane.account_id, lane.endpoint_id)
      order by q.account_id, q.endpoint_id, q.due_at limit 1) next
  )`;

/** The lanes with something due: one look for all endpoints. */
export async function findDueLanes(pool: Pool, now: Date): Promise<Lane[]> {
  const { rows } = await pool.query<{ account_id: string; endpoint_id: string }>(prepared(dueLanesText, [now]));
  return rows.map((row) => ({ accountId: row.account_id, endpointId: row.endpoint_id }));
}

const dueLanesText = `
  ${everyLane}
  select lane.account_id, lane.endpoint_id
  from lane join webhook_endpoints p on p.account_id = lane.account_id and p.id = lane.endpoint_id
  where lane.due_at <= $1 and p.status = 'active'
  union
  select account_id, endpoint_id from webhook_queue where is_test and due_at <= $1`;
