import { type Pending, readPending } from "../db/pending.ts";
import type { Queryable } from "../db/pool.ts";

/** Mails not sent yet, and when the oldest that is due should have been tried. */
export function pendingMails(db: Queryable, now: Date): Promise<Pending> {
  return readPending(
    db,
    (part) => `
      select count(*) as pending, min(next_attempt_at) filter (where next_attempt_at <= $1) as oldest
      from (select next_attempt_at from mails
        where next_attempt_at is not null and ${part.of("account_id", 2)} limit 100000) waiting`,
    [now],
  );
}
