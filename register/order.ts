import { mayBecome, type OrderStatus } from "../src/business/orders/states.ts";
import type { CatalogProduct } from "./catalog.ts";
import type { Draft, Payment } from "./protocol.ts";
import type { Row } from "./store.ts";
import { freeLine, movesStock, type Ticket, type TicketLine } from "./ticket.ts";

/** An order from outside, as it travels down the feed. */
export interface Order {
  id: string;
  number: number;
  status: OrderStatus;
  source: string;
  customer_id: string | null;
  contact: { name: string; phone: string | null } | null;
  fulfilment: {
    type: "pickup" | "delivery" | "dine_in";
    address: string | null;
    notes: string | null;
    table: string | null;
  };
  due_at: string | null;
  promised_at: string | null;
  accept_by: string | null;
  expires_at: string | null;
  items: OrderItem[];
  delivery_fee: number;
  discount: number;
  tip: number;
  total: number;
  payment: { status: "paid" | "pending"; method: string | null; reference: string | null; amount: number } | null;
  notes: string | null;
  sale_id: string | null;
  register_id: string | null;
  rejected_reason: string | null;
  cancelled_reason: string | null;
  created_at: string;
  accepted_at: string | null;
  ready_at: string | null;
  completed_at: string | null;
  updated_at: string;
}

export interface OrderItem {
  product_id: string;
  variant_id: string | null;
  description: string;
  quantity: number;
  unit_price: number;
  discount: number;
  catalog_price: number;
  subtotal: number;
  tax_class: string;
  notes: string | null;
}

/** What this register did with an order, until the service has answered: it may be another one's by then. */
export interface OrderStep {
  order_id: string;
  number: number;
  status: "accepted" | "ready" | "rejected" | "completed";
  at: string;
  minutes?: number | null;
  reason?: string | null;
  sale_id?: string;
  /** How it had ended, where it was sold all the same. */
  despite?: OrderStatus;
}

/** An order as it stands here, with what this register did. */
export interface OrderView extends Order {
  /** The service has not answered what was done here. */
  isProvisional: boolean;
  /** Its time is over, although nobody has said so yet: no connection, or a moment ago. */
  isOver: boolean;
}

/** Something was done here and came too late, or an order ended without the ticket that was begun for it. */
export interface LostOrder {
  id: string;
  number: number;
  text: string;
  /** The ticket that its lines were on. */
  ticket_id?: string;
  /** Whoever ordered may stand here all the same. */
  canSell?: boolean;
}

const minuteMs = 60_000;

export const stepsRow = (steps: readonly OrderStep[]): Row => ({ table: "meta", key: "order_steps", value: steps });

export function stepDraft({ order_id, status, minutes, reason }: OrderStep): Draft {
  const data = { status, ...(minutes != null && { minutes }), ...(reason != null && { reason }) };
  return { type: "order", id: order_id, data };
}

/** The order with the steps of this register that may still come true. */
export function orderView(order: Order, steps: readonly OrderStep[], deviceId: string, now: Date): OrderView {
  let view: OrderView = { ...order, isProvisional: false, isOver: false };
  for (const step of steps) {
    if (step.order_id !== order.id || !mayBecome(view.status, step.status)) continue;
    view = { ...view, status: step.status, isProvisional: true, ...whenOf(step, deviceId) };
  }
  const isPast = (end: string | null) => end !== null && new Date(end) <= now;
  const isOpen = view.status === "placed" || view.status === "accepted" || view.status === "ready";
  const isOver = isOpen && (isPast(view.expires_at) || (view.status === "placed" && isPast(view.accept_by)));
  return isOver ? { ...view, isOver } : view;
}

function whenOf({ status, at, minutes, reason = null, sale_id }: OrderStep, deviceId: string): Partial<Order> {
  if (status === "accepted") {
    const promised = minutes == null ? null : new Date(Date.parse(at) + minutes * minuteMs).toISOString();
    return { accepted_at: at, promised_at: promised, register_id: deviceId };
  }
  if (status === "ready") return { ready_at: at };
  return status === "rejected" ? { rejected_reason: reason } : { completed_at: at, sale_id: sale_id ?? null };
}

/**
 * What is left to wait for of the steps with an order, now that it stands like this; and what came too late. The first that reaches the
 * service decides.
 */
export function settleSteps(
  order: Order,
  steps: readonly OrderStep[],
  deviceId: string,
): { left: OrderStep[]; lost: LostOrder | undefined } {
  const sold = steps.findLast(({ status }) => status === "completed");
  if (order.status === "completed" && sold && order.sale_id === sold.sale_id) return { left: [], lost: undefined };
  // Whoever sold it knew.
  if (sold?.despite === order.status) return { left: [], lost: undefined };
  const left = steps.filter(({ status }) => !isReached(order, status));
  const next = left[0];
  const isTaken = steps.some(({ status }) => status === "accepted") && isAnothers(order, deviceId);
  // Handing it over is what counts: whoever accepted it, it may still be sold here.
  if (!isTaken && (!next || mayBecome(order.status, next.status))) return { left, lost: undefined };
  const toSell = left.filter(({ status }) => status === "completed" && mayBecome(order.status, status));
  return { left: toSell, lost: { id: order.id, number: order.number, text: lostText(order, sold) } };
}

const chain: readonly OrderStatus[] = ["placed", "accepted", "ready", "completed"];

function isReached({ status }: Order, step: OrderStep["status"]): boolean {
  if (step === "completed") return false;
  if (step === "rejected") return status === "rejected";
  return chain.indexOf(status) >= chain.indexOf(step);
}

const isAnothers = ({ status, register_id }: Order, deviceId: string) =>
  status !== "placed" && register_id !== null && register_id !== deviceId;

function lostText(order: Order, sold: OrderStep | undefined): string {
  const sale = sold ? " Lo que se cobró aquí quedó como una venta más, y el dueño lo ve." : "";
  return `El pedido ${order.number} ${howItStands(order)}.${sale}`;
}

export function howItStands(order: Order): string {
  return {
    placed: "sigue como nuevo",
    accepted: "lo aceptó otra caja primero",
    ready: "lo tiene listo otra caja",
    completed: "ya lo entregó otra caja",
    rejected: `lo rechazaron en otra parte${because(order.rejected_reason)}`,
    cancelled: `lo cancelaron${because(order.cancelled_reason)}`,
    expired: "venció antes de que el servicio supiera de aquí",
  }[order.status];
}

const because = (reason: string | null) => (reason ? `: «${reason}»` : "");

/** How the service computes what it takes for bringing it. */
const deliveryClass = "service_19";

export interface Around {
  newId: () => string;
  productOf: (id: string) => CatalogProduct | undefined;
}

/** A ticket that sells what was ordered, at the prices that were agreed. */
export function ticketOfOrder(order: Order, ticket: Ticket, { newId, productOf }: Around): Ticket {
  const lines = order.items.map((item): TicketLine => {
    const product = productOf(item.product_id);
    return {
      id: newId(),
      product_id: item.product_id,
      variant_id: item.variant_id,
      description: item.description,
      quantity: item.quantity,
      price: item.unit_price - item.discount,
      discount_percent: 0,
      tax_class: item.tax_class,
      sold_by_weight: product?.sold_by_weight ?? false,
      has_stock: product !== undefined && item.variant_id === null && movesStock(product),
      includes_tax: true,
      quoted: item.quantity,
    };
  });
  const fee = { ...freeLine(newId(), "Domicilio", order.delivery_fee, deliveryClass), includes_tax: true, quoted: 1 };
  return {
    ...ticket,
    lines: order.delivery_fee > 0 ? [...lines, fee] : lines,
    discount: order.discount > 0 ? { pesos: order.discount } : null,
    tip: order.tip,
    customer_id: order.customer_id,
    table_label: order.fulfilment.table ?? `Pedido ${order.number}`,
    notes: order.notes,
    order_id: order.id,
    ...(paidPart(order) && { parts: [paidPart(order)!] }),
  };
}

/** What was paid before it came to the counter: it opens no drawer. */
export function paidPart({ payment, total }: Pick<Order, "payment" | "total">): Payment | undefined {
  if (payment?.status !== "paid" || payment.method === null) return undefined;
  const { method, reference, amount } = payment;
  const part = { payment_method: method, amount: Math.min(amount, total) };
  return part.amount > 0 ? { ...part, ...(reference && { reference }) } : undefined;
}

export const isPaid = (order: Pick<Order, "payment" | "total">) => paidPart(order)?.amount === order.total;

/** Whom it is for, as one calls it out. */
export function buyerOf({ contact, fulfilment }: Order): string {
  return contact?.name ?? (fulfilment.table ? `Mesa ${fulfilment.table.replace(/^mesa\s+/i, "")}` : "Sin nombre");
}

/** When it should be there: as promised, or else as it was asked for. */
export const wantedAt = ({ promised_at, due_at }: Order) => promised_at ?? due_at;

/** When it ends by itself; undefined for never. */
export function endsAt({ status, accept_by, expires_at }: Order): string | undefined {
  return [status === "placed" ? accept_by : null, expires_at].filter((end) => end !== null).sort()[0];
}
