import type { Queryable } from "../db/pool.ts";
import { sql } from "../db/sql.ts";
import { uuidv7 } from "../lib/ids.ts";

export interface Mail {
  /** What it is, for the log: the subject and the text may be private. */
  kind: string;
  subject: string;
  text: string;
  html: string;
}

/**
 * Writes a mail to the account's owner in the transaction of what it tells: it is sent if and only if that happened. The
 * partition of the day must be there (partitions.ensure). `recipient` is for another address than the account's.
 */
export async function queueMail(
  db: Queryable,
  accountId: string,
  at: Date,
  mail: Mail,
  recipient: string | null = null,
): Promise<void> {
  await db.query(sql`
    insert into mails (account_id, created_at, id, kind, recipient, subject, body_text, body_html, next_attempt_at)
    select id, ${at}, ${uuidv7(at)}, ${mail.kind}, coalesce(${recipient}, email), ${mail.subject}, ${mail.text}, ${mail.html}, ${at}
    from accounts where id = ${accountId}`);
}
