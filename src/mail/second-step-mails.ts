import { mail } from "./layout.ts";
import type { Mail } from "./queue-mail.ts";
import { inBogota } from "./templates.ts";

/** Somebody came in with a recovery code. */
export function recoveryCodeUsedMail(
  publicUrl: string,
  { at, left, address, browser }: { at: Date; left: number; address: string | null; browser: string },
): Mail {
  return mail("security_notice", "Aviso de seguridad: se usó un código de recuperación", [
    "Alguien mostró uno de sus códigos de recuperación en lugar de su segundo paso.",
    { fact: "Cuándo", value: inBogota(at) },
    { fact: "Navegador", value: browser },
    ...(address ? [{ fact: "Dirección de internet", value: address }] : []),
    left === 0
      ? "No le queda ninguno: haga unos nuevos en Ajustes → Seguridad."
      : `Le ${left === 1 ? "queda 1" : `quedan ${left}`}.`,
    "Si no fue usted, cambie su contraseña y haga códigos nuevos ahora.",
    { link: `${publicUrl}/ajustes/seguridad`, label: "Revisar la seguridad" },
  ]);
}
