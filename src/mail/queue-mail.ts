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
 * Queues a mail to the account's owners in the transaction of the change it reports: it is sent if and only if that
 * commits. The day's partition must exist (partitions.ensure). With a `recipient`, it goes there and not to the owners.
 */
export async function queueMail(
  db: Queryable,
  accountId: string,
  at: Date,
  mail: Mail,
  recipient: string | null = null,
): Promise<void> {
  for (const to of recipient === null ? await addressesOfOwners(db, accountId) : [recipient])
    await db.query(sql`
      insert into mails (account_id, created_at, id, kind, recipient, subject, body_text, body_html, next_attempt_at,
        document_id, ticket_mail_id)
      values (${accountId}, ${at}, ${uuidv7(at)}, ${mail.kind}, ${to}, ${mail.subject}, ${mail.text}, ${mail.html}, ${at},
        ${mail.documentId ?? null}, ${mail.ticketMailId ?? null})`);
}

/** An account that a process of the version before opened just now has no people yet: its own address is its owner's. */
export async function addressesOfOwners(db: Queryable, accountId: string): Promise<string[]> {
  const { rows } = await db.query<{ email: string }>(sql`
    select p.email from memberships m join people p on p.id = m.person_id
    where m.account_id = ${accountId} and m.role = 'owner'
    union all
    select a.email from accounts a
    where a.id = ${accountId} and not exists (select from memberships m where m.account_id = a.id and m.role = 'owner')`);
  return rows.map(({ email }) => email);
}
