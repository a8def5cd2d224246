import type { Queryable } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { day } from "../../lib/clock.ts";
import { typedAddressKinds } from "../../mail/mail-kinds.ts";

/**
 * How many mails go to addresses that somebody typed: a cashier who promised a ticket, or the owner who sends a document
 * again. A buyer who lost a mail asks again once or twice; beyond these it would be strangers' mailboxes being filled. A new
 * business has not shown yet that it sells anything.
 */
export const buyerMailLimits = { perDocument: 5, perSale: 5, perDay: 300, newPerDay: 30, newDays: 7 } as const;

export interface DailyLimit {
  perDay: number;
  /** Until when the business counts as new; null if it does not. */
  newUntil: Date | null;
}

export async function readDailyLimit(db: Queryable, accountId: string, now: Date): Promise<DailyLimit> {
  const { rows } = await db.query<{ created_at: Date }>(sql`select created_at from accounts where id = ${accountId}`);
  const until = new Date(oneRow(rows).created_at.getTime() + buyerMailLimits.newDays * day);
  return until > now
    ? { perDay: buyerMailLimits.newPerDay, newUntil: until }
    : { perDay: buyerMailLimits.perDay, newUntil: null };
}

export type ReachedLimit = { of: "document"; sent: number } | { of: "account" | "new_business"; sent: number };

/** The limit that one more mail would break, if any. */
export async function reachedLimit(
  db: Queryable,
  accountId: string,
  documentId: string | undefined,
  now: Date,
): Promise<ReachedLimit | undefined> {
  const { rows } = await db.query<{ own: number; all: number }>(sql`
    select (count(*) filter (where document_id = ${documentId ?? null}))::int as own, count(*)::int as all from mails
    where account_id = ${accountId} and kind = any(${typedAddressKinds}::text[]) and created_at > ${new Date(now.getTime() - day)}`);
  const { own, all } = oneRow(rows);
  if (own >= buyerMailLimits.perDocument) return { of: "document", sent: own };
  const { perDay, newUntil } = await readDailyLimit(db, accountId, now);
  if (all < perDay) return undefined;
  return { of: newUntil === null ? "account" : "new_business", sent: all };
}
