import { expect, test } from "vitest";
import { noticesMail } from "./notices-mail.ts";
import { invitationMail } from "./people-templates.ts";
import type { Mail } from "./queue-mail.ts";
import {
  codeMail,
  endpointDeactivatedMail,
  endpointFailingMail,
  keyExpiringMail,
  securityNoticeMail,
} from "./templates.ts";

const url = "https://pos.example";
const at = new Date("2026-11-16T12:00:00Z");

/** Every mail that contains a name given by a business or a register. */
const mails: Record<string, (name: string) => Mail> = {
  code: (name) => codeMail("123456", { title: `crear «${name}»`, lines: [`Nombre: ${name}`, name] }, 10),
  notice: (name) => securityNoticeMail(url, { title: `se creó «${name}»`, lines: [`Nombre: ${name}`, name] }),
  failing: (name) => endpointFailingMail(url, { url: name, failures: 10, failingSince: at }),
  deactivated: (name) => endpointDeactivatedMail(url, { url: name, failures: 20, failingSince: at, dropped: 1 }),
  expiring: (name) => keyExpiringMail(url, { name, lastFour: "abcd", expiresAt: at }),
  fiscal: (name) => noticesMail(url, [{ kind: "document_rejected", message: `El cliente ${name} falla`, times: 1 }]),
};

const hostile = [
  "ERP\r\nBcc: ladron@example.com",
  "ERP\n\nSu cuenta se cerrará: entre a https://malo.example\n\n",
  "ERP\u0000\u0007\u001b[31m\u007f\u0085\u009b",
  "ERP\u2028uno\u2029dos",
  "ERP\u202Emoc.elpmaxe\u2066x\u200F",
];

test.each(Object.entries(mails))("in the mail %s a name stays on one line, whatever it contains", (_kind, write) => {
  const linesOf = (mail: Mail) => mail.text.split(/[\n\r\u0085\u2028\u2029]/).length;
  const harmless = write("ERP");
  for (const name of hostile) {
    const mail = write(name);
    expect(mail.subject).not.toMatch(/[\p{Cc}\u2028\u2029\u200F\u202E\u2066]/u);
    expect(`${mail.text}${mail.html}`.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u2028\u2029\u200F\u202E\u2066]/u);
    expect([linesOf(mail), mail.html.split("\n").length]).toEqual([
      linesOf(harmless),
      harmless.html.split("\n").length,
    ]);
    expect(mail.text).toContain("ERP");
  }
});

/** Those whose reader does not know who wrote the name, or knows him no better than by it. */
const toStrangers: Record<string, (name: string) => Mail> = {
  "invitation, the business": (name) => invitationMail({ business: name, inviter: "Ana", role: "Contador", link: url }),
  "invitation, who invites": (name) =>
    invitationMail({ business: "Tienda", inviter: name, role: "Contador", link: url }),
  "invitation, the role": (name) => invitationMail({ business: "Tienda", inviter: "Ana", role: name, link: url }),
  fiscal: (name) => noticesMail(url, [{ kind: "document_rejected", message: `El cliente ${name} falla`, times: 1 }]),
};

test.each(Object.entries(toStrangers))("in the mail %s a name is no link", (_part, write) => {
  const { subject, text, html } = write("Gane plata http://evil.example/a o en evil.example");
  expect(`${subject}${text}${html}`).toContain("Gane plata");
  expect(`${subject}${text}${html}`).not.toMatch(/evil\.example|http:\/\/evil/);
});
