import type { Queryable } from "../db/pool.ts";
import { sql } from "../db/sql.ts";
import { uuidv7 } from "../lib/ids.ts";
import type { MailKind } from "./mail-kinds.ts";

export interface Mail {
  kind: MailKind;
  subject: string;
  text: string;
  html: string;
  /** The fiscal document that goes with it: its files are made when the mail is sent. */
  documentId?: string;
  /** The promise that it keeps. */
  ticketMailId?: string;
}

/**
 * Queues a mail to the account's owner in the transaction of the change it reports: it is sent if and only if that
 * commits. The day's partition must exist (partitions.ensure). `recipient` replaces the account's address.
 */
export async function queueMail(
  db: Queryable,
  accountId: string,
  at: Date,
  mail: Mail,
  recipient: string | null = null,
): Promise<void> {
  await db.query(sql`
    insert into mails (account_id, created_at, id, kind, recipient, subject, body_text, body_html, next_attempt_at, document_id,
      ticket_mail_id)
    select id, ${at}, ${uuidv7(at)}, ${mail.kind}, coalesce(${recipient}, email), ${mail.subject}, ${mail.text}, ${mail.html}, ${at},
      ${mail.documentId ?? null}, ${mail.ticketMailId ?? null}
    from accounts where id = ${accountId}`);
}
