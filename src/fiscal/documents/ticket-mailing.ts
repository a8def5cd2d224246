import type { Config } from "../../config.ts";
import type { Queryable } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { readDailyLimit } from "./buyer-mail-limits.ts";

/** Whether a business mails tickets, and how many, as its owner sees it. */
export interface TicketMailing {
  /** The owner's switch. */
  active: boolean;
  /** Whether the operator allows it, for this account and the installation. */
  is_allowed: boolean;
  per_day: number;
  /** Until when fewer go, because the business is new. */
  new_until: Date | null;
}

type Settings = Pick<Config, "ticketMail">;

async function readSwitches(db: Queryable, accountId: string): Promise<{ active: boolean; allowed: boolean }> {
  const { rows } = await db.query<{ active: boolean; allowed: boolean }>(sql`
    select coalesce(s.mails_tickets, true) as active, a.ticket_mail as allowed
    from accounts a left join counter_settings s on s.account_id = a.id where a.id = ${accountId}`);
  return oneRow(rows);
}

/** Who has switched tickets by mail off, if anybody. */
export async function offReason(
  db: Queryable,
  { ticketMail }: Settings,
  accountId: string,
): Promise<"owner_off" | "operator_off" | undefined> {
  const { active, allowed } = await readSwitches(db, accountId);
  if (!ticketMail || !allowed) return "operator_off";
  return active ? undefined : "owner_off";
}

export async function readTicketMailing(
  db: Queryable,
  { ticketMail }: Settings,
  accountId: string,
  now: Date,
): Promise<TicketMailing> {
  const { active, allowed } = await readSwitches(db, accountId);
  const { perDay, newUntil } = await readDailyLimit(db, accountId, now);
  return { active, is_allowed: ticketMail && allowed, per_day: perDay, new_until: newUntil };
}
