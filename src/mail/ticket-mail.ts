import { type Statement, sql } from "../db/sql.ts";
import { unlinked } from "../lib/unlinked.ts";
import { mail, unread } from "./layout.ts";
import type { Mail } from "./queue-mail.ts";
import type { Suppression } from "./suppressions.ts";

export interface MailedTicket {
  business: string;
  /** How the buyer reaches the business. */
  contact: string | null;
  day: string;
  lines: { what: string; value: string }[];
  total: string;
  /** Where the buyer stops the tickets of this business. */
  unsubscribe: string;
}

/**
 * To the buyer, where the sale has no document of its own. What the business wrote (its name, its products) is text for the
 * buyer, never a link: tickets go to strangers.
 */
export function ticketMail({ business: name, contact, day, lines, total, unsubscribe }: MailedTicket): Mail {
  const business = unlinked(name);
  return mail(
    "ticket",
    `Su compra en ${business}`,
    [
      `Gracias por su compra en ${business}.`,
      { fact: "Fecha", value: day },
      ...lines.map(({ what, value }) => ({ fact: unlinked(what), value })),
      { fact: "Total", value: total },
      ...(contact ? [`Si tiene preguntas, comuníquese con ${business}: ${contact}.`] : []),
    ],
    { sender: business, reason: `${unread} Lo recibe porque compró en ${business} y dejó este correo.`, unsubscribe },
  );
}

/** Why a ticket that a cashier promised by mail did not go. */
export type TicketRefusal = Suppression | "too_many" | "new_business" | "owner_off" | "operator_off";

export function refuseTicket(accountId: string, id: string, reason: TicketRefusal, now: Date): Statement {
  return sql`
    update ticket_mails set state = 'refused', reason = ${reason}, next_check_at = ${now}
    where account_id = ${accountId} and id = ${id}`;
}
