import type { Config } from "../../config.ts";
import type { IssuerProfile } from "./profile.ts";

/** Something without which no document of the business would be accepted. */
export interface MissingSetting {
  field: "software_pin" | "postal_zone_code" | "authority_token";
  /** Spanish, with the next step. */
  message: string;
}

export function missingIn(
  { documents, softwarePin, authorityToken, settings }: IssuerProfile,
  { fiscalAuthority, apidianToken }: Pick<Config, "fiscalAuthority" | "apidianToken">,
): MissingSetting[] {
  if (documents !== "electronic") return [];
  const isApidian = fiscalAuthority === "apidian";
  return [
    ...(softwarePin === null
      ? [
          {
            field: "software_pin" as const,
            message: "Falta el PIN del software: sin él no se sella ningún documento. Escríbalo en el perfil fiscal.",
          },
        ]
      : []),
    ...(isApidian && !settings.postal_zone_code
      ? [
          {
            field: "postal_zone_code" as const,
            message:
              "Falta la zona postal del negocio: el proveedor la exige en los documentos POS. Escriba sus 6 dígitos en el perfil fiscal.",
          },
        ]
      : []),
    ...(isApidian && authorityToken === null && apidianToken === undefined
      ? [
          {
            field: "authority_token" as const,
            message: "Falta el token del proveedor. Cópielo de APIDIAN y guárdelo en el perfil fiscal.",
          },
        ]
      : []),
  ];
}
