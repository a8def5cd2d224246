import { keptSums, type SaleSums } from "../business/sale-totals/definition.ts";
import { totalsSource } from "../business/sale-totals/tables.ts";
import type { Reads } from "../db/shared-reads.ts";
import { prepared } from "../db/sql.ts";

/** What was sold in a shift; a shift without sales has no sums. */
export interface ShiftSums extends SaleSums {
  id: string;
}

const text = `
  select cash_session_id as id, ${keptSums} from ${totalsSource("shifts")} s
  where account_id = $1 and cash_session_id = any($2::uuid[]) group by 1`;

/** By the service's own count, whether or not the register told any. */
export async function readShiftSums(db: Reads, accountId: string, ids: readonly string[]): Promise<ShiftSums[]> {
  return (await db.query<ShiftSums>(prepared(text, [accountId, ids]))).rows;
}

/** The shifts whose own sums do not agree with their sales, as they were told; that somebody has looked at it makes them agree no more. */
export async function readDisagreeing(db: Reads, accountId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    prepared(
      `select distinct subject as id from fiscal_findings
       where account_id = $1 and kind = 'drawer_short' and subject = any($2::text[]) and (closed_at is null or acknowledged)`,
      [accountId, ids],
    ),
  );
  return rows.map(({ id }) => id);
}
