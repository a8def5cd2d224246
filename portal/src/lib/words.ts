import { documentTitles } from "../../../src/api/portal/lists/words.ts";
import type { EventType } from "../../../src/engine/events/event-types.ts";
import type { Scope } from "../../../src/engine/resources/scopes.ts";
import { meansOffered, paymentName, paymentNames } from "../../../src/taxes/means.ts";
import type { Answer, Attempt, Delivery, Endpoint, NumberingRange } from "./answers.ts";

/** The API's codes in a shop owner's words. A new event type or scope fails to compile until it has an entry here. */

const eventWords: Record<EventType, { group: string; title: string; when: string }> = {
  "sale.created": {
    group: "Ventas",
    title: "Venta registrada",
    when: "Una venta nueva llegó desde una caja. Una vez por venta.",
  },
  "sale.updated": {
    group: "Ventas",
    title: "Venta actualizada",
    when: "Una caja subió un cambio de una venta. Puede repetirse.",
  },
  "sale.completed": {
    group: "Ventas",
    title: "Venta completada",
    when: "La venta quedó pagada. Una vez por venta.",
  },
  "sale.cancelled": { group: "Ventas", title: "Venta anulada", when: "La venta se anuló. Una vez por venta." },
  "invoice.issued": {
    group: "Documentos",
    title: "Documento emitido",
    when: "La DIAN aceptó el documento, o se emitió uno interno.",
  },
  "invoice.rejected": { group: "Documentos", title: "Documento rechazado", when: "La DIAN rechazó el documento." },
  "product.created": { group: "Catálogo y clientes", title: "Producto creado", when: "En una caja o por la API." },
  "product.updated": {
    group: "Catálogo y clientes",
    title: "Producto editado",
    when: "El producto o una de sus variantes. Puede repetirse.",
  },
  "customer.created": { group: "Catálogo y clientes", title: "Cliente creado", when: "En una caja o por la API." },
  "customer.updated": {
    group: "Catálogo y clientes",
    title: "Cliente editado",
    when: "En una caja o por la API. Puede repetirse.",
  },
  "inventory.movement.created": {
    group: "Inventario y caja",
    title: "Movimiento de inventario",
    when: "Entrada, salida o ajuste de existencias.",
  },
  "cash_session.closed": {
    group: "Inventario y caja",
    title: "Caja cerrada",
    when: "Se cerró un turno de caja, con su arqueo.",
  },
};

export const allEvents = Object.entries(eventWords).map(([type, words]) => ({ type, ...words }));
export const eventGroups = groupsOf(allEvents);

const eventTitles = {
  ...Object.fromEntries(allEvents.map(({ type, title }) => [type, title])),
  "webhook.test": "Evento de prueba",
};
export const eventTitle = (type: string) => titleIn(eventTitles, type);

const scopeWords: Record<Scope, { group: string; title: string }> = {
  "customers:read": { group: "Clientes", title: "Ver los clientes, con su correo, teléfono y documento" },
  "customers:write": { group: "Clientes", title: "Crear y editar clientes" },
  "products:read": { group: "Catálogo", title: "Ver productos, variantes, precios y categorías" },
  "products:write": { group: "Catálogo", title: "Crear y editar productos, precios y categorías" },
  "inventory:read": { group: "Inventario", title: "Ver bodegas y movimientos de inventario" },
  "inventory:write": {
    group: "Inventario",
    title: "Registrar entradas, salidas y ajustes de existencias; crear y editar bodegas",
  },
  "sales:read": { group: "Ventas y dinero", title: "Ver las ventas con sus líneas, impuestos y totales" },
  "invoices:read": { group: "Ventas y dinero", title: "Ver los documentos de venta y su estado ante la DIAN" },
  "cash:read": { group: "Ventas y dinero", title: "Ver los turnos de caja, sus movimientos y arqueos" },
  "quotes:read": { group: "Ventas y dinero", title: "Ver las cotizaciones" },
  "events:read": { group: "Eventos", title: "Leer la bitácora de eventos de los últimos 30 días" },
};

const allScopes = Object.entries(scopeWords).map(([scope, words]) => ({ scope, ...words }));
export const scopeGroups = groupsOf(allScopes);

const scopeTitles = Object.fromEntries(allScopes.map(({ scope, title }) => [scope, title]));
export const scopeTitle = (scope: string) => titleIn(scopeTitles, scope);

/** Groups keep the order in which they first appear. */
function groupsOf<T extends { group: string }>(all: readonly T[]): { title: string; members: T[] }[] {
  const titles = [...new Set(all.map(({ group }) => group))];
  return titles.map((title) => ({ title, members: all.filter(({ group }) => group === title) }));
}

/** A page that was loaded before an update shows unknown codes unchanged. */
function titleIn(titles: Readonly<Record<string, string>>, code: string): string {
  return titles[code] ?? code;
}

interface StateWords {
  title: string;
  color: string;
}

export const deliveryStates: Record<Delivery["state"], StateWords> = {
  pending: { title: "Pendiente", color: "yellow" },
  delivered: { title: "Entregada", color: "green" },
  failed: { title: "Fallida", color: "red" },
  dropped: { title: "Descartada", color: "gray" },
};

export const endpointStates: Record<Endpoint["status"], StateWords> = {
  active: { title: "Activo", color: "green" },
  paused: { title: "En pausa", color: "yellow" },
  deactivated: { title: "Desactivado", color: "red" },
};

/** The owner's name for an endpoint, or its address without the scheme. */
export function endpointName({ name, url }: Pick<Endpoint, "name" | "url">): string {
  return name ?? url.replace(/^https:\/\//, "");
}

export const rangeKinds: Record<NumberingRange["kind"], { title: string; plural: string }> = {
  pos: { title: "Documentos POS", plural: "documentos POS" },
  invoice: { title: "Facturas electrónicas", plural: "facturas electrónicas" },
  note: { title: "Notas", plural: "notas" },
  internal: { title: "Documentos internos", plural: "documentos internos" },
};

export const rangeStates: Record<NumberingRange["state"], StateWords> = {
  in_use: { title: "En uso", color: "green" },
  waiting: { title: "Sigue después", color: "gray" },
  future: { title: "Aún no vale", color: "gray" },
  exhausted: { title: "Agotado", color: "red" },
  expired: { title: "Vencido", color: "red" },
};

export const documentTitle = (type: string) => titleIn(documentTitles, type);

/** As registers write them; an unknown one is shown as it came. */
export const paymentTitle = paymentName;
export const paymentTitles = paymentNames;
export const paymentOptions = meansOffered("refund").map((value) => ({ value, label: paymentName(value) }));

const taxes: Record<string, string> = { "01": "IVA", "03": "ICA", "04": "INC", "22": "INC bolsas" };
export const taxTitle = (code: string) => titleIn(taxes, code);

const failures: Record<NonNullable<Attempt["failure"]>, string> = {
  dns: "DNS: el dominio no se encontró",
  address: "Dirección no pública",
  connect: "Conexión rechazada",
  tls: "TLS: certificado o conexión segura",
  timeout: "Tiempo agotado (10 s)",
  redirect: "Redirección",
  status: "Estado distinto de 2xx",
  response: "Sin respuesta HTTP",
};
export const failureTitle = (failure: string) => titleIn(failures, failure);

const actions: Record<Answer<"GET /audit-log">["data"][number]["action"], string> = {
  "session.opened": "Ingreso al portal",
  "session.failed": "Intento de ingreso con una contraseña equivocada",
  "session.revoked": "Se cerró una sesión",
  "session.revoked_others": "Se cerraron las demás sesiones",
  "factor.added": "Se agregó un segundo paso para entrar",
  "factor.renamed": "Cambió el nombre de un segundo paso",
  "factor.removed": "Se quitó un segundo paso para entrar",
  "recovery_codes.made": "Se hicieron códigos de recuperación nuevos",
  "recovery_code.used": "Se usó un código de recuperación",
  "second_step.reset": "Se quitó un segundo paso con un código enviado al correo",
  "security_notice.objected": "Alguien no reconoció un cambio y se deshizo",
  "security_settings.set": "Cambió lo que se exige para entrar y para devolver",
  "browser.forgotten": "Se olvidó un navegador recordado",
  "password.changed": "Cambió la contraseña",
  "password.reset": "Se restableció la contraseña por correo",
  "person.invited": "Se invitó a una persona",
  "person.joined": "Una persona aceptó la invitación",
  "person.changed": "Cambió el rol o las sedes de una persona",
  "person.removed": "Se retiró a una persona",
  "person.left": "Una persona salió del negocio",
  "person.renamed": "Una persona cambió su nombre",
  "invitation.withdrawn": "Se retiró una invitación",
  "role.created": "Se creó un rol",
  "role.updated": "Cambió un rol",
  "role.deleted": "Se eliminó un rol",
  "account.created": "Se creó la cuenta",
  "account.set": "El administrador cambió el plan, el estado o los tiquetes por correo de la cuenta",
  "account.renamed": "Cambió el nombre del negocio",
  "account.change_email": "Cambió el correo de la cuenta",
  "account.undo_email_change": "Se deshizo el cambio de correo desde el correo anterior",
  "webhook_endpoint.create": "Se agregó un webhook",
  "webhook_endpoint.change_url": "Cambió la dirección de un webhook",
  "webhook_endpoint.rotate_secret": "Se rotó el secreto de un webhook",
  "webhook_endpoint.updated": "Se editaron los eventos de un webhook",
  "webhook_endpoint.deleted": "Se eliminó un webhook",
  "webhook_endpoint.pause": "Se pausó un webhook",
  "webhook_endpoint.resume": "Se reanudó un webhook",
  "webhook_endpoint.reactivate": "Se reactivó un webhook",
  "webhook_endpoint.deactivated": "Se desactivó un webhook por fallos continuos",
  "api_key.create": "Se creó una clave de API",
  "api_key.rotate": "Se rotó una clave de API",
  "api_key.revoked": "Se revocó una clave de API",
  "device.enrol": "Se creó un código para vincular una caja",
  "device.enrolled": "Se vinculó una caja",
  "device.token_rotated": "Una caja cambió su token",
  "device.renamed": "Se cambió el nombre de una caja",
  "device.revoked": "Se retiró una caja",
  "records.handed_in": "Se recibió el archivo de una caja",
  "records.retried": "Se guardaron registros que estaban apartados",
  "cashier.created": "Se agregó a una persona que atiende",
  "cashier.updated": "Se editó a una persona que atiende",
  "cashier.retired": "Se retiró a una persona que atiende",
  "fiscal_profile.set": "Cambió el perfil fiscal",
  "numbering_range.set": "Se registró un rango de numeración",
  "invoice.resent": "Se reenvió un documento a la DIAN",
  "finding.closed": "Se dio por resuelto un aviso de documentos",
  "sale.returned": "Se registró una devolución",
  "sale.invoiced": "Se cambió un documento POS por factura",
  "invoice.mailed": "Se envió un documento por correo",
  "ticket_mail.set": "Se encendieron o apagaron los tiquetes por correo",
  "look.set": "Cambió el aspecto de los documentos",
  "accounting_codes.set": "Cambiaron las cuentas contables",
};
export const actionTitle = (action: string) => titleIn(actions, action);
