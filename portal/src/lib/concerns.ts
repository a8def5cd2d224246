import type { NeededRight } from "../../../src/access/people/needed-right.ts";
import type { Right } from "../../../src/access/people/rights.ts";
import type { Concern, Finding } from "./answers.ts";
import { date, duration, fromLocal, moment, number, plural } from "./format.ts";
import { rangeKinds } from "./words.ts";

/** How soon something must be done: the shop cannot go on, it will not for long, or it can wait. */
export type Gravity = "high" | "medium" | "low";
const gravities: readonly Gravity[] = ["high", "medium", "low"];
export const gravityTitles: Record<Gravity, string> = { high: "Urgente", medium: "Pronto", low: "Cuando pueda" };

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

/** What it takes to do what a concern says; the service puts the right words into the others. */
const needed: Partial<Record<Concern["kind"], Right>> = {
  endpoint_deactivated: "developers:write",
  key_expiring: "developers:write",
  records_waiting: "registers:write",
  documents_unissued: "documents:write",
  orders_waiting: "orders:write",
  pins_shared: "cashiers",
  fiscal_profile_missing: "fiscal",
  range_missing: "fiscal",
  range_ended: "fiscal",
  range_ending: "fiscal",
  certificate_ended: "fiscal",
  certificate_ending: "fiscal",
};

export const neededFor = ({ kind }: Concern): NeededRight => needed[kind] ?? "anyone";

/** Whoever may not do what it says is told whom to ask. */
export function todoOf(concern: Concern, insteadOf: (needed: NeededRight) => string | undefined): Todo {
  const todo = (todos[concern.kind] as (concern: Concern) => Todo)(concern);
  const instead = insteadOf(neededFor(concern));
  return instead === undefined ? todo : { ...todo, todo: instead };
}

/** What does not agree between sales and documents, with the next step in the finding's own words. */
export function todoOfFinding({ kind, gravity, message, next_step, sale_id, invoice_id }: Finding): Todo {
  const others = kind === "wrong_clock" ? "/cajas" : "/documentos";
  const to = sale_id ? `/ventas/${sale_id}` : invoice_id ? `/documentos/${invoice_id}` : others;
  return { gravity: gravity === "error" ? "high" : "medium", text: message, to, todo: next_step };
}

/** What a concern says to the owner, where it is put right, and how soon. */
const todos: { [K in Concern["kind"]]: (concern: Concern & { kind: K }) => Todo } = {
  endpoint_failing: (concern) => ({
    gravity: "medium",
    text: `${concern.url} falla desde el ${moment(concern.failing_since)}: ${plural(concern.failures, "intento seguido", "intentos seguidos")}.`,
    to: `/entregas?endpoint=${concern.endpoint_id}`,
    todo: "Ver la causa de cada intento",
  }),
  endpoint_deactivated: (concern) => ({
    gravity: "medium",
    text: `${concern.url} se desactivó por fallos continuos.`,
    to: `/webhooks/${concern.endpoint_id}`,
    todo: "Probarlo y reactivarlo",
  }),
  device_outdated: (concern) => ({
    gravity: "low",
    text: `${concern.name} usa una versión que no admite ediciones desde la API${concern.app_version ? ` (${concern.app_version})` : ""}.`,
    to: `/cajas/${concern.device_id}`,
    todo: "Ver la caja",
  }),
  device_skewed: (concern) => ({
    gravity: "medium",
    text: `El reloj de ${concern.name} está corrido ${duration(Math.abs(concern.skew_ms))}.`,
    to: `/cajas/${concern.device_id}`,
    todo: "Ver la caja y corregir su hora",
  }),
  device_forked: (concern) => ({
    gravity: "high",
    text: `${concern.name} parece restaurada de una copia y debe vincularse de nuevo.`,
    to: `/cajas/${concern.device_id}`,
    todo: "Ver la caja",
  }),
  key_expiring: (concern) => ({
    gravity: "medium",
    text: `La clave «${concern.name}» vence el ${date(concern.expires_at)}.`,
    to: `/claves/${concern.api_key_id}`,
    todo: "Rotarla a tiempo",
  }),
  records_quarantined: (concern) => ({
    gravity: "high",
    text: `${concern.name || "Una caja retirada"} tiene ${plural(concern.count, "registro", "registros")} en cuarentena.`,
    to: `/cajas/${concern.device_id}`,
    todo: "Ver qué no se pudo leer",
  }),
  records_waiting: (concern) => ({
    gravity: "high",
    text: `${plural(concern.count, "registro", "registros")} de ${concern.name || "una caja retirada"} ${concern.count === 1 ? "llegó y no se pudo" : "llegaron y no se pudieron"} guardar por un fallo nuestro. Se intenta de nuevo cada hora.`,
    to: `/cajas/${concern.device_id}`,
    todo: "Verlos e intentar ahora",
  }),
  documents_unissued: (concern) => ({
    gravity: "high",
    text: concern.has_more
      ? `Más de ${number(concern.count)} ventas están sin documento aceptado por la DIAN.`
      : `${plural(concern.count, "venta está", "ventas están")} sin documento aceptado por la DIAN.`,
    to: "/documentos?estado=por-atender",
    todo: "Ver la causa y reenviar",
  }),
  ticket_mails_unsent: (concern) => ({
    gravity: "low",
    text: concern.has_more
      ? `Más de ${number(concern.count)} tiquetes prometidos por correo no salieron.`
      : `${plural(concern.count, "tiquete prometido por correo no salió", "tiquetes prometidos por correo no salieron")}.`,
    to: concern.sale_id ? `/ventas/${concern.sale_id}` : "/ventas",
    todo: "Ver la causa en la venta",
  }),
  acts_unauthorized: (concern) => ({
    gravity: "medium",
    text: concern.has_more
      ? `Más de ${number(concern.count)} actos de caja se hicieron sin permiso.`
      : `${plural(concern.count, "acto de caja se hizo", "actos de caja se hicieron")} sin permiso.`,
    to: "/actos?permiso=unauthorized",
    todo: "Ver quién y qué",
  }),
  wrong_pins: () => ({
    gravity: "medium",
    text: "En una caja se escribieron diez o más PIN equivocados seguidos.",
    to: "/actos?tipo=wrong_pins",
    todo: "Ver dónde y de quién",
  }),
  pins_shared: () => ({
    gravity: "medium",
    text: "Hay personas con el mismo PIN: una puede quedar con lo que hizo la otra.",
    to: "/actos?tipo=pin_shared",
    todo: "Ver quiénes y cambiar un PIN",
  }),
  orders_waiting: ({ orders, since, sede, location_id }) => ({
    gravity: "high",
    text: `Desde el ${moment(since)} ${orders === 1 ? "espera un pedido" : `esperan ${number(orders)} pedidos`}${sede ? ` en ${sede}` : ""}.`,
    to: `/pedidos?estado=placed${sede ? `&sede=${location_id}` : ""}`,
    todo: "Aceptarlos o rechazarlos",
  }),
  transfer_waiting: (concern) => ({
    gravity: "low",
    text: `El traslado ${concern.number} salió de ${concern.from} para ${concern.to} y no lo han recibido.`,
    to: `/inventario/traslados?traslado=${concern.transfer_id}`,
    todo: "Recibirlo cuando llegue",
  }),
  transfer_short: (concern) => ({
    gravity: "medium",
    text: `El traslado ${concern.number} de ${concern.from} llegó a ${concern.to} con menos de lo enviado.`,
    to: `/inventario/traslados?traslado=${concern.transfer_id}`,
    todo: "Ver qué falta y decir qué pasó",
  }),
  fiscal_profile_missing: () => ({
    gravity: "high",
    text: "Faltan los datos fiscales del negocio: sus ventas se registran, pero sin documento.",
    to: "/ajustes/facturacion#perfil-fiscal",
    todo: "Completar los datos fiscales",
  }),
  range_missing: (concern) => ({
    gravity: "high",
    text: `No hay un rango de numeración para ${rangeKinds[concern.range_kind].plural}: sus ventas quedan sin documento.`,
    to: "/ajustes/facturacion#rangos",
    todo: "Registrar un rango de la DIAN",
  }),
  finding: (concern) => ({
    gravity: concern.gravity === "error" ? "high" : "medium",
    text: concern.message,
    to: concern.sale_id ? `/ventas/${concern.sale_id}` : `/documentos/${concern.invoice_id}`,
    todo: concern.next_step,
  }),
  authority_away: (concern) => ({
    gravity: concern.is_contingency ? "high" : "medium",
    text: `La DIAN no responde desde el ${moment(concern.since)}: ${plural(concern.waiting, "documento espera", "documentos esperan")} con su número.`,
    to: "/documentos?estado=pending",
    todo: concern.is_contingency ? "Está en contingencia: siga vendiendo y vea qué espera" : "Ver qué espera",
  }),
  certificate_ended: (concern) => ({
    gravity: "high",
    text: `El certificado con que se firman sus documentos venció el ${date(fromLocal(concern.valid_until))}: la DIAN los rechaza.`,
    to: "/ajustes/facturacion#perfil-fiscal",
    todo: "Subir el nuevo donde su proveedor y escribir su fecha",
  }),
  certificate_ending: (concern) => ({
    gravity: "medium",
    text: `El certificado con que se firman sus documentos vence el ${date(fromLocal(concern.valid_until))}.`,
    to: "/ajustes/facturacion#perfil-fiscal",
    todo: "Pedir el nuevo y escribir su fecha",
  }),
  range_ended: (concern) => ({
    gravity: "high",
    text: `No quedan números para ${rangeKinds[concern.range_kind].plural}: el rango ${concern.prefix} ${concern.remaining === 0 ? "se agotó" : "venció"}.`,
    to: "/ajustes/facturacion#rangos",
    todo: "Registrar un rango nuevo",
  }),
  range_ending: (concern) => ({
    gravity: "medium",
    text: `Pronto no habrá números para ${rangeKinds[concern.range_kind].plural}: el rango ${concern.prefix} tiene ${plural(concern.remaining, "número", "números")}${concern.valid_until ? ` y vence el ${date(fromLocal(concern.valid_until))}` : ""}.`,
    to: "/ajustes/facturacion#rangos",
    todo: "Pedir otro a la DIAN y registrarlo",
  }),
};
