import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";

/** Where the skip was entered; the audit log has the person. */
export type SkippedBy = "portal" | "cli";

/** Part of a range whose numbers no document will have. */
export interface SkippedNumbers extends Stretch {
  rangeId: string;
  reason: string;
  by: SkippedBy;
  at: Date;
}

export interface Stretch {
  first: number;
  last: number;
}

/** The numbers within a stretch that no document has: some may belong to documents that registers issued. */
export async function findUnused(
  db: Queryable,
  accountId: string,
  prefix: string,
  { first, last }: Stretch,
): Promise<Stretch[]> {
  const { rows } = await db.query<{ first: number; last: number }>(sql`
    select before + 1 as first, number - 1 as last
    from (
      select number, lag(number, 1, ${first}::bigint - 1) over (order by number) as before
      from (
        select (body->>'number')::bigint as number from invoices
        where account_id = ${accountId} and coalesce(body->>'prefix', '') = ${prefix}
          and document_type <> 'internal_invoice' and (body->>'number')::bigint between ${first}::bigint and ${last}::bigint
        union select ${last}::bigint + 1
      ) used
    ) neighbours
    where number > before + 1 order by 1`);
  return rows;
}

export async function recordSkipped(
  db: Queryable,
  accountId: string,
  { stretches, rangeId, reason, by, at }: Omit<SkippedNumbers, keyof Stretch> & { stretches: readonly Stretch[] },
): Promise<void> {
  await db.query(sql`
    insert into skipped_numbers (account_id, range_id, first_number, last_number, reason, recorded_by, created_at)
    select ${accountId}::uuid, ${rangeId}::uuid, s.first, s.last, ${reason}::text, ${by}::text, ${at}::timestamptz
    from unnest(${stretches.map(({ first }) => first)}::bigint[], ${stretches.map(({ last }) => last)}::bigint[])
      as s(first, last)`);
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
