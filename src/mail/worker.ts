import type { CoreDeps } from "../engine/deps.ts";
import { second } from "../lib/clock.ts";
import { claimMails } from "./claim-mails.ts";
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
  let stopped = false;
  let isWanted = false;
  let looking: Promise<void> | undefined;
  const send = mailSender(deps, { transport, filesOf, isRunning: () => !stopped });

  const look = () => {
    isWanted = true;
    looking ??= lookOnce().finally(() => {
      looking = undefined;
      if (isWanted && !stopped) look();
    });
  };
  async function lookOnce(): Promise<void> {
    isWanted = false;
    if (stopped || !deps.clock.isTrusted()) return;
    try {
      for (const mail of await claimMails(deps.pool, deps.clock.now(), [...underWay.values()])) {
        const sending = send(mail).finally(() => {
          underWay.delete(sending);
          look();
        });
        underWay.set(sending, mail.rank);
      }
    } catch (error) {
      deps.log.warn({ err: error }, "mail queue not reachable; looking again shortly");
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
      await looking;
      await Promise.allSettled(underWay.keys());
      transport?.close();
    },
  };
}

function chooseTransport({ config }: CoreDeps): MailTransport | undefined {
  return config.smtpUrl === undefined ? undefined : smtpTransport(config.smtpUrl, config.mailFrom);
}
