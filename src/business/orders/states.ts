import type { EventType } from "../../engine/events/event-types.ts";

interface State {
  /** From which others an order gets there. */
  from: readonly string[];
  /** Announced once, when it gets there. */
  event: EventType;
  /** The field that says when. */
  at: string;
  /** What was ordered is kept apart for it. */
  reserves: boolean;
  /** Nothing comes after it. */
  isEnd: boolean;
  spanish: string;
}

/** Where an order may be, and how it gets there: the one table for the API, the registers and the portal. */
const table = {
  placed: { from: [], event: "order.placed", at: "created_at", reserves: false, isEnd: false, spanish: "Nuevo" },
  accepted: {
    from: ["placed"],
    event: "order.accepted",
    at: "accepted_at",
    reserves: true,
    isEnd: false,
    spanish: "Aceptado",
  },
  ready: {
    from: ["accepted"],
    event: "order.ready",
    at: "ready_at",
    reserves: true,
    isEnd: false,
    spanish: "Listo",
  },
  // Whoever hands it over at the counter may have pressed nothing before.
  completed: {
    from: ["placed", "accepted", "ready"],
    event: "order.completed",
    at: "completed_at",
    reserves: false,
    isEnd: true,
    spanish: "Entregado",
  },
  rejected: {
    from: ["placed", "accepted", "ready"],
    event: "order.rejected",
    at: "rejected_at",
    reserves: false,
    isEnd: true,
    spanish: "Rechazado",
  },
  cancelled: {
    from: ["placed", "accepted", "ready"],
    event: "order.cancelled",
    at: "cancelled_at",
    reserves: false,
    isEnd: true,
    spanish: "Cancelado",
  },
  expired: {
    from: ["placed", "accepted", "ready"],
    event: "order.expired",
    at: "expired_at",
    reserves: false,
    isEnd: true,
    spanish: "Vencido",
  },
} as const satisfies Record<string, State>;

export type OrderStatus = keyof typeof table;
export const orderStates: Readonly<Record<OrderStatus, State>> = table;
export const orderStatuses = Object.keys(table) as OrderStatus[];
/** The fields that say when an order got where, besides `created_at`. */
export type OrderInstant = Exclude<(typeof table)[OrderStatus]["at"], "created_at">;

export const openStatuses = orderStatuses.filter((status) => !orderStates[status].isEnd);
export const reservingStatuses = orderStatuses.filter((status) => orderStates[status].reserves);

export function mayBecome(from: OrderStatus, to: OrderStatus): boolean {
  return orderStates[to].from.includes(from);
}

export function isOpen(status: OrderStatus): boolean {
  return !orderStates[status].isEnd;
}
