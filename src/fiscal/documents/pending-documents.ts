import type { Queryable } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";

/** Documents without a verdict, counted up to 100 000, and when the oldest that is due should have been asked about. */
export async function pendingDocuments(db: Queryable, now: Date): Promise<{ pending: number; oldestDue: Date | null }> {
  const { rows } = await db.query<{ pending: number; oldest: Date | null }>(
    prepared(
      `select count(*) as pending, min(due_at) filter (where due_at <= $1) as oldest
       from (select due_at from fiscal_documents where due_at is not null limit 100000) waiting`,
      [now],
    ),
  );
  return { pending: rows[0]!.pending, oldestDue: rows[0]!.oldest };
}
