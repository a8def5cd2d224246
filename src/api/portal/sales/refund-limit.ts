import { readSecuritySettings } from "../../../access/people/second-step/security-settings.ts";
import { requireShownFactor, stepUpMs } from "../../../access/people/second-step/step-up.ts";
import type { Session } from "../../../access/people/session.ts";
import type { Queryable } from "../../../db/pool.ts";
import { oneRow } from "../../../db/read.ts";
import { sql } from "../../../db/sql.ts";
import type { AllowReturn } from "../../../fiscal/corrections/return-sale.ts";
import { day } from "../../../lib/clock.ts";

/**
 * Above the sum that the owner set, a return asks whoever makes it for a second step. What went before without one counts: of the
 * same sale, and by the same person within a day. Otherwise a large return would pass in slices.
 */
export function refundLimit(session: Session): AllowReturn {
  return async (db, { saleId, total, at }) => {
    const { refund_step_up_above: limit } = await readSecuritySettings(db, session.accountId);
    if (limit === null) return;
    const isAbove = total > limit || total + (await returnedBefore(db, session, saleId, at)) > limit;
    if (isAbove) await requireShownFactor({ pool: db, clock: { now: () => at } }, session);
  };
}

/** The larger of both sums, since this session's last second step ran out. A second step of another session is not this one's. */
async function returnedBefore(
  db: Pick<Queryable, "query">,
  { id, accountId, personId }: Session,
  saleId: string,
  at: Date,
): Promise<number> {
  const sessions = await db.query<{ stepped_up_at: Date | null }>(sql`
    select stepped_up_at from portal_sessions where id = ${id}`);
  const shownUntil = (sessions.rows[0]?.stepped_up_at?.getTime() ?? -stepUpMs) + stepUpMs;
  const dayBefore = Math.max(shownUntil, at.getTime() - day);
  const { rows: ofSale } = await db.query<{ total: string }>(sql`
    select coalesce(sum((body ->> 'total')::bigint), 0) as total from returns
    where account_id = ${accountId} and sale_id = ${saleId} and device_id is null and created_at >= ${new Date(shownUntil)}`);
  const { rows: ofPerson } = await db.query<{ total: string }>(sql`
    select coalesce(sum((details ->> 'total')::bigint), 0) as total from audit_log
    where account_id = ${accountId} and created_at >= ${new Date(dayBefore)} and person_id = ${personId}
      and action = 'sale.returned'`);
  return Math.max(Number(oneRow(ofSale).total), Number(oneRow(ofPerson).total));
}
