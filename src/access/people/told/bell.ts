import type { Queryable } from "../../../db/pool.ts";
import { oneRow } from "../../../db/read.ts";
import { sql } from "../../../db/sql.ts";
import { day } from "../../../lib/clock.ts";
import { type NoticeKind, noticeKinds } from "../../../notices/record-notices.ts";
import { rightOfNotice } from "../alert-people.ts";
import type { Session } from "../session.ts";

export interface BellNotice {
  id: string;
  /** Of the doors, or of the business. */
  about: "doors" | "business";
  title: string;
  lines: string[];
  at: Date;
  is_new: boolean;
}

const shownDays = 30;
const mostShown = 50;

/** What a person was told lately in this business: of the doors, and with the right to see them, of its documents. */
export async function readBell(
  db: Queryable,
  { accountId, personId, rights, locationIds }: Session,
  now: Date,
): Promise<{ unread: number; data: BellNotice[] }> {
  const seenAt = await readSeenAt(db, accountId, personId);
  const since = new Date(now.getTime() - shownDays * day);
  const doors = await db.query<{ id: string; title: string; lines: string[]; at: Date }>(sql`
    select id, title, lines, created_at as at from security_notices
    where person_id = ${personId} and account_id = ${accountId} and created_at > ${since}
    order by created_at desc, id desc limit ${mostShown}`);
  const kinds = noticeKinds.filter((kind) => rights.has(rightOfNotice(kind)));
  const business = kinds.length > 0 ? await businessNotices(db, accountId, { kinds, locationIds }, since) : [];
  const data = [
    ...doors.rows.map((row) => ({ ...row, about: "doors" as const })),
    ...business.map((row) => ({ ...row, about: "business" as const })),
  ]
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, mostShown)
    .map((row) => ({ ...row, title: sentence(row.title), is_new: seenAt === null || row.at > seenAt }));
  return { unread: data.filter(({ is_new }) => is_new).length, data };
}

/** In the mail's subject it goes on; here it begins. */
const sentence = (title: string) => `${title.charAt(0).toUpperCase()}${title.slice(1)}`;

export async function markSeen(db: Queryable, { accountId, personId }: Session, now: Date): Promise<void> {
  await db.query(sql`
    update memberships set notices_seen_at = ${now} where account_id = ${accountId} and person_id = ${personId}`);
}

async function readSeenAt(db: Queryable, accountId: string, personId: string): Promise<Date | null> {
  const { rows } = await db.query<{ notices_seen_at: Date | null }>(sql`
    select notices_seen_at from memberships where account_id = ${accountId} and person_id = ${personId}`);
  return oneRow(rows).notices_seen_at;
}

/** Who sees some sedes sees what is known to be of one of them. */
async function businessNotices(
  db: Queryable,
  accountId: string,
  { kinds, locationIds }: { kinds: NoticeKind[]; locationIds: readonly string[] | null },
  since: Date,
): Promise<{ id: string; title: string; lines: string[]; at: Date }[]> {
  const { rows } = await db.query<{ kind: string; subject: string; message: string; last_at: Date }>(sql`
    select kind, subject, message, last_at from notices
    where account_id = ${accountId} and last_at > ${since} and kind = any(${kinds}::text[])
      and (${locationIds === null} or location_id = any(${[...(locationIds ?? [])]}::uuid[]))
    order by last_at desc limit ${mostShown}`);
  return rows.map(({ kind, subject, message, last_at }) => ({
    id: `${kind} ${subject} ${last_at.getTime()}`,
    title: message,
    lines: [],
    at: last_at,
  }));
}
