import { escapeHtml } from "../lib/escape-html.ts";
import { oneLine } from "../lib/one-line.ts";
import type { MailKind } from "./mail-kinds.ts";
import type { Mail } from "./queue-mail.ts";

/** How a mail looks, as text and as HTML. */

/** Lines like "Nombre: valor" become facts; the others stay sentences. */
export function facts(lines: readonly string[]): Paragraph[] {
  return lines.map((line) => {
    const found = /^([\p{L} ]{1,30}): (.+)$/su.exec(line);
    return found ? { fact: found[1]!, value: found[2]! } : line;
  });
}

export type Paragraph =
  | string
  | { code: string }
  | { fact: string; value: string }
  | { step: string }
  | { link: string; label: string };

/** Who writes to whom: by default this service to the owner of an account. */
export interface Correspondence {
  sender: string;
  reason: string;
  /** What stands above the text, unless it is the subject: a code is not shown twice. */
  heading?: string;
  /** Where a buyer stops such mails. */
  unsubscribe?: string;
}

export const unread = "Este correo salió de una dirección que nadie lee.";

export const toOwner: Correspondence = {
  sender: "Mostrador",
  reason: `${unread} Lo recibe porque es el titular de la cuenta.`,
};

/** Names given by a business, a register or the authority cannot add lines of their own. */
export function mail(
  kind: MailKind,
  title: string,
  given: readonly Paragraph[],
  { sender, reason, heading = title, unsubscribe }: Correspondence = toOwner,
): Mail {
  const subject = oneLine(title);
  const paragraphs = given.map(inLines);
  return {
    kind,
    subject,
    text: `${paragraphs.map(asText).join("\n\n")}\n\n--\n${oneLine(sender)}\n${unsubscribe ? `${noMore}: ${unsubscribe}\n` : ""}`,
    html: page(subject, paragraphs.map(asHtml).join("\n"), {
      sender: oneLine(sender),
      reason: oneLine(reason),
      heading: oneLine(heading),
      ...(unsubscribe && { unsubscribe }),
    }),
  };
}

function inLines(one: Paragraph): Paragraph {
  if (typeof one === "string") return oneLine(one);
  return Object.fromEntries(Object.entries(one).map(([part, text]) => [part, oneLine(text)])) as typeof one;
}

function asText(one: Paragraph): string {
  if (typeof one === "string") return one;
  if ("code" in one) return one.code;
  if ("fact" in one) return `${one.fact}: ${one.value}`;
  if ("step" in one) return `Qué hacer: ${one.step}`;
  return `${one.label}: ${one.link}`;
}

// Mail programs support neither style sheets nor light-dark(): every style is inline. The colours are those of the portal's
// theme, portal/src/ui/theme.ts.
const ink = "#1b2421";
const muted = "#59635e";
const accent = "#0b6b57";
const tint = "#e3f1ec";
const mono = "ui-monospace,Menlo,Consolas,monospace";
/** Longer values, such as the code of a document, are there to be compared, not to be read. */
const longestBold = 60;

function asHtml(one: Paragraph): string {
  if (typeof one === "string") return `<p style="margin:0 0 16px">${escapeHtml(one)}</p>`;
  if ("code" in one) {
    return `<p style="margin:24px 0;padding:16px;background:${tint};border-radius:8px;text-align:center;font-family:${mono};font-size:32px;letter-spacing:8px;font-weight:600">${escapeHtml(one.code)}</p>`;
  }
  if ("fact" in one) {
    const look =
      one.value.length > longestBold ? `font-family:${mono};font-size:13px;font-weight:400` : "font-weight:600";
    return `<p style="margin:0 0 12px"><span style="display:block;font-size:13px;color:${muted}">${escapeHtml(one.fact)}</span><strong style="${look};overflow-wrap:anywhere">${escapeHtml(one.value)}</strong></p>`;
  }
  if ("step" in one) {
    return `<p style="margin:0 0 20px;padding:12px 16px;background:${tint};border-radius:8px"><strong style="font-weight:600">Qué hacer:</strong> ${escapeHtml(one.step)}</p>`;
  }
  return `<p style="margin:24px 0 16px"><a href="${escapeHtml(one.link)}" style="display:inline-block;padding:11px 18px;background:${accent};color:#ffffff;border-radius:8px;text-decoration:none;font-weight:600">${escapeHtml(one.label)}</a></p>`;
}

const noMore = "No recibir más tiquetes de este negocio";

function page(
  subject: string,
  body: string,
  { sender, reason, heading = subject, unsubscribe }: Correspondence,
): string {
  const footer = unsubscribe ? ` <a href="${escapeHtml(unsubscribe)}" style="color:${muted}">${noMore}</a>` : "";
  return `<!doctype html>
<html lang="es-CO">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px 12px;background:#f6f4ee;color:${ink};font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:16px;line-height:1.5">
<div style="max-width:34rem;margin:0 auto;padding:28px 28px 20px;background:#ffffff;border:1px solid #e5e0d5;border-radius:12px">
<p style="margin:0 0 20px;font-weight:700;color:${accent}">${escapeHtml(sender)}</p>
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeHtml(heading)}</h1>
${body}
</div>
<p style="max-width:34rem;margin:16px auto 0;text-align:center;font-size:12px;color:${muted}">${escapeHtml(reason)}${footer}</p>
</body>
</html>
`;
}
