import { isCitusPool } from "../../db/distribute.ts";
import type { Pool } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import type { EndpointKey } from "../../engine/deliveries/delivery-signal.ts";
import { waitingEndpoints } from "./waiting-endpoints.ts";

/** The endpoints that have something to be sent now. */
export async function findDueEndpoints(pool: Pool, now: Date): Promise<EndpointKey[]> {
  if (await isCitusPool(pool)) {
    const waiting = await waitingEndpoints(pool, now);
    return waiting.filter(({ dueAt, isActive, hasDueTest }) => hasDueTest || (isActive && dueAt <= now));
  }
  const { rows } = await pool.query<{ account_id: string; endpoint_id: string }>(prepared(dueEndpointsText, [now]));
  return rows.map((row) => ({ accountId: row.account_id, endpointId: row.endpoint_id }));
}

export interface Pending {
  /** Counted up to 100 000: beyond that the exact number helps nobody, and costs a scan. */
  pending: number;
  /** When the oldest of those due by now fell due. */
  oldestDue: Date | null;
}

export async function pendingDeliveries(pool: Pool, now: Date): Promise<Pending> {
  if (await isCitusPool(pool)) {
    const { rows } = await pool.query<{ pending: number }>(prepared(`select ${countPending} as pending`, []));
    const due = (await waitingEndpoints(pool, now)).filter(({ isActive, dueAt }) => isActive && dueAt <= now);
    const oldestMs = due.reduce((oldest, { dueAt }) => Math.min(oldest, dueAt.getTime()), Infinity);
    return { pending: rows[0]!.pending, oldestDue: due.length === 0 ? null : new Date(oldestMs) };
  }
  const { rows } = await pool.query<{ pending: number; oldest: Date | null }>(prepared(pendingText, [now]));
  return { pending: rows[0]!.pending, oldestDue: rows[0]!.oldest };
}

/**
 * Every endpoint with deliveries and its oldest due time, as `pending`. It hops from endpoint to endpoint in the queue's
 * own index, so its cost is the number of endpoints with deliveries, not the length of any queue. No distributed table takes
 * a recursive statement: waiting-endpoints.ts makes the same hops from outside.
 */
const pendingEndpoints = `with recursive pending as (
    (select account_id, endpoint_id, due_at from webhook_queue order by account_id, endpoint_id, due_at limit 1)
    union all
    select next.account_id, next.endpoint_id, next.due_at
    from pending cross join lateral (
      select q.account_id, q.endpoint_id, q.due_at from webhook_queue q
      where (q.account_id, q.endpoint_id) > (pending.account_id, pending.endpoint_id)
      order by q.account_id, q.endpoint_id, q.due_at limit 1) next
  )`;

const dueEndpointsText = `
  ${pendingEndpoints}
  select pending.account_id, pending.endpoint_id
  from pending join webhook_endpoints p on p.account_id = pending.account_id and p.id = pending.endpoint_id
  where pending.due_at <= $1 and p.status = 'active'
  union
  select account_id, endpoint_id from webhook_queue where is_test and due_at <= $1`;

const countPending = "(select count(*) from (select 1 from webhook_queue limit 100000) counted)";

const pendingText = `
  ${pendingEndpoints}
  select ${countPending} as pending,
    (select min(pending.due_at) from pending
     join webhook_endpoints p on p.account_id = pending.account_id and p.id = pending.endpoint_id
     where pending.due_at <= $1 and p.status = 'active') as oldest`;
