import type { Queryable } from "../db/pool.ts";
import { prepared } from "../db/sql.ts";

export interface Pending {
  /** Counted up to 100 000: beyond that the exact number helps nobody, and costs a scan. */
  pending: number;
  /** When the oldest that is due by now should have been done. */
  oldestDue: Date | null;
}

/** The queue of deliveries as it stands. The age hops from lane to lane in the queue's index, as the workers' look does. */
export async function pendingDeliveries(db: Queryable, now: Date): Promise<Pending> {
  const { rows } = await db.query<{ pending: number; oldest: Date | null }>(prepared(pendingText, [now]));
  return { pending: rows[0]!.pending, oldestDue: rows[0]!.oldest };
}

const pendingText = `
  with recursive lane as (
    (select account_id, endpoint_id, due_at from webhook_queue order by account_id, endpoint_id, due_at limit 1)
    union all
    select next.account_id, next.endpoint_id, next.due_at
    from lane cross join lateral (
      select q.account_id, q.endpoint_id, q.due_at from webhook_queue q
      where (q.account_id, q.endpoint_id) > (lane.account_id, lane.endpoint_id)
      order by q.account_id, q.endpoint_id, q.due_at limit 1) next
  )
  select (select count(*) from (select from webhook_queue limit 100000) counted) as pending,
    (select min(lane.due_at) from lane
     join webhook_endpoints p on p.account_id = lane.account_id and p.id = lane.endpoint_id
     where lane.due_at <= $1 and p.status = 'active') as oldest`;
