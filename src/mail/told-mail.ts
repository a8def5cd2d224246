import { facts, mail, type Paragraph } from "./layout.ts";
import type { Mail } from "./queue-mail.ts";
import { inBogota } from "./templates.ts";

/** Something of the doors happened: when, where as far as known, and a link for whoever did not do it. */
export function toldMail(
  publicUrl: string,
  told: { title: string; lines: readonly string[]; at: Date; undone: string; link: string | undefined },
): Mail {
  const whatToDo: Paragraph[] =
    told.link === undefined
      ? ["Si no lo esperaba, dígaselo a quien es dueño del negocio: él puede deshacerlo durante las próximas 72 horas."]
      : [
          "Si fue usted, no tiene que hacer nada.",
          `Si no fue usted, dígalo durante las próximas 72 horas: se cierran todas las sesiones de quien lo hizo y ${told.undone}.`,
          { link: told.link, label: "No fui yo" },
        ];
  return mail("security_notice", `Aviso de seguridad: ${told.title}`, [
    `En su cuenta de Mostrador hubo un cambio: ${told.title}.`,
    { fact: "Cuándo", value: inBogota(told.at) },
    ...facts(told.lines),
    ...whatToDo,
    { link: `${publicUrl}/ajustes/seguridad`, label: "Revisar la seguridad" },
  ]);
}

/** What was taken back, for all who were told of it. */
export function objectionMail(
  publicUrl: string,
  told: { title: string; undone: string; room: string | null; by: string },
): Mail {
  return mail("security_notice", "Aviso de seguridad: se deshizo un cambio que alguien no reconoció", [
    `${told.by} dijo que no hizo esto: ${told.title}.`,
    `Se cerraron las sesiones de quien lo hizo y ${told.undone}.`,
    ...(told.room === null ? [] : ["Durante 72 horas quien lo hizo no puede repetirlo."]),
    { link: `${publicUrl}/ajustes/seguridad`, label: "Revisar la seguridad" },
  ]);
}

/** Somebody signed in who never did from this browser. It may be the owner at another computer: it says how to tell. */
export function newBrowserMail(
  publicUrl: string,
  { at, address, browser, link }: { at: Date; address: string | null; browser: string; link?: string | undefined },
): Mail {
  return mail("new_browser", "Entraron a su portal desde un navegador nuevo", [
    "Alguien entró al portal de su negocio con su contraseña, desde un navegador que no la había usado antes.",
    { fact: "Cuándo", value: inBogota(at) },
    { fact: "Navegador", value: browser },
    ...(address ? [{ fact: "Dirección de internet", value: address }] : []),
    "Si fue usted, no tiene que hacer nada.",
    "Si no fue usted, entre a Ajustes → Seguridad, cierre las demás sesiones y cambie su contraseña. Si ya no puede entrar, use «Olvidé mi contraseña».",
    ...(link === undefined ? [] : [{ link, label: "No fui yo: cerrar todas las sesiones" }]),
    { link: `${publicUrl}/ajustes/seguridad`, label: "Revisar las sesiones" },
  ]);
}
