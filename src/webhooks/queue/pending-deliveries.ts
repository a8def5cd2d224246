import type { Queryable } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import { pendingEndpoints } from "./claim.ts";

export interface Pending {
  /** Counted up to 100 000: beyond that the exact number helps nobody, and costs a scan. */
  pending: number;
  /** When the oldest of those due by now fell due. */
  oldestDue: Date | null;
}

export async function pendingDeliveries(db: Queryable, now: Date): Promise<Pending> {
  const { rows } = await db.query<{ pending: number; oldest: Date | null }>(prepared(pendingText, [now]));
  return { pending: rows[0]!.pending, oldestDue: rows[0]!.oldest };
}

const pendingText = `
  ${pendingEndpoints}
  select (select count(*) from (select from webhook_queue limit 100000) counted) as pending,
    (select min(pending.due_at) from pending
     join webhook_endpoints p on p.account_id = pending.account_id and p.id = pending.endpoint_id
     where pending.due_at <= $1 and p.status = 'active') as oldest`;
