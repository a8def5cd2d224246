import { createTransport, type TransportOptions } from "nodemailer";

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
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  } as TransportOptions);
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? "mostrador.localhost";
  return {
    async send({ id, ...mail }) {
      // The same id on each try: a server that accepted one and lost the connection can tell the repetition.
      await transporter.sendMail({ ...mail, from, messageId: `<${id}@${domain}>` });
    },
    close: () => transporter.close(),
  };
}
