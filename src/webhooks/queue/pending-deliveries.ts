import type { Queryable } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import { firstDue } from "./claim.ts";

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
  select (select count(*) from (select 1 from webhook_queue limit 100000) counted) as pending,
    (select min(due.at) from (select ${firstDue} as at from webhook_endpoints p where p.status = 'active') due
     where due.at <= $1) as oldest`;
