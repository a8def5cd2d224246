export interface EventDeclaration {
  /** The kind of record in `data.object`. */
  object: string;
  /** Whether it happens at most once to each record. */
  once: boolean;
  spanish: string;
  /** Fields in which its example differs from the record's own example. */
  example?: object | undefined;
}

const unaccepted = { accepted_at: null, promised_at: null, register_id: null };
const late = "2026-09-28T19:20:00.000Z";
const deleted = { deleted_at: "2026-09-28T19:05:09.120Z" };

/**
 * The only list of the events that a business can receive. webhook.test is not in it: it is never recorded, and nobody can
 * subscribe to it.
 */
export const events = {
  "sale.created": once("sale", "Una caja subió una venta nueva. Una vez por venta."),
  "sale.updated": repeatable("sale", "Una caja subió un cambio de una venta. Puede repetirse."),
  "sale.completed": once("sale", "La venta quedó completada. Una vez por venta."),
  "sale.cancelled": once("sale", "La venta quedó cancelada. Una vez por venta.", { status: "cancelled" }),
  "product.created": once("product", "Se creó un producto, en una caja o por la API. Una vez por producto."),
  "product.updated": repeatable("product", "Se editó un producto o una de sus variantes. Puede repetirse."),
  "customer.created": once("customer", "Se creó un cliente, en una caja o por la API. Una vez por cliente."),
  "customer.updated": repeatable("customer", "Se editó un cliente. Puede repetirse."),
  "inventory.movement.created": once(
    "stock_movement",
    "Se registró un movimiento de inventario, incluido el de las existencias iniciales de un producto. Una vez por movimiento.",
  ),
  "invoice.issued": once("invoice", "Un documento de la venta quedó emitido. Una vez por documento."),
  "invoice.rejected": once("invoice", "La DIAN rechazó un documento. Una vez por documento.", {
    status: "rejected",
    dian_status: "99",
    dian_message: "Validación contiene errores en campos mandatorios.",
  }),
  "cash_session.closed": once("cash_session", "Se cerró un turno de caja. Una vez por turno."),
  // These came later. No endpoint receives them that was not subscribed to them by name.
  "product.deleted": repeatable(
    "product",
    "Una caja eliminó un producto. Puede repetirse si otra lo recupera.",
    deleted,
  ),
  "customer.deleted": repeatable(
    "customer",
    "Una caja eliminó un cliente, o se borraron sus datos. Puede repetirse si otra lo recupera.",
    deleted,
  ),
  "return.created": once("return", "Se registró una devolución, en una caja o en el portal. Una vez por devolución."),
  "quote.created": once("quote", "Una caja subió una cotización nueva. Una vez por cotización."),
  "quote.updated": repeatable(
    "quote",
    "Cambió una cotización: sus líneas o su estado. Puede repetirse. El vencimiento no produce evento.",
  ),
  "order.placed": once("order", "Llegó un pedido. Una vez por pedido.", { status: "placed", ...unaccepted }),
  "order.accepted": once("order", "Una caja o el portal aceptó el pedido. Una vez por pedido."),
  "order.ready": once("order", "El pedido está listo. Una vez por pedido.", { status: "ready", ready_at: late }),
  "order.completed": once("order", "El pedido se entregó con su venta. Una vez por pedido.", {
    status: "completed",
    completed_at: late,
    sale_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c16",
  }),
  "order.rejected": once("order", "El negocio rechazó el pedido. Una vez por pedido.", {
    status: "rejected",
    ...unaccepted,
    rejected_at: late,
    rejected_reason: "No hay domiciliario",
  }),
  "order.cancelled": once("order", "Quien hizo el pedido lo canceló. Una vez por pedido.", {
    status: "cancelled",
    cancelled_at: late,
    cancelled_reason: "El cliente se arrepintió",
  }),
  "order.expired": once("order", "Nadie aceptó o entregó el pedido a tiempo. Una vez por pedido.", {
    status: "expired",
    ...unaccepted,
    expired_at: late,
  }),
  "supplier.created": once("supplier", "Se creó un proveedor, por la API o en el portal. Una vez por proveedor."),
  "supplier.updated": repeatable("supplier", "Se editó un proveedor. Puede repetirse."),
  "purchase.received": repeatable(
    "purchase",
    "Llegó mercancía de una compra, toda o una parte. Una vez por recepción; las devoluciones y correcciones no lo emiten.",
  ),
  "webhook_endpoint.failing": repeatable(
    "webhook_endpoint",
    "Un webhook lleva 12 horas y 10 intentos sin entregar nada. Lo reciben los demás webhooks de la cuenta que lo piden. Una vez por racha de fallos.",
  ),
  "webhook_endpoint.deactivated": repeatable(
    "webhook_endpoint",
    "Un webhook se desactivó por fallos continuos. Lo reciben los demás.",
    { status: "deactivated", consecutive_failures: 20 },
  ),
  "webhook_endpoint.recovered": repeatable(
    "webhook_endpoint",
    "Un webhook del que se avisó que fallaba volvió a recibir. Lo reciben los demás.",
    { consecutive_failures: 0, failing_since: null },
  ),
} satisfies Record<string, EventDeclaration>;

function once(object: string, spanish: string, example?: object): EventDeclaration {
  return { object, once: true, spanish, example };
}

function repeatable(object: string, spanish: string, example?: object): EventDeclaration {
  return { object, once: false, spanish, example };
}

export type EventType = keyof typeof events;

export const eventTypes = Object.keys(events) as EventType[];

export const eventRetentionDays = 30;
