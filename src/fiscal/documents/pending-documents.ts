import { type Pending, readPending } from "../../db/pending.ts";
import type { Queryable } from "../../db/pool.ts";

/** Documents without a verdict, and when the oldest that is due should have been asked about. */
export function pendingDocuments(db: Queryable, now: Date): Promise<Pending> {
  return readPending(
    db,
    (part) => `
      select count(*) as pending, min(due_at) filter (where due_at <= $1) as oldest
      from (select due_at from fiscal_documents where due_at is not null and ${part.of("account_id", 2)} limit 100000) waiting`,
    [now],
  );
}
