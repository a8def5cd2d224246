import type { Queryable } from "../db/pool.ts";
import { sql } from "../db/sql.ts";

/** Where the person was who said so; who that was in the portal, its audit log knows. */
export type SkippedBy = "portal" | "cli";

/** A stretch of a range whose numbers no document of ours will have. */
export interface SkippedNumbers {
  rangeId: string;
  first: number;
  last: number;
  reason: string;
  by: SkippedBy;
  at: Date;
}

export async function recordSkipped(
  db: Queryable,
  accountId: string,
  { rangeId, first, last, reason, by, at }: SkippedNumbers,
): Promise<void> {
  await db.query(sql`
    insert into skipped_numbers (account_id, range_id, first_number, last_number, reason, recorded_by, created_at)
    values (${accountId}, ${rangeId}, ${first}, ${last}, ${reason}, ${by}, ${at})`);
}

export async function readSkipped(db: Queryable, accountId: string): Promise<SkippedNumbers[]> {
  const { rows } = await db.query(sql`
    select range_id, first_number, last_number, reason, recorded_by, created_at from skipped_numbers
    where account_id = ${accountId} order by range_id, first_number`);
  return rows.map((row) => ({
    rangeId: row.range_id,
    first: row.first_number,
    last: row.last_number,
    reason: row.reason,
    by: row.recorded_by,
    at: row.created_at,
  }));
}
