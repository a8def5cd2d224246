import type { Queryable } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import { everyLane } from "./claim.ts";

export interface Pending {
  /** Counted up to 100 000: beyond that the exact number helps nobody, and costs a scan. */
  pending: number;
  /** When the oldest that is due by now should have been done. */
  oldestDue: Date | null;
}

/** The queue of deliveries as it stands. */
export async function pendingDeliveries(db: Queryable, now: Date): Promise<Pending> {
  const { rows } = await db.query<{ pending: number; oldest: Date | null }>(prepared(pendingText, [now]));
  return { pending: rows[0]!.pending, oldestDue: rows[0]!.oldest };
}

const pendingText = `
  ${everyLane}
  select (select count(*) from (select from webhook_queue limit 100000) counted) as pending,
    (select min(lane.due_at) from lane
     join webhook_endpoints p on p.account_id = lane.account_id and p.id = lane.endpoint_id
     where lane.due_at <= $1 and p.status = 'active') as oldest`;
