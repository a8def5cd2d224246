import type { Loaded } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import { minute } from "../../lib/clock.ts";
import { reservationOf } from "./reservations.ts";
import { type OrderColumns, orders } from "./resource.ts";
import type { Order } from "./schema.ts";
import { type OrderStatus, orderStates } from "./states.ts";

/** What is said with a step. */
export interface StepDetails {
  /** Of who rejects or cancels. */
  reason?: string | null;
  /** Of who accepts: in how many minutes it will be ready. */
  minutes?: number | null;
  /** The register that accepts. */
  registerId?: string | null;
  saleId?: string;
}

/** The order after a step that it may take, and what it keeps apart from then on. */
export function afterStep(
  order: Order,
  to: OrderStatus,
  at: Date,
  { reason = null, minutes = null, registerId = null, saleId }: StepDetails,
): Order {
  const instant = at.toISOString();
  const promised = minutes === null ? null : new Date(at.getTime() + minutes * minute).toISOString();
  return {
    ...order,
    status: to,
    [orderStates[to].at]: instant,
    ...(to === "accepted" && { register_id: registerId, promised_at: promised }),
    ...(to === "rejected" && { rejected_reason: reason }),
    ...(to === "cancelled" && { cancelled_reason: reason }),
    ...(to === "completed" && saleId !== undefined && { sale_id: saleId }),
    updated_at: instant,
  };
}

/** Takes an order that this write has loaded one step further, with its event. The caller has asked whether it may. */
export async function moveOrder(
  write: Write,
  current: Loaded<Order, OrderColumns>,
  to: OrderStatus,
  details: StepDetails = {},
): Promise<Order> {
  const body = afterStep(current.body, to, write.at, details);
  const columns = await columnsOf(write, body, current, details.registerId ?? null);
  write.put(orders, { ...columns, body });
  write.emit(orderStates[to].event, body);
  return body;
}

/** Accepting keeps apart what there is to keep; what was kept stays on record. */
async function columnsOf(
  write: Write,
  body: Order,
  { device_id, reserved }: OrderColumns,
  registerId: string | null,
): Promise<OrderColumns> {
  if (body.status !== "accepted") return { device_id: device_id ?? null, reserved: reserved ?? null };
  return { device_id: registerId, reserved: JSON.stringify(await reservationOf(write, body)) };
}
