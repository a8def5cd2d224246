import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  to: string;
  /** Headers and body as they travelled. */
  raw: string;
}

export interface SmtpReceiver extends AsyncDisposable {
  /** For SMTP_URL. */
  url: string;
  /** In the order of their arrival. */
  received: ReceivedMail[];
  /** Mails whose text came and that wait for `answer`. */
  held: ReceivedMail[];
}

export interface SmtpHabits {
  /** Resolves when the mail may be taken: a slow server. */
  answer?: (mail: ReceivedMail) => Promise<void> | void;
  /** Refuses an address with its status and words. */
  refuses?: (address: string) => { status: number; words: string } | undefined;
  /** Further connections are turned away. */
  mostClients?: number;
}

/** A mail server on this machine, without TLS. */
export async function startSmtp({ answer, refuses, mostClients }: SmtpHabits = {}): Promise<SmtpReceiver> {
  const received: ReceivedMail[] = [];
  const held: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    ...(mostClients !== undefined && { maxClients: mostClients }),
    onRcptTo({ address }, _session, done) {
      const refusal = refuses?.(address);
      done(refusal ? Object.assign(new Error(refusal.words), { responseCode: refusal.status }) : null);
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      const receive = async () => {
        const mail = { to: session.envelope.rcptTo[0]!.address, raw: Buffer.concat(chunks).toString() };
        held.push(mail);
        await answer?.(mail);
        held.splice(held.indexOf(mail), 1);
        received.push(mail);
        done(null);
      };
      stream.on("end", () => void receive());
    },
  });
  // A test that ends while a mail is under way cuts its connection.
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}?requireTLS=false`,
    received,
    held,
    [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())),
  };
}
