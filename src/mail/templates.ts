import { bogotaZone } from "../taxes/bogota-time.ts";
import { facts, mail, type Paragraph, toOwner, unread } from "./layout.ts";
import type { Mail } from "./queue-mail.ts";

/** Every mail of the service, in Spanish, as text and as HTML made from the same paragraphs. */

/** Says what the code is for, so that nobody confirms a change they did not ask for. */
export function codeMail(code: string, action: { title: string; lines: readonly string[] }, minutes: number): Mail {
  return mail(
    "code",
    `${code} es su código para ${action.title}`,
    [
      `Su código para ${action.title} es:`,
      { code },
      ...facts(action.lines),
      `Escríbalo en la página donde lo pidió. Vence en ${minutes} minutos y sirve una sola vez. Nadie de Mostrador se lo pedirá.`,
      "Si usted no pidió este cambio, no comparta el código y cambie su contraseña del portal.",
    ],
    { ...toOwner, heading: "Su código de confirmación" },
  );
}

/**
 * Sent for each change confirmed with a code: the owner learns of it even if the code was stolen. `undoLink` is for an
 * owner who can no longer sign in.
 */
export function securityNoticeMail(
  publicUrl: string,
  change: {
    title: string;
    lines: readonly string[];
    undoLink?: string | undefined;
    /** For what cannot be undone in the portal. */
    ifNotYou?: string | undefined;
  },
): Mail {
  const whatToDo: Paragraph[] =
    change.undoLink === undefined
      ? [
          change.ifNotYou ?? "Si no fue usted, entre al portal, deshaga el cambio y cambie su contraseña.",
          { link: `${publicUrl}/ajustes/seguridad`, label: "Revisar la seguridad" },
        ]
      : [
          "Si fue usted, no tiene que hacer nada.",
          "Si no fue usted, deshaga el cambio durante las próximas 72 horas: vuelve este correo, se cierran todas las sesiones y usted elige una contraseña nueva.",
          { link: change.undoLink, label: "Deshacer el cambio" },
        ];
  return mail("security_notice", `Aviso de seguridad: ${change.title}`, [
    `En su cuenta de Mostrador hubo un cambio: ${change.title}.`,
    ...facts(change.lines),
    ...whatToDo,
  ]);
}

/** For the new address of an undone change: its reader must not think that it is still in use. */
export function changeUndoneMail(oldEmail: string): Mail {
  return mail(
    "security_notice",
    "Aviso de seguridad: se deshizo el cambio de correo de su cuenta",
    [
      "Desde el correo anterior de la cuenta se deshizo el cambio por este correo, que ya no sirve para entrar.",
      { fact: "Correo de la cuenta", value: oldEmail },
      "Se cerraron todas las sesiones y la contraseña dejó de servir. Si usted es el titular y no lo pidió, escriba a quien administra su Mostrador.",
    ],
    { ...toOwner, reason: `${unread} Lo recibe porque era el correo nuevo de una cuenta de Mostrador.` },
  );
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
    "Revise en el historial de entregas qué responde su servidor.",
    { link: `${publicUrl}/webhooks`, label: "Ver los webhooks" },
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
    "Corrija su servidor, envíe un evento de prueba y reactívelo en el portal. Las entregas descartadas se recuperan en Entregas, con «Recuperar desde…»; lo ocurrido mientras estuvo inactivo se lee con GET /events.",
    { link: `${publicUrl}/webhooks`, label: "Ver los webhooks" },
  ]);
}

export function keyExpiringMail(
  publicUrl: string,
  { name, lastFour, expiresAt }: { name: string; lastFour: string; expiresAt: Date },
): Mail {
  return mail("key_expiring", `La clave de API «${name}» está por vencer`, [
    `La clave «${name}», que termina en ${lastFour}, vence el ${inBogota(expiresAt)}. Desde ese momento la API responde API_KEY_EXPIRED a lo que la use.`,
    "Rótela en el portal: la nueva tiene los mismos permisos y la anterior puede seguir funcionando hasta 24 horas, mientras la cambia en su integración.",
    { link: `${publicUrl}/claves`, label: "Ver las claves de API" },
  ]);
}

/** Last week's sales, for owners who asked for it. */
export function weeklySummaryMail(
  publicUrl: string,
  week: { name: string; from: string; to: string; facts: readonly string[] },
): Mail {
  return mail("weekly_summary", `${week.name}: la semana del ${week.from} al ${week.to}`, [
    `Así le fue a ${week.name} la semana pasada, del ${week.from} al ${week.to}.`,
    ...facts(week.facts),
    { link: `${publicUrl}/informes`, label: "Ver los informes" },
    "Recibe este resumen los lunes porque lo pidió. Puede dejar de recibirlo en Informes.",
  ]);
}

/** A code instead of a link: opening a mail must not sign anyone in, and no secret belongs in a URL. */
export function passwordResetMail(code: string, minutes: number): Mail {
  return mail(
    "password_reset",
    `${code} es su código para restablecer la contraseña`,
    [
      "Alguien pidió una contraseña nueva para el portal de su negocio. Su código es:",
      { code },
      `Escríbalo en la página donde lo pidió. Vence en ${minutes} minutos y sirve una sola vez. Nadie de Mostrador se lo pedirá.`,
      "Si no fue usted, no haga nada: su contraseña sigue siendo la misma.",
    ],
    { ...toOwner, heading: "Restablezca su contraseña" },
  );
}

const bogota = new Intl.DateTimeFormat("es-CO", { dateStyle: "long", timeStyle: "short", timeZone: bogotaZone });

export function inBogota(instant: Date): string {
  return `${bogota.format(instant)} (hora de Colombia)`;
}
