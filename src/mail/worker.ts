import { retryWhileUnavailable } from "../db/retry-while-unavailable.ts";
import { type Statement, sql } from "../db/sql.ts";
import type { CoreDeps } from "../engine/deps.ts";
import { hour, minute, second } from "../lib/clock.ts";
import { newMetrics, type Series } from "../lib/metrics.ts";
import { type Attachment, type MailTransport, smtpTransport } from "./transport.ts";

/** Waits after failed tries; the last one repeats until the mail's partition is dropped. */
const retryWaitsMs = [10 * second, minute, 5 * minute, 20 * minute, hour];
const pollMs = 5 * second;
const batchSize = 10;

/** What goes with a mail about a fiscal document: its files, and the address of the business that a buyer may answer to. */
export interface Enclosed {
  attachments: Attachment[];
  replyTo?: string;
}
export type FilesOf = (accountId: string, documentId: string) => Promise<Enclosed>;

/** Sends queued mails. Without SMTP_URL (test environment only) they stay in the database, where /dev/mail shows them. */
export function startMailWorker(
  deps: CoreDeps,
  { transport = chooseTransport(deps), filesOf }: { transport?: MailTransport | undefined; filesOf?: FilesOf } = {},
): { stop: () => Promise<void> } {
  const { metrics = newMetrics() } = deps;
  const attempts = (outcome: string) =>
    metrics.counter("mostrador_mail_attempts_total", "Mails handed to the mail server, by outcome.", { outcome });
  const sending = { transport, filesOf, counted: { sent: attempts("sent"), failed: attempts("failed") } };
  let stopped = false;
  let isWanted = false;
  let running: Promise<void> | undefined;

  const look = () => {
    isWanted = true;
    running ??= work().finally(() => {
      running = undefined;
    });
  };
  async function work(): Promise<void> {
    while (isWanted && !stopped && deps.clock.isTrusted()) {
      isWanted = false;
      try {
        if ((await sendBatch(deps, sending, () => !stopped)) === batchSize) isWanted = true;
      } catch (error) {
        deps.log.warn({ err: error }, "mail queue not reachable; looking again shortly");
      }
    }
  }
  const timer = setInterval(look, pollMs);
  const unsubscribe = [deps.mail?.listen(look), deps.clock.onShift(look)];
  look();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      for (const off of unsubscribe) off?.();
      await running;
      transport?.close();
    },
  };
}

function chooseTransport({ config }: CoreDeps): MailTransport | undefined {
  return config.smtpUrl === undefined ? undefined : smtpTransport(config.smtpUrl, config.mailFrom);
}

interface WaitingMail {
  account_id: string;
  created_at: Date;
  id: string;
  kind: string;
  recipient: string;
  subject: string;
  body_text: string;
  body_html: string;
  attempts: number;
  document_id: string | null;
}

interface Sending {
  transport: MailTransport | undefined;
  filesOf: FilesOf | undefined;
  counted: { sent: Series; failed: Series };
}

async function sendBatch(deps: CoreDeps, sending: Sending, isRunning: () => boolean): Promise<number> {
  // The lease is longer than any SMTP session, and runs in real time, because the test clock may jump.
  const { rows } = await deps.pool.query<WaitingMail>(sql`
    update mails m set leased_until = clock_timestamp() + interval '2 minutes'
    from (
      select account_id, created_at, id from mails
      where next_attempt_at <= ${deps.clock.now()} and (leased_until is null or leased_until < clock_timestamp())
      order by created_at limit ${batchSize} for update skip locked
    ) due
    where m.account_id = due.account_id and m.created_at = due.created_at and m.id = due.id
    returning m.account_id, m.created_at, m.id, m.kind, m.recipient, m.subject, m.body_text, m.body_html, m.attempts,
      m.document_id`);
  await Promise.all(rows.map((mail) => sendOne(deps, sending, mail, isRunning)));
  return rows.length;
}

async function sendOne(deps: CoreDeps, sending: Sending, mail: WaitingMail, isRunning: () => boolean): Promise<void> {
  // The kind and the recipient, never the text: a code must not be in a log.
  const fields = { mail_id: mail.id, account_id: mail.account_id, kind: mail.kind, to: mail.recipient };
  const { transport } = sending;
  const failure = await deliver(sending, mail).then(
    () => undefined,
    (error: Error) => error,
  );
  sending.counted[failure ? "failed" : "sent"].value += 1;
  const waitMs = retryWaitsMs[Math.min(mail.attempts, retryWaitsMs.length - 1)]!;
  const update = failure ? failed(deps, mail, failure, waitMs) : sent(deps, mail, transport !== undefined);
  // If this is not stored, a sent mail is sent again when its lease ends.
  await retryWhileUnavailable(
    () => deps.pool.query(update),
    (error) => {
      deps.log.warn({ ...fields, err: error }, "a mail's result is not stored yet; trying again");
      return isRunning();
    },
  );
  if (failure)
    deps.log.warn({ ...fields, reason: failure.message, wait_ms: waitMs }, "mail not accepted; it will be tried again");
  else deps.log.info(fields, transport ? "mail sent" : "mail in the mailbox at /dev/mail");
}

async function deliver({ transport, filesOf }: Sending, mail: WaitingMail): Promise<void> {
  if (!transport) return;
  const { id, recipient: to, subject, body_text: text, body_html: html } = mail;
  const enclosed = mail.document_id === null ? undefined : await filesOf?.(mail.account_id, mail.document_id);
  await transport.send({ id, to, subject, text, html, ...enclosed });
}

function sent({ clock }: CoreDeps, { account_id, created_at, id }: WaitingMail, isGone: boolean): Statement {
  return sql`
    update mails set sent_at = ${clock.now()}, next_attempt_at = null, leased_until = null, attempts = attempts + 1,
      -- A subject may begin with a code.
      subject = case when ${isGone} then regexp_replace(subject, '^[0-9]{6} ', '') else subject end,
      body_text = case when ${isGone} then null else body_text end,
      body_html = case when ${isGone} then null else body_html end
    where account_id = ${account_id} and created_at = ${created_at} and id = ${id}`;
}

/** A mail that another worker sent, because this try outlived its lease, is not tried again: its text is gone. */
function failed(
  { clock }: CoreDeps,
  { account_id, created_at, id }: WaitingMail,
  error: Error,
  waitMs: number,
): Statement {
  return sql`
    update mails set attempts = attempts + 1, leased_until = null, last_error = ${error.message.slice(0, 500)},
      next_attempt_at = ${new Date(clock.now().getTime() + waitMs)}
    where account_id = ${account_id} and created_at = ${created_at} and id = ${id} and sent_at is null`;
}
