import { createTransport, type TransportOptions } from "nodemailer";

/** Where a test installation without SMTP shows its mails. */
export const mailboxPath = "/dev/mail";

export interface OutgoingMail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Where an answer goes; none is read at the address that mails come from. */
  replyTo?: string;
  /** Where its reader stops such mails. */
  unsubscribe?: string;
  attachments?: Attachment[];
}

export interface Attachment {
  filename: string;
  contentType: string;
  content: Buffer;
}

/** Sends one mail; rejects when it was not accepted. */
export interface MailTransport {
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

export function smtpTransport(url: string, from: string): MailTransport {
  const transporter = createTransport({
    url,
    // Mails carry codes. The URL takes precedence: an operator may set ?requireTLS=false.
    requireTLS: true,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  } as TransportOptions);
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? "mostrador.localhost";
  return {
    async send({ id, unsubscribe, ...mail }) {
      // The same id on each try: a server that accepted a mail before the connection broke can recognize the duplicate.
      const messageId = `<${id}@${domain}>`;
      const headers = unsubscribe === undefined ? {} : oneClick(unsubscribe);
      await transporter.sendMail({ ...mail, from, messageId, headers }).catch((error: Error) => {
        throw isWithoutTls(error) ? new Error(withoutTls, { cause: error }) : error;
      });
    },
    close: () => transporter.close(),
  };
}

/** RFC 8058: the mail program's own button, which sends a POST to the link. */
function oneClick(link: string): Record<string, string> {
  return { "List-Unsubscribe": `<${link}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
}

const withoutTls =
  "El servidor de correo no ofrece TLS (STARTTLS) y el correo no salió. Use un servidor que lo ofrezca, o smtps://; si la red hasta él es suya, agregue ?requireTLS=false a SMTP_URL.";

/** The server refused or lacks STARTTLS, as opposed to an invalid certificate. */
function isWithoutTls({ code, responseCode }: Error & { code?: string; responseCode?: number }): boolean {
  return code === "ETLS" && responseCode !== undefined;
}
