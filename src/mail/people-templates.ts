import { unlinked } from "../lib/unlinked.ts";
import { mail, toOwner, unread } from "./layout.ts";
import type { Mail } from "./queue-mail.ts";

const fromSignUp = {
  ...toOwner,
  reason: `${unread} Lo recibe porque alguien escribió este correo para abrir un negocio.`,
};

export function signUpMail(code: string, minutes: number): Mail {
  return mail(
    "sign_up",
    `${code} es su código para abrir su negocio`,
    [
      "Su código para abrir su negocio en Mostrador es:",
      { code },
      `Escríbalo en la página donde lo pidió. Vence en ${minutes} minutos y sirve una sola vez.`,
      "Si usted no lo pidió, no haga nada: sin el código no se abre nada.",
    ],
    { ...fromSignUp, heading: "Abra su negocio" },
  );
}

/** For somebody who asks to sign up and is here already: only the mailbox learns it. */
export function alreadyKnownMail(publicUrl: string): Mail {
  return mail(
    "sign_up",
    "Usted ya tiene cuenta en Mostrador",
    [
      "Alguien pidió abrir un negocio con este correo, que ya tiene cuenta. Entre con su contraseña de siempre; si la olvidó, restablézcala.",
      { link: `${publicUrl}/ingreso`, label: "Entrar al portal" },
      "Si usted no lo pidió, no haga nada.",
    ],
    fromSignUp,
  );
}

/**
 * For an address that somebody typed: it says who, for which business, and what happens if nothing is done. Whoever reads it knows
 * neither, so what they are called is text, never a link.
 */
export function invitationMail(invitation: { business: string; inviter: string; role: string; link: string }): Mail {
  const { link } = invitation;
  const business = unlinked(invitation.business);
  const inviter = unlinked(invitation.inviter);
  const role = unlinked(invitation.role);
  return mail(
    "invitation",
    `Lo invitaron a ${business} en Mostrador`,
    [
      `${inviter} lo invitó al portal de ${business}.`,
      { fact: "Su rol", value: role },
      "El enlace sirve una sola vez y vence en 72 horas. Si no tiene cuenta en Mostrador, ahí escoge su contraseña.",
      { link, label: "Aceptar la invitación" },
      "Si no conoce a quien lo invita, no haga nada: sin el enlace no pasa nada.",
    ],
    { ...toOwner, reason: `${unread} Lo recibe porque alguien escribió este correo para invitarlo.` },
  );
}
