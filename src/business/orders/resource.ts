import { equal, since, until } from "../../engine/resources/filters.ts";
import { externalIdColumn } from "../../engine/resources/own-fields.ts";
import { atLocation, locationColumn } from "../../engine/resources/placed.ts";
import type { Condition } from "../../engine/resources/read-list.ts";
import { defineResource } from "../../engine/resources/resource.ts";
import { isSameSource } from "../../engine/resources/sources.ts";
import { lineText } from "../../lib/one-line.ts";
import { moveReservations } from "./reservations.ts";
import { Order, OrderQuery } from "./schema.ts";
import { isOpen, orderStates } from "./states.ts";

/** The capability of a register that takes orders: they come down to it, and what it does with them comes up. */
export const ordersCapability = "order.1";

/**
 * device_id: the register that accepted it. reserved: what is kept apart for it while it is accepted or ready, as JSON; it stays
 * after its end, when it no longer counts.
 */
export interface OrderColumns {
  device_id?: string | null;
  reserved?: string | null;
}

export const orders = defineResource<Order, OrderColumns>({
  name: "order",
  table: "orders",
  path: "/orders",
  scope: "orders",
  tag: {
    name: "Pedidos",
    text: "Lo que se pide desde afuera: una tienda web, un domiciliario, una mesa. Una caja lo acepta y lo vuelve venta.",
  },
  spanish: { one: "un pedido", many: "pedidos" },
  schema: Order,
  query: OrderQuery,
  derived: {
    status: { type: "text", from: (body) => body.status },
    number: { type: "int", from: (body) => body.number },
    source: { type: "text", from: (body) => body.source },
    ...externalIdColumn,
    customer_id: { type: "uuid", from: (body) => body.customer_id },
    due_at: { type: "timestamptz", from: (body) => body.due_at },
    ends_at: { type: "timestamptz", from: endOf },
    ended_at: { type: "timestamptz", from: endedAt },
    ...locationColumn,
  },
  private: { device_id: "uuid", reserved: "text" },
  totals: moveReservations,
  // What ended long ago is no work any more, and a new register need not read a year of it.
  feed: {
    includes: () => true,
    condition: "(ended_at is null or ended_at > now() - interval '35 days')",
    capability: ordersCapability,
  },
  conditions: (query: OrderQuery, _now: Date, accountId: string) => [
    ...atLocation(query.location_id, accountId),
    ...equal("status", query.status),
    ...ofSource(query.source),
    ...equal("external_id", query.external_id),
    ...equal("customer_id", query.customer_id),
    ...since("due_at", query.due_since),
    ...until("due_at", query.due_until),
  ],
});

function ofSource(source: string | undefined): Condition[] {
  return source === undefined ? [] : [{ sql: isSameSource("source", "?"), values: [lineText(source)] }];
}

/** When it ends by itself, if nobody does anything. */
function endOf({ status, accept_by, expires_at }: Order): string | null {
  if (!isOpen(status)) return null;
  const ends = [status === "placed" ? accept_by : null, expires_at].filter((end) => end !== null);
  return ends.toSorted()[0] ?? null;
}

function endedAt(order: Order): string | null {
  if (isOpen(order.status)) return null;
  const { at } = orderStates[order.status];
  return (order as unknown as Record<string, string | null>)[at] ?? null;
}
