import type { EventType } from "../../../src/engine/events/event-types.ts";
import type { Scope } from "../../../src/engine/resources/scopes.ts";
import { titleIn } from "./words.ts";

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
  "return.created": {
    group: "Ventas",
    title: "Devolución registrada",
    when: "En una caja o en el portal. Una vez por devolución.",
  },
  "quote.created": {
    group: "Ventas",
    title: "Cotización creada",
    when: "Llegó una cotización nueva desde una caja. Una vez por cotización.",
  },
  "quote.updated": {
    group: "Ventas",
    title: "Cotización actualizada",
    when: "Cambiaron sus líneas o su estado. Puede repetirse.",
  },
  "order.placed": { group: "Pedidos", title: "Pedido recibido", when: "Llegó un pedido de afuera." },
  "order.accepted": { group: "Pedidos", title: "Pedido aceptado", when: "En una caja o en el portal." },
  "order.ready": { group: "Pedidos", title: "Pedido listo", when: "Se puede recoger o llevar." },
  "order.completed": { group: "Pedidos", title: "Pedido entregado", when: "Quedó como venta." },
  "order.rejected": { group: "Pedidos", title: "Pedido rechazado", when: "El negocio no lo toma." },
  "order.cancelled": { group: "Pedidos", title: "Pedido cancelado", when: "Quien lo hizo ya no lo quiere." },
  "order.expired": { group: "Pedidos", title: "Pedido vencido", when: "Nadie lo aceptó o entregó a tiempo." },
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
  "product.deleted": {
    group: "Catálogo y clientes",
    title: "Producto eliminado",
    when: "Se eliminó en una caja. Puede repetirse si otra lo recupera.",
  },
  "customer.created": { group: "Catálogo y clientes", title: "Cliente creado", when: "En una caja o por la API." },
  "customer.updated": {
    group: "Catálogo y clientes",
    title: "Cliente editado",
    when: "En una caja o por la API. Puede repetirse.",
  },
  "customer.deleted": {
    group: "Catálogo y clientes",
    title: "Cliente eliminado",
    when: "Se eliminó en una caja, o se borraron sus datos.",
  },
  "supplier.created": { group: "Compras", title: "Proveedor creado", when: "En el portal o por la API." },
  "supplier.updated": {
    group: "Compras",
    title: "Proveedor editado",
    when: "En el portal o por la API. Puede repetirse.",
  },
  "purchase.received": {
    group: "Compras",
    title: "Compra recibida",
    when: "Llegó toda o una parte. Una vez por recepción.",
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
  "webhook_endpoint.failing": {
    group: "Webhooks",
    title: "Otro webhook está fallando",
    when: "Lleva 12 horas y 10 intentos sin entregar nada.",
  },
  "webhook_endpoint.deactivated": {
    group: "Webhooks",
    title: "Otro webhook se desactivó",
    when: "Tras 20 intentos fallidos en más de 24 horas.",
  },
  "webhook_endpoint.recovered": {
    group: "Webhooks",
    title: "Otro webhook se recuperó",
    when: "Volvió a recibir después de que se avisó que fallaba.",
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
  "orders:read": { group: "Pedidos", title: "Ver los pedidos, con quien los hizo y dónde van" },
  "orders:write": { group: "Pedidos", title: "Hacer, cambiar y cancelar pedidos" },
  "suppliers:read": { group: "Compras", title: "Ver los proveedores, con su NIT, correo y plazo" },
  "suppliers:write": { group: "Compras", title: "Crear y editar proveedores" },
  "purchases:read": { group: "Compras", title: "Ver las compras, con sus costos y lo que se debe" },
  "purchases:write": { group: "Compras", title: "Hacer compras y recibir o devolver su mercancía" },
  "events:read": { group: "Eventos", title: "Leer la bitácora de eventos de los últimos 30 días" },
  "audit:read": { group: "Seguridad", title: "Leer el registro de actividad: quién hizo qué y desde dónde" },
  "clock:write": { group: "Pruebas", title: "Adelantar el reloj de toda la instalación de pruebas" },
};

const allScopes = Object.entries(scopeWords).map(([scope, words]) => ({ scope, ...words }));
/** In production there is no clock to move. */
export const scopeGroups = (environment: string) =>
  groupsOf(allScopes.filter(({ scope }) => environment === "test" || scope !== "clock:write"));

const scopeTitles = Object.fromEntries(allScopes.map(({ scope, title }) => [scope, title]));
export const scopeTitle = (scope: string) => titleIn(scopeTitles, scope);

/** Groups keep the order in which they first appear. */
function groupsOf<T extends { group: string }>(all: readonly T[]): { title: string; members: T[] }[] {
  const titles = [...new Set(all.map(({ group }) => group))];
  return titles.map((title) => ({ title, members: all.filter(({ group }) => group === title) }));
}
