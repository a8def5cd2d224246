import { afterStep } from "../../../business/orders/move-order.ts";
import { maxReason } from "../../../business/orders/new-order.ts";
import { reservationOf } from "../../../business/orders/reservations.ts";
import { ordersCapability } from "../../../business/orders/resource.ts";
import { mayBecome, type OrderStatus, orderStates } from "../../../business/orders/states.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import { type Finding, finding } from "../../../fiscal/findings/finding.ts";
import { oneLine } from "../../../lib/one-line.ts";
import { applied, duplicate, type Outcome, refused } from "./outcome.ts";
import { fieldIn, type Incoming, idIn, type ReadResult } from "./read-record.ts";
import type { WorkingSet } from "./working-set.ts";

/** What a register does with an order. It completes one with a sale, and cancelling is for whoever ordered. */
const registerSteps: readonly OrderStatus[] = ["accepted", "rejected", "ready"];

const mostMinutes = 7 * 24 * 60;
/** A register that sells an order again and again is told of as often, and the order does not grow for ever. */
const mostExtraSales = 20;

/** The first register that says what becomes of an order decides it. Any other is told how the order stands. */
export function applyOrder(batch: WorkingSet, record: Incoming): Outcome {
  const { orders } = batch.recordSets;
  const to = registerSteps.find((step) => step === record.data.status);
  if (record.op === "delete" || to === undefined)
    return refused("ORDER_STEP_UNKNOWN", `una caja acepta, rechaza o alista un pedido: ${registerSteps.join(", ")}`);
  const order = orders.get(record.id);
  if (!order) return refused("ORDER_UNKNOWN", "no hay un pedido con este id en la cuenta");
  if (order.body.status === to && (to !== "accepted" || order.device_id === batch.deviceId)) return duplicate;
  if (!mayBecome(order.body.status, to)) return { status: "merged", record: order.body };
  const minutes = fieldIn<number | null>(record.data, "minutes", null);
  const body = afterStep(order.body, to, batch.write.at, {
    reason: reasonIn(record),
    minutes: minutes === null ? null : Math.max(0, Math.min(mostMinutes, minutes)),
    registerId: batch.deviceId,
  });
  orders.set({ ...order, ...(to === "accepted" && { device_id: batch.deviceId }), body });
  if (to === "accepted") batch.acceptedOrders.add(body.id);
  batch.events.push({ type: orderStates[to].event, body });
  return applied;
}

function reasonIn({ data }: Incoming): string | null {
  return oneLine(fieldIn<string | null>(data, "reason", null) ?? "").slice(0, maxReason) || null;
}

/** Keeps apart what the orders of this push need that were accepted in it. Before the working set is closed. */
export async function reserveForAccepted({ acceptedOrders, recordSets: { orders }, write }: WorkingSet): Promise<void> {
  for (const id of acceptedOrders) {
    const order = orders.get(id);
    if (order) orders.set({ ...order, reserved: JSON.stringify(await reservationOf(write, order.body)) });
  }
}

/** The order that a sale names, from a register that knows of orders. */
export function orderOf({ capabilities }: Pick<WorkingSet, "capabilities">, { data }: Incoming): string | null {
  return capabilities?.includes(ordersCapability) ? idIn(data, "order_id") : null;
}

/**
 * A charged sale completes its order. Only one does: a second one, or one of an order that has ended otherwise, is a sale like any
 * other, and the owner is told what it says it is of.
 */
export function completeOrder(batch: WorkingSet, record: Incoming, sale: Sale): Finding[] {
  const orderId = orderOf(batch, record);
  if (orderId === null || sale.status !== "completed") return [];
  const { orders } = batch.recordSets;
  const order = orders.get(orderId);
  if (!order)
    return [finding("order_id", null, orderId, "No hay un pedido con este id: la venta vale como cualquiera.")];
  if (order.body.sale_id === sale.id) return [];
  if (mayBecome(order.body.status, "completed")) {
    const body = afterStep(order.body, "completed", batch.write.at, { saleId: sale.id });
    orders.set({ ...order, body });
    batch.events.push({ type: orderStates.completed.event, body });
    return [];
  }
  const { number, status, extra_sale_ids } = order.body;
  if (!extra_sale_ids.includes(sale.id) && extra_sale_ids.length < mostExtraSales)
    orders.set({
      ...order,
      body: { ...order.body, extra_sale_ids: [...extra_sale_ids, sale.id], updated_at: batch.at },
    });
  const how = orderStates[status].spanish.toLowerCase();
  return [finding("order_id", how, orderId, `El pedido ${number} ya estaba ${how}: la venta vale como cualquiera.`)];
}

/** What whoever ordered keeps on the order goes on with its sale, unless the register says something else. */
export function withFieldsOfOrder(batch: WorkingSet, read: ReadResult): ReadResult {
  const { readable } = read;
  const id = readable?.type === "sale" ? orderOf(batch, readable) : null;
  const order = id === null ? undefined : batch.recordSets.orders.get(id)?.body;
  if (!readable || !order) return read;
  const isIts = order.sale_id === readable.id || mayBecome(order.status, "completed");
  if (!isIts) return read;
  const { external_id = order.external_id, metadata } = readable.data as {
    external_id?: string | null;
    metadata?: object;
  };
  const own = {
    ...(external_id !== undefined && { external_id }),
    ...(order.metadata && metadata !== null && { metadata: { ...order.metadata, ...metadata } }),
  };
  return { ...read, readable: { ...readable, data: { ...readable.data, ...own } } };
}
