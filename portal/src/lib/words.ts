import type { DeliveryState } from "./types.ts";

/** The codes of the contract, in the words of who runs a shop. */

export interface EventWords {
  type: string;
  title: string;
  when: string;
}

export const eventGroups: { title: string; events: EventWords[] }[] = [
  {
    title: "Ventas",
    events: [
      {
        type: "sale.created",
        title: "Venta registrada",
        when: "Una venta nueva llegó desde una caja. Una vez por venta.",
      },
      {
        type: "sale.updated",
        title: "Venta actualizada",
        when: "Una caja subió un cambio de una venta. Puede repetirse.",
      },
      { type: "sale.completed", title: "Venta completada", when: "La venta quedó pagada. Una vez por venta." },
      { type: "sale.cancelled", title: "Venta anulada", when: "La venta se anuló. Una vez por venta." },
    ],
  },
  {
    title: "Documentos",
    events: [
      {
        type: "invoice.issued",
        title: "Documento emitido",
        when: "La DIAN aceptó el documento, o se emitió uno interno.",
      },
      { type: "invoice.rejected", title: "Documento rechazado", when: "La DIAN rechazó el documento." },
    ],
  },
  {
    title: "Catálogo y clientes",
    events: [
      { type: "product.created", title: "Producto creado", when: "En una caja o por la API." },
      {
        type: "product.updated",
        title: "Producto editado",
        when: "El producto o una de sus variantes. Puede repetirse.",
      },
      { type: "customer.created", title: "Cliente creado", when: "En una caja o por la API." },
      { type: "customer.updated", title: "Cliente editado", when: "En una caja o por la API. Puede repetirse." },
    ],
  },
  {
    title: "Inventario y caja",
    events: [
      {
        type: "inventory.movement.created",
        title: "Movimiento de inventario",
        when: "Entrada, salida o ajuste de existencias.",
      },
      { type: "cash_session.closed", title: "Caja cerrada", when: "Se cerró un turno de caja, con su arqueo." },
    ],
  },
];

export const allEvents = eventGroups.flatMap((group) => group.events);
const eventTitles = new Map(allEvents.map(({ type, title }) => [type, title]));

export function eventTitle(type: string): string {
  return type === "webhook.test" ? "Evento de prueba" : (eventTitles.get(type) ?? type);
}

export const scopeGroups: { title: string; scopes: { scope: string; words: string; writes?: boolean }[] }[] = [
  {
    title: "Clientes",
    scopes: [
      { scope: "customers:read", words: "Ver los clientes, con su correo, teléfono y documento" },
      { scope: "customers:write", words: "Crear y editar clientes", writes: true },
    ],
  },
  {
    title: "Catálogo",
    scopes: [
      { scope: "products:read", words: "Ver productos, variantes, precios y categorías" },
      { scope: "products:write", words: "Crear y editar productos, precios y categorías", writes: true },
    ],
  },
  {
    title: "Inventario",
    scopes: [
      { scope: "inventory:read", words: "Ver bodegas y movimientos de inventario" },
      { scope: "inventory:write", words: "Registrar entradas, salidas y ajustes de existencias", writes: true },
    ],
  },
  {
    title: "Ventas y dinero",
    scopes: [
      { scope: "sales:read", words: "Ver las ventas con sus líneas, impuestos y totales" },
      { scope: "invoices:read", words: "Ver los documentos de venta y su estado ante la DIAN" },
      { scope: "cash:read", words: "Ver los turnos de caja, sus movimientos y arqueos" },
      { scope: "quotes:read", words: "Ver las cotizaciones" },
    ],
  },
  {
    title: "Eventos",
    scopes: [{ scope: "events:read", words: "Leer la bitácora de eventos de los últimos 30 días" }],
  },
];

const scopeWords = new Map(scopeGroups.flatMap(({ scopes }) => scopes.map(({ scope, words }) => [scope, words])));
export const wordsOfScope = (scope: string) => scopeWords.get(scope) ?? scope;

export const deliveryStates: Record<DeliveryState, { title: string; color: string }> = {
  pending: { title: "Pendiente", color: "yellow" },
  delivered: { title: "Entregada", color: "green" },
  failed: { title: "Fallida", color: "red" },
  dropped: { title: "Descartada", color: "gray" },
};

export const endpointStates = {
  active: { title: "Activo", color: "green" },
  paused: { title: "En pausa", color: "yellow" },
  deactivated: { title: "Desactivado", color: "red" },
} as const;

export const rangeKinds = {
  pos: { title: "Documentos POS", plural: "documentos POS" },
  invoice: { title: "Facturas electrónicas", plural: "facturas electrónicas" },
  note: { title: "Notas", plural: "notas" },
  internal: { title: "Documentos internos", plural: "documentos internos" },
} as const;

export const rangeStates = {
  in_use: { title: "En uso", color: "green" },
  waiting: { title: "Sigue después", color: "gray" },
  exhausted: { title: "Agotado", color: "red" },
  expired: { title: "Vencido", color: "red" },
} as const;

export const documentTypes: Record<string, string> = {
  electronic_invoice: "Factura electrónica",
  pos_document: "Documento POS",
  pos_adjustment_note: "Nota de ajuste",
  internal_invoice: "Documento interno",
  other: "Nota crédito",
};

export const documentStates = {
  rejected: { title: "Rechazado", color: "red" },
  emission_failed: { title: "Sin emitir", color: "yellow" },
} as const;

const failures: Record<string, string> = {
  dns: "DNS: el dominio no se encontró",
  address: "Dirección no pública",
  connect: "Conexión rechazada",
  tls: "TLS: certificado o conexión segura",
  timeout: "Tiempo agotado (10 s)",
  redirect: "Redirección",
  status: "Estado distinto de 2xx",
  response: "Sin respuesta HTTP",
};

export const failureTitle = (failure: string) => failures[failure] ?? failure;

const actions: Record<string, string> = {
  "session.opened": "Ingreso al portal",
  "session.failed": "Intento de ingreso con una contraseña equivocada",
  "session.revoked": "Se cerró una sesión",
  "password.changed": "Cambió la contraseña",
  "password.reset": "Se restableció la contraseña por correo",
  "account.created": "Se creó la cuenta",
  "account.set": "Cambió el plan o el estado de la cuenta",
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
  "fiscal_profile.set": "Cambió el perfil fiscal",
  "numbering_range.set": "Se registró un rango de numeración",
  "invoice.resent": "Se reenvió un documento a la DIAN",
};

export const actionTitle = (action: string) => actions[action] ?? action;
