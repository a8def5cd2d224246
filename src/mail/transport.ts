import { createTransport, type TransportOptions } from "nodemailer";

/** Where a test installation without SMTP shows its mails. */
export const mailboxPath = "/dev/mail";

export interface OutgoingMail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Hands one mail over; rejects when it was not accepted. */
export interface MailTransport {
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

export function smtpTransport(url: string, from: string): MailTransport {
  const transporter = createTransport({
    url,
    // Mails carry codes. What stands in the URL has precedence: ?requireTLS=false is how an operator decides otherwise.
    requireTLS: true,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  } as TransportOptions);
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? "mostrador.localhost";
  return {
    async send({ id, ...mail }) {
      // The same id on each try: a server that accepted one and lost the connection can tell the repetition.
      await transporter.sendMail({ ...mail, from, messageId: `<${id}@${domain}>` }).catch((error: Error) => {
        throw isWithoutTls(error) ? new Error(withoutTls, { cause: error }) : error;
      });
    },
    close: () => transporter.close(),
  };
}

const withoutTls =
  "El servidor de correo no ofrece TLS (STARTTLS) y el correo no salió. Use un servidor que lo ofrezca, o smtps://; si la red hasta él es suya, agregue ?requireTLS=false a SMTP_URL.";

/** The server refused STARTTLS, or knows nothing of it: as opposed to a certificate that does not hold. */
function isWithoutTls({ code, responseCode }: Error & { code?: string; responseCode?: number }): boolean {
  return code === "ETLS" && responseCode !== undefined;
}
