import type { Queryable } from "../db/pool.ts";
import { prepared } from "../db/sql.ts";

/** Mails not sent yet, counted up to 100 000, and when the oldest that is due should have been tried. */
export async function pendingMails(db: Queryable, now: Date): Promise<{ pending: number; oldestDue: Date | null }> {
  const { rows } = await db.query<{ pending: number; oldest: Date | null }>(
    prepared(
      `select count(*) as pending, min(next_attempt_at) filter (where next_attempt_at <= $1) as oldest
       from (select next_attempt_at from mails where next_attempt_at is not null limit 100000) waiting`,
      [now],
    ),
  );
  return { pending: rows[0]!.pending, oldestDue: rows[0]!.oldest };
}
