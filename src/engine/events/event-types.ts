interface Declaration {
  /** The kind of record in `data.object`. */
  object: string;
  /** Whether it happens at most once to each record. */
  once: boolean;
  spanish: string;
  /** Fields in which its example differs from the record's own example. */
  example?: object;
}

/**
 * The only list of the events that a business can receive. webhook.test is not in it: it is never recorded, and nobody can
 * subscribe to it.
 */
export const events = {
  "sale.created": { object: "sale", once: true, spanish: "Una caja subió una venta nueva. Una vez por venta." },
  "sale.updated": { object: "sale", once: false, spanish: "Una caja subió un cambio de una venta. Puede repetirse." },
  "sale.completed": { object: "sale", once: true, spanish: "La venta quedó completada. Una vez por venta." },
  "sale.cancelled": {
    object: "sale",
    once: true,
    spanish: "La venta quedó cancelada. Una vez por venta.",
    example: { status: "cancelled" },
  },
  "product.created": {
    object: "product",
    once: true,
    spanish: "Se creó un producto, en una caja o por la API. Una vez por producto.",
  },
  "product.updated": {
    object: "product",
    once: false,
    spanish: "Se editó un producto o una de sus variantes. Puede repetirse.",
  },
  "customer.created": {
    object: "customer",
    once: true,
    spanish: "Se creó un cliente, en una caja o por la API. Una vez por cliente.",
  },
  "customer.updated": { object: "customer", once: false, spanish: "Se editó un cliente. Puede repetirse." },
  "inventory.movement.created": {
    object: "stock_movement",
    once: true,
    spanish:
      "Se registró un movimiento de inventario, incluido el de las existencias iniciales de un producto. Una vez por movimiento.",
  },
  "invoice.issued": {
    object: "invoice",
    once: true,
    spanish: "Un documento de la venta quedó emitido. Una vez por documento.",
  },
  "invoice.rejected": {
    object: "invoice",
    once: true,
    spanish: "La DIAN rechazó un documento. Una vez por documento.",
    example: {
      status: "rejected",
      dian_status: "99",
      dian_message: "Validación contiene errores en campos mandatorios.",
    },
  },
  "cash_session.closed": {
    object: "cash_session",
    once: true,
    spanish: "Se cerró un turno de caja. Una vez por turno.",
  },
} as const satisfies Record<string, Declaration>;

export type EventType = keyof typeof events;

export const eventTypes = Object.keys(events) as EventType[];

export function declarationOf(type: EventType): Declaration {
  return events[type];
}

export const eventRetentionDays = 30;
