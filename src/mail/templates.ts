import type { Mail } from "./queue-mail.ts";

/** Every mail of the service, in Spanish, as text and as HTML made from the same paragraphs. */

/** A code's mail says what it is for, so that nobody confirms what he did not ask for. */
export function codeMail(code: string, action: { title: string; lines: readonly string[] }, minutes: number): Mail {
  return mail("code", `Su código para ${action.title}`, [
    `Su código para ${action.title} es:`,
    { code },
    ...action.lines,
    `Vence en ${minutes} minutos y sirve una sola vez. Nadie de Mostrador se lo pedirá.`,
    "Si usted no pidió este cambio, no comparta el código y cambie su contraseña del portal.",
  ]);
}

/** Goes out for each change that a code confirmed: the owner learns of it even when the code was stolen. */
export function securityNoticeMail(publicUrl: string, change: { title: string; lines: readonly string[] }): Mail {
  return mail("security_notice", `Aviso de seguridad: ${change.title}`, [
    `En su cuenta de Mostrador hubo un cambio: ${change.title}.`,
    ...change.lines,
    `Si no fue usted, entre al portal, deshaga el cambio y cambie su contraseña: ${publicUrl}/`,
  ]);
}

export interface FailingFacts {
  url: string;
  failures: number;
  failingSince: Date;
}

export function endpointFailingMail(publicUrl: string, { url, failures, failingSince }: FailingFacts): Mail {
  return mail("endpoint_failing", "Un webhook está fallando y se desactivará si sigue así", [
    `Las entregas a ${url} fallan desde el ${inBogota(failingSince)}: ${failures} intentos seguidos sin una respuesta 2xx.`,
    "Si llega a 20 fallos seguidos durante más de 24 horas, el endpoint se desactiva y sus entregas pendientes se descartan.",
    `Revise qué responde su servidor en el historial de entregas: ${publicUrl}/`,
  ]);
}

export function endpointDeactivatedMail(
  publicUrl: string,
  { url, failures, failingSince, dropped }: FailingFacts & { dropped: number },
): Mail {
  return mail("endpoint_deactivated", "Se desactivó un webhook por fallos continuos", [
    `Se desactivó el endpoint ${url}: falló ${failures} veces seguidas desde el ${inBogota(failingSince)}.`,
    dropped === 1
      ? "Se descartó 1 entrega que estaba pendiente."
      : `Se descartaron ${dropped} entregas que estaban pendientes.`,
    "Corrija su servidor, envíe un evento de prueba y reactívelo en el portal. Lo ocurrido mientras estuvo inactivo no se reenvía: léalo con GET /events.",
    `Portal: ${publicUrl}/`,
  ]);
}

type Paragraph = string | { code: string };

function mail(kind: string, subject: string, paragraphs: readonly Paragraph[]): Mail {
  const text = paragraphs.map((one) => (typeof one === "string" ? one : one.code)).join("\n\n");
  const html = paragraphs
    .map((one) =>
      typeof one === "string"
        ? `<p>${escapeHtml(one)}</p>`
        : `<p style="font-size:28px;letter-spacing:6px;font-weight:600">${escapeHtml(one.code)}</p>`,
    )
    .join("\n");
  return {
    kind,
    subject,
    text: `${text}\n`,
    html: `<!doctype html>\n<html lang="es-CO"><body style="font-family:sans-serif;max-width:36rem">\n${html}\n</body></html>\n`,
  };
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const bogota = new Intl.DateTimeFormat("es-CO", { dateStyle: "long", timeStyle: "short", timeZone: "America/Bogota" });

function inBogota(instant: Date): string {
  return `${bogota.format(instant)} (hora de Colombia)`;
}
