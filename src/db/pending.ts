import { ofAllAccounts, type Part } from "./nodes.ts";
import type { Queryable } from "./pool.ts";
import { prepared } from "./sql.ts";

export interface Pending {
  /** Counted up to 100 000: beyond that the exact number helps nobody, and costs a scan. */
  pending: number;
  /** When the oldest of those due by now fell due. */
  oldestDue: Date | null;
}

/** What waits in a table of all accounts. The statement returns one row: `pending` and `oldest`. */
export async function readPending(
  db: Queryable,
  text: (part: Part) => string,
  values: readonly unknown[],
): Promise<Pending> {
  const counted = await ofAllAccounts(db, async (part) => {
    const statement = prepared(text(part), [...values, ...part.values]);
    return (await db.query<{ pending: number; oldest: Date | null }>(statement)).rows;
  });
  const oldest = counted.flatMap((row) => (row.oldest ? [row.oldest.getTime()] : []));
  return {
    pending: counted.reduce((sum, row) => sum + row.pending, 0),
    oldestDue: oldest.length === 0 ? null : new Date(Math.min(...oldest)),
  };
}
