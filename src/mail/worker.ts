import type { CoreDeps } from "../engine/deps.ts";
import { second } from "../lib/clock.ts";
import { type DueMail, findMails, leaseMails, mostFound } from "./claim-mails.ts";
import { takeWhatFits } from "./mail-kinds.ts";
import { type FilesOf, mailSender } from "./send-mail.ts";
import { type MailTransport, smtpTransport } from "./transport.ts";

/** How late a mail of a process without workers is noticed: somebody may be waiting for its code. */
const pollMs = second;

/**
 * Sends queued mails, as many at once as their ranks have slots. A slot that becomes free is given away at once: a slow mail
 * holds up nothing but itself. Without SMTP_URL (test environment only) they stay in the database, where /dev/mail shows them.
 */
export function startMailWorker(
  deps: CoreDeps,
  { transport = chooseTransport(deps), filesOf }: { transport?: MailTransport | undefined; filesOf?: FilesOf } = {},
): { stop: () => Promise<void> } {
  const underWay = new Map<Promise<void>, number>();
  /** Found and not begun: there was no slot for them. */
  let due: DueMail[] = [];
  /** Whether more were due than are found at once. */
  let hasMore = false;
  let stopped = false;
  /** All, where there may be new mails; slots, where one became free. */
  let wants: "all" | "slots" | undefined;
  let looking: Promise<void> | undefined;
  const send = mailSender(deps, { transport, filesOf, isRunning: () => !stopped });

  const isWanted = () => wants !== undefined && !stopped && deps.clock.isTrusted();
  const ask = (what: "all" | "slots") => {
    if (wants !== "all") wants = what;
    looking ??= work().finally(() => {
      looking = undefined;
      if (isWanted()) ask("slots");
    });
  };
  async function work(): Promise<void> {
    while (isWanted()) {
      const isNews = wants === "all";
      wants = undefined;
      try {
        if (isNews) due = await findMails(deps.pool, deps.clock.now());
        if (isNews) hasMore = due.length === mostFound;
        await begin();
        if (due.length === 0 && hasMore) wants = "all";
      } catch (error) {
        deps.log.warn({ err: error }, "mail queue not reachable; looking again shortly");
      }
    }
  }
  async function begin(): Promise<void> {
    for (;;) {
      const next = takeWhatFits([...underWay.values()], due);
      if (next.length === 0) return;
      due = due.filter((one) => !next.includes(one));
      // Another process may have been faster: then there is room for others.
      for (const mail of await leaseMails(deps.pool, next, deps.clock.now())) {
        const sending = send(mail)
          .catch((error) => deps.log.warn({ err: error, mail_id: mail.id }, "a mail's result is not stored"))
          .finally(() => {
            underWay.delete(sending);
            ask("slots");
          });
        underWay.set(sending, mail.rank);
      }
    }
  }
  const look = () => ask("all");
  const timer = setInterval(look, pollMs);
  const unsubscribe = [deps.mail?.listen(look), deps.clock.onShift(look)];
  look();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      for (const off of unsubscribe) off?.();
      await looking;
      await Promise.all(underWay.keys());
      transport?.close();
    },
  };
}

function chooseTransport({ config }: CoreDeps): MailTransport | undefined {
  return config.smtpUrl === undefined ? undefined : smtpTransport(config.smtpUrl, config.mailFrom);
}
