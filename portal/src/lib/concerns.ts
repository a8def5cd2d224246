import type { Concern, Finding } from "./answers.ts";
import { date, duration, fromLocal, moment, number, plural } from "./format.ts";
import { rangeKinds } from "./words.ts";

/** How soon something must be done: the shop cannot go on, it will not for long, or it can wait. */
export type Gravity = "high" | "medium" | "low";
const gravities: readonly Gravity[] = ["high", "medium", "low"];
export const gravityTitles: Record<Gravity, string> = { high: "Urgente", medium: "Pronto", low: "Cuando pueda" };

const gravityOf: Record<Concern["kind"], Gravity> = {
  fiscal_profile_missing: "high",
  range_missing: "high",
  range_ended: "high",
  documents_unissued: "high",
  finding: "medium",
  authority_away: "medium",
  device_forked: "high",
  records_quarantined: "high",
  records_waiting: "high",
  endpoint_deactivated: "medium",
  endpoint_failing: "medium",
  range_ending: "medium",
  certificate_ended: "high",
  certificate_ending: "medium",
  device_skewed: "medium",
  key_expiring: "medium",
  device_outdated: "low",
  ticket_mails_unsent: "low",
  acts_unauthorized: "medium",
  wrong_pins: "medium",
  pins_shared: "medium",
};

/** Something that needs the owner: what it is, what to do about it and where. */
export interface Todo {
  gravity: Gravity;
  text: string;
  to: string;
  todo: string;
}

export function byGravity(todos: readonly Todo[]): Todo[] {
  return todos.toSorted((a, b) => gravities.indexOf(a.gravity) - gravities.indexOf(b.gravity));
}

export function todoOf(concern: Concern): Todo {
  const isGrave =
    (concern.kind === "finding" && concern.gravity === "error") ||
    (concern.kind === "authority_away" && concern.is_contingency);
  return { gravity: isGrave ? "high" : gravityOf[concern.kind], ...describeConcern(concern) };
}

/** What does not agree between sales and documents, with the next step in the finding's own words. */
export function todoOfFinding({ kind, gravity, message, next_step, sale_id, invoice_id }: Finding): Todo {
  const others = kind === "wrong_clock" ? "/cajas" : "/documentos";
  const to = sale_id ? `/ventas/${sale_id}` : invoice_id ? `/documentos/${invoice_id}` : others;
  return { gravity: gravity === "error" ? "high" : "medium", text: message, to, todo: next_step };
}

/** What a concern says to the owner, and where it is put right. */
function describeConcern(concern: Concern): Omit<Todo, "gravity"> {
  switch (concern.kind) {
    case "endpoint_failing":
      return {
        text: `${concern.url} falla desde el ${moment(concern.failing_since)}: ${plural(concern.failures, "intento seguido", "intentos seguidos")}.`,
        to: `/entregas?endpoint=${concern.endpoint_id}`,
        todo: "Ver la causa de cada intento",
      };
    case "endpoint_deactivated":
      return {
        text: `${concern.url} se desactivó por fallos continuos.`,
        to: `/webhooks/${concern.endpoint_id}`,
        todo: "Probarlo y reactivarlo",
      };
    case "device_outdated":
      return {
        text: `${concern.name} usa una versión que no admite ediciones desde la API${concern.app_version ? ` (${concern.app_version})` : ""}.`,
        to: `/cajas/${concern.device_id}`,
        todo: "Ver la caja",
      };
    case "device_skewed":
      return {
        text: `El reloj de ${concern.name} está corrido ${duration(Math.abs(concern.skew_ms))}.`,
        to: `/cajas/${concern.device_id}`,
        todo: "Ver la caja y corregir su hora",
      };
    case "device_forked":
      return {
        text: `${concern.name} parece restaurada de una copia y debe vincularse de nuevo.`,
        to: `/cajas/${concern.device_id}`,
        todo: "Ver la caja",
      };
    case "key_expiring":
      return {
        text: `La clave «${concern.name}» vence el ${date(concern.expires_at)}.`,
        to: `/claves/${concern.api_key_id}`,
        todo: "Rotarla a tiempo",
      };
    case "records_quarantined":
      return {
        text: `${concern.name || "Una caja retirada"} tiene ${plural(concern.count, "registro", "registros")} en cuarentena.`,
        to: `/cajas/${concern.device_id}`,
        todo: "Ver qué no se pudo leer",
      };
    case "records_waiting":
      return {
        text: `${plural(concern.count, "registro", "registros")} de ${concern.name || "una caja retirada"} ${concern.count === 1 ? "llegó y no se pudo" : "llegaron y no se pudieron"} guardar por un fallo nuestro. Se intenta de nuevo cada hora.`,
        to: `/cajas/${concern.device_id}`,
        todo: "Verlos e intentar ahora",
      };
    case "documents_unissued":
      return {
        text: concern.has_more
          ? `Más de ${number(concern.count)} ventas están sin documento aceptado por la DIAN.`
          : `${plural(concern.count, "venta está", "ventas están")} sin documento aceptado por la DIAN.`,
        to: "/documentos?estado=por-atender",
        todo: "Ver la causa y reenviar",
      };
    case "ticket_mails_unsent":
      return {
        text: concern.has_more
          ? `Más de ${number(concern.count)} tiquetes prometidos por correo no salieron.`
          : `${plural(concern.count, "tiquete prometido por correo no salió", "tiquetes prometidos por correo no salieron")}.`,
        to: concern.sale_id ? `/ventas/${concern.sale_id}` : "/ventas",
        todo: "Ver la causa en la venta",
      };
    case "acts_unauthorized":
      return {
        text: concern.has_more
          ? `Más de ${number(concern.count)} actos de caja se hicieron sin permiso.`
          : `${plural(concern.count, "acto de caja se hizo", "actos de caja se hicieron")} sin permiso.`,
        to: "/actos?permiso=unauthorized",
        todo: "Ver quién y qué",
      };
    case "wrong_pins":
      return {
        text: "En una caja se escribieron diez o más PIN equivocados seguidos.",
        to: "/actos?tipo=wrong_pins",
        todo: "Ver dónde y de quién",
      };
    case "pins_shared":
      return {
        text: "Hay personas con el mismo PIN: una puede quedar con lo que hizo la otra.",
        to: "/actos?tipo=pin_shared",
        todo: "Ver quiénes y cambiar un PIN",
      };
    case "fiscal_profile_missing":
      return {
        text: "Faltan los datos fiscales del negocio: sus ventas se registran, pero sin documento.",
        to: "/ajustes/facturacion#perfil-fiscal",
        todo: "Completar los datos fiscales",
      };
    case "range_missing":
      return {
        text: `No hay un rango de numeración para ${rangeKinds[concern.range_kind].plural}: sus ventas quedan sin documento.`,
        to: "/ajustes/facturacion#rangos",
        todo: "Registrar un rango de la DIAN",
      };
    case "finding":
      return {
        text: concern.message,
        to: concern.sale_id ? `/ventas/${concern.sale_id}` : `/documentos/${concern.invoice_id}`,
        todo: concern.next_step,
      };
    case "authority_away":
      return {
        text: `La DIAN no responde desde el ${moment(concern.since)}: ${plural(concern.waiting, "documento espera", "documentos esperan")} con su número.`,
        to: "/documentos?estado=pending",
        todo: concern.is_contingency ? "Está en contingencia: siga vendiendo y vea qué espera" : "Ver qué espera",
      };
    case "certificate_ended":
      return {
        text: `El certificado con que se firman sus documentos venció el ${date(fromLocal(concern.valid_until))}: la DIAN los rechaza.`,
        to: "/ajustes/facturacion#perfil-fiscal",
        todo: "Subir el nuevo donde su proveedor y escribir su fecha",
      };
    case "certificate_ending":
      return {
        text: `El certificado con que se firman sus documentos vence el ${date(fromLocal(concern.valid_until))}.`,
        to: "/ajustes/facturacion#perfil-fiscal",
        todo: "Pedir el nuevo y escribir su fecha",
      };
    case "range_ended":
      return {
        text: `No quedan números para ${rangeKinds[concern.range_kind].plural}: el rango ${concern.prefix} ${concern.remaining === 0 ? "se agotó" : "venció"}.`,
        to: "/ajustes/facturacion#rangos",
        todo: "Registrar un rango nuevo",
      };
    case "range_ending":
      return {
        text: `Pronto no habrá números para ${rangeKinds[concern.range_kind].plural}: el rango ${concern.prefix} tiene ${plural(concern.remaining, "número", "números")}${concern.valid_until ? ` y vence el ${date(fromLocal(concern.valid_until))}` : ""}.`,
        to: "/ajustes/facturacion#rangos",
        todo: "Pedir otro a la DIAN y registrarlo",
      };
  }
}
