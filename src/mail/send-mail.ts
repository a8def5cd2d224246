import { retryWhileUnavailable } from "../db/retry-while-unavailable.ts";
import { type Statement, sql } from "../db/sql.ts";
import { inOneTrip } from "../db/transaction.ts";
import type { CoreDeps } from "../engine/deps.ts";
import { newMetrics } from "../lib/metrics.ts";
import { must } from "../lib/must.ts";
import type { ClaimedMail } from "./claim-mails.ts";
import { inOrder, typedAddressKinds } from "./mail-kinds.ts";
import { isUnknownRecipient, withoutAddresses } from "./smtp-error.ts";
import { findSuppression, type Suppression, subscriptionOf, suppress, unsubscribeLink } from "./suppressions.ts";
import { refuseTicket } from "./ticket-mail.ts";
import type { Attachment, MailTransport } from "./transport.ts";

/** What goes with a mail about a fiscal document: its files, and the address of the business that a buyer may answer to. */
export interface Enclosed {
  attachments: Attachment[];
  replyTo?: string;
}
export type FilesOf = (accountId: string, documentId: string) => Promise<Enclosed>;

interface Means {
  transport: MailTransport | undefined;
  filesOf: FilesOf | undefined;
  isRunning: () => boolean;
}

type Outcome =
  | { kind: "sent" }
  /** It is tried again. */
  | { kind: "failed"; error: Error }
  /** It never goes. */
  | { kind: "dropped"; why: Suppression | "too_late" };

/** Sends one claimed mail and stores what became of it. */
export function mailSender(deps: CoreDeps, means: Means): (mail: ClaimedMail) => Promise<void> {
  const { metrics = newMetrics() } = deps;
  const counted = (outcome: Outcome["kind"]) =>
    metrics.counter("mostrador_mail_attempts_total", "Mails handed to the mail server, by outcome.", { outcome });
  const counters = { sent: counted("sent"), failed: counted("failed"), dropped: counted("dropped") };

  return async (mail) => {
    // Neither the recipient nor the subject nor the text: addresses and codes must not be in a log.
    const fields = { mail_id: mail.id, account_id: mail.account_id, kind: mail.kind };
    const outcome = await deliver(deps, means, mail);
    counters[outcome.kind].value += 1;
    const waitMs = retryWait(mail);
    const updates = resultOf(deps, means, mail, outcome, waitMs);
    // If this is not stored, a sent mail is sent again when its lease ends.
    await retryWhileUnavailable(
      () => inOneTrip(deps.pool, updates),
      (error) => {
        deps.log.warn({ ...fields, err: error }, "a mail's result is not stored yet; trying again");
        return means.isRunning();
      },
    );
    if (outcome.kind === "failed") {
      const reason = withoutAddresses(outcome.error.message);
      deps.log.warn({ ...fields, reason, wait_ms: waitMs }, "mail not accepted; it will be tried again");
    } else if (outcome.kind === "dropped") deps.log.info({ ...fields, reason: outcome.why }, "mail dropped");
    else deps.log.info(fields, means.transport ? "mail sent" : "mail in the mailbox at /dev/mail");
  };
}

async function deliver(deps: CoreDeps, means: Means, mail: ClaimedMail): Promise<Outcome> {
  const { timeoutMs, lifeMs } = must(inOrder[mail.rank], "A rank is a place in the list of kinds");
  if (lifeMs !== undefined && deps.clock.now().getTime() - mail.created_at.getTime() > lifeMs)
    return { kind: "dropped", why: "too_late" };
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await Promise.race([hand(deps, means, mail), late.promise]);
  } catch (error) {
    const isTyped = isToTypedAddress(mail);
    if (isTyped && isUnknownRecipient(error as Error)) return { kind: "dropped", why: "bounced" };
    return { kind: "failed", error: error as Error };
  } finally {
    clearTimeout(timer);
  }
}

async function hand(deps: CoreDeps, { transport, filesOf }: Means, mail: ClaimedMail): Promise<Outcome> {
  const { id, recipient: to, subject, body_text: text, body_html: html } = mail;
  const subscription = subscriptionOf(deps.config, mail.account_id, to);
  const isTyped = isToTypedAddress(mail);
  // The buyer may have decided after it was queued.
  const suppression = isTyped ? await findSuppression(deps.pool, subscription) : undefined;
  if (suppression) return { kind: "dropped", why: suppression };
  if (!transport) return { kind: "sent" };
  const enclosed = mail.document_id === null ? undefined : await filesOf?.(mail.account_id, mail.document_id);
  const unsubscribe = isTyped ? unsubscribeLink(deps.config, subscription) : undefined;
  await transport.send({ id, to, subject, text, html, ...enclosed, ...(unsubscribe && { unsubscribe }) });
  return { kind: "sent" };
}

function isToTypedAddress({ kind }: ClaimedMail): boolean {
  return (typedAddressKinds as readonly string[]).includes(kind);
}

function retryWait({ rank, attempts }: ClaimedMail): number {
  const { retryWaitsMs } = must(inOrder[rank], "A rank is a place in the list of kinds");
  return must(retryWaitsMs[Math.min(attempts, retryWaitsMs.length - 1)], "The place is within the list");
}

function resultOf(
  deps: CoreDeps,
  { transport }: Means,
  mail: ClaimedMail,
  outcome: Outcome,
  waitMs: number,
): Statement[] {
  const now = deps.clock.now();
  if (outcome.kind === "sent") return [sent(mail, now, transport !== undefined)];
  if (outcome.kind === "failed") return [failed(mail, outcome.error, new Date(now.getTime() + waitMs))];
  const { why } = outcome;
  if (why === "too_late") return [dropped(mail, why)];
  const subscription = subscriptionOf(deps.config, mail.account_id, mail.recipient);
  return [
    dropped(mail, why),
    ...(why === "bounced" ? [suppress(subscription, why, now)] : []),
    ...(mail.ticket_mail_id === null ? [] : [refuseTicket(mail.account_id, mail.ticket_mail_id, why, now)]),
  ];
}

function sent({ account_id, created_at, id }: ClaimedMail, now: Date, isGone: boolean): Statement {
  return sql`
    update mails set sent_at = ${now}, next_attempt_at = null, leased_until = null, attempts = attempts + 1,
      -- A subject may begin with a code.
      subject = case when ${isGone} then regexp_replace(subject, '^[0-9]{6} ', '') else subject end,
      body_text = case when ${isGone} then null else body_text end,
      body_html = case when ${isGone} then null else body_html end
    where account_id = ${account_id} and created_at = ${created_at} and id = ${id}`;
}

/** A mail that another worker sent, because this try outlived its lease, is not tried again: its text is gone. */
function failed({ account_id, created_at, id }: ClaimedMail, error: Error, next: Date): Statement {
  return sql`
    update mails set attempts = attempts + 1, leased_until = null,
      last_error = ${withoutAddresses(error.message).slice(0, 500)}, next_attempt_at = ${next}
    where account_id = ${account_id} and created_at = ${created_at} and id = ${id} and sent_at is null`;
}

function dropped({ account_id, created_at, id }: ClaimedMail, why: string): Statement {
  return sql`
    update mails set attempts = attempts + 1, next_attempt_at = null, leased_until = null, last_error = ${why},
      subject = regexp_replace(subject, '^[0-9]{6} ', ''), body_text = null, body_html = null
    where account_id = ${account_id} and created_at = ${created_at} and id = ${id} and sent_at is null`;
}
