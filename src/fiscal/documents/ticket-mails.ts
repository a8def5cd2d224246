import { forgetRows } from "../../db/forget-rows.ts";
import type { Pool, Queryable } from "../../db/pool.ts";
import type { Reads } from "../../db/shared-reads.ts";
import { sql } from "../../db/sql.ts";
import { day } from "../../lib/clock.ts";
import { usualRetention } from "../../lib/retention.ts";
import type { TicketRefusal } from "../../mail/ticket-mail.ts";

/** A ticket that a cashier promised to mail, and what became of it. */
export interface TicketMail {
  email: string;
  state: "waiting" | "sent" | "refused" | "given_up";
  /** Of a refused one; null for what was refused before reasons were kept. */
  reason: TicketRefusal | null;
  created_at: Date;
}

/** A sale's page shows the last ones. */
const mostShown = 20;

export async function readTicketMails(db: Queryable, accountId: string, saleId: string): Promise<TicketMail[]> {
  const { rows } = await db.query<TicketMail>(sql`
    select email, state, reason, created_at from ticket_mails where account_id = ${accountId} and sale_id = ${saleId}
    order by created_at desc, id limit ${mostShown}`);
  return rows;
}

/** For how long the owner is told of mails that did not go. */
const toldMs = 3 * day;

/** The sales of mails that did not go, the newest first; null for a sale that never arrived. */
export async function readUnsentTickets(
  db: Reads,
  accountId: string,
  { now, limit }: { now: Date; limit: number },
): Promise<(string | null)[]> {
  const { rows } = await db.query<{ sale_id: string | null }>(sql`
    select s.id as sale_id from (
      select account_id, sale_id, next_check_at from ticket_mails
      where account_id = ${accountId} and state in ('refused', 'given_up') and next_check_at > ${new Date(now.getTime() - toldMs)}
      order by next_check_at desc limit ${limit}
    ) t left join sales s on s.account_id = ${accountId} and s.id = t.sale_id
    order by t.next_check_at desc`);
  return rows.map(({ sale_id }) => sale_id);
}

/** Longer than a register keeps what it uploaded: linked anew it uploads its wishes again, and none may be mailed twice. */
export const keptDays = usualRetention.ticket_mails;

/** Forgets buyers' addresses: removes what was settled long ago, account by account. Returns how many. */
export function forgetTicketMails(pool: Pool, now: Date, days = keptDays): Promise<number> {
  const before = new Date(now.getTime() - days * day);
  return forgetRows(pool, "ticket_mails", "state <> 'waiting' and next_check_at", before);
}
