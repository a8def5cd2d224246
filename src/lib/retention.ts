import { ConfigError } from "./setting-values.ts";

interface Kind {
  /** Without the operator's word. */
  days: number;
  least: number;
  most: number;
  /** What an operator reads of it, in Spanish. */
  spanish: string;
  /** Why it cannot be less. */
  floor: string;
}

const decade = 3650;

/** Every kind of data that goes by its age, and between how few and how many days an operator may keep it. */
export const retentionKinds = {
  events: kind(30, 30, 30, "Eventos", "la API promete 30 días"),
  webhook_deliveries: kind(
    30,
    30,
    30,
    "Historial de entregas de webhooks",
    "el portal y los reenvíos prometen 30 días",
  ),
  webhook_hours: kind(8, 8, 8, "Entregas por hora", "las gráficas muestran una semana"),
  idempotency_keys: kind(1, 1, 1, "Respuestas guardadas de la API", "una clave de idempotencia vale 24 horas"),
  request_log: kind(7, 1, 90, "Registro de solicitudes de la API", "un día para encontrar una falla"),
  mails: kind(30, 1, decade, "Correos que salieron", "los de un día se reintentan"),
  ticket_mails: kind(
    90,
    60,
    decade,
    "Tiquetes por correo",
    "una caja vuelve a subir lo de 60 días, y nadie recibe dos veces el mismo",
  ),
  counter_acts: kind(400, 180, decade, "Actos de caja", "una caja guarda 180 días sus tiquetes"),
  push_receipts: kind(180, 180, decade, "Recibos de lo que subió cada caja", "una caja puede volver a los 180 días"),
  product_imports: kind(7, 1, 90, "Listas de productos importadas", "un día para terminar de importar"),
  confirmations: kind(1, 1, 30, "Códigos pedidos", "los códigos de un día cuentan para su límite"),
  people: kind(
    90,
    4,
    decade,
    "Personas que ya no hacen parte de ningún negocio",
    "un «no fui yo» las devuelve hasta 72 horas después",
  ),
  security_notices: kind(30, 30, 30, "Avisos de seguridad", "la campana muestra los de un mes"),
  sign_in_failures: kind(1, 1, 30, "Ingresos fallidos", "los de un día cuentan para su límite"),
} as const satisfies Record<string, Kind>;

function kind(days: number, least: number, most: number, spanish: string, floor: string): Kind {
  return { days, least, most, spanish, floor };
}

export type RetentionKind = keyof typeof retentionKinds;
export type RetentionDays = Record<RetentionKind, number>;

export const allRetentionKinds = Object.keys(retentionKinds) as RetentionKind[];

export const usualRetention = Object.fromEntries(
  allRetentionKinds.map((name) => [name, retentionKinds[name].days]),
) as RetentionDays;

/** `mails=60,counter_acts=730`: the kinds that an operator keeps longer or shorter than usual. */
export function retentionDays(name: string, value: string | undefined): RetentionDays {
  const chosen = { ...usualRetention };
  for (const part of value?.split(",") ?? []) {
    const [, word = "", digits] = /^\s*(\w+)\s*=\s*(\d{1,5})\s*$/.exec(part) ?? [];
    const found = allRetentionKinds.find((one) => one === word);
    if (!found || digits === undefined)
      throw new ConfigError(
        `${name}=${value} no es válido: escriba clases y días separados por comas, por ejemplo mails=60,counter_acts=730. Las clases son: ${allRetentionKinds.join(", ")}.`,
      );
    const { least, most, floor } = retentionKinds[found];
    const days = Number(digits);
    if (days < least || days > most)
      throw new ConfigError(`${name}: ${found} debe estar entre ${least} y ${most} días, porque ${floor}.`);
    chosen[found] = days;
  }
  return chosen;
}
