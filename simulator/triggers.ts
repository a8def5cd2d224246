import { randomUUID } from "node:crypto";
import type { CatalogProduct } from "../register/catalog.ts";
import { charge } from "../register/charge.ts";
import { type Order, type OrderStep, stepDraft, ticketOfOrder } from "../register/order.ts";
import { saleData } from "../register/sale.ts";
import { newTicket, totalsOf } from "../register/ticket.ts";
import type { Chance } from "./chance.ts";
import type { Draft, Register } from "./register.ts";
import { movement, profile, sell } from "./sell.ts";

/** The uploads that cause an event, batch after batch, and the record that the event is about. */
export interface Trigger {
  batches: Draft[][];
  /** Undefined when the service itself creates the record, as it does with documents. */
  recordId: string | undefined;
}

/** Always the simplest sale: one line, one unit, no discount, no tip. */
const noChance: Chance = { between: (least) => least, pick: (items) => items[0]!, happens: () => false };

/** The simulated authority rejects totals that end in 13 and accepts round ones. */
const rejectedPrice = 10_013;
const acceptedPrice = 10_000;

/** Events that only a register can cause, by type. */
export const triggers = {
  "sale.created": (register, at) => saleWith(register, at, ["open"]),
  "sale.updated": (register, at) => saleWith(register, at, ["open", "pending"]),
  "sale.completed": (register, at) => saleWith(register, at, ["completed"]),
  "sale.cancelled": (register, at) => saleWith(register, at, ["completed", "cancelled"]),
  "invoice.issued": (register, at) => ({
    ...saleWith(register, at, ["completed"], acceptedPrice),
    recordId: undefined,
  }),
  "invoice.rejected": (register, at) => ({
    ...saleWith(register, at, ["completed"], rejectedPrice),
    recordId: undefined,
  }),
  "cash_session.closed": (register, at) => closedShift(register, at),
  "product.deleted": () => deleted("product", { name: "Producto de prueba", base_price: acceptedPrice }),
  "customer.deleted": () => deleted("customer", { name: "Cliente de prueba" }),
  "return.created": returned,
  "quote.created": (_register, at) => quoteWith(at, ["draft"]),
  "quote.updated": (_register, at) => quoteWith(at, ["draft", "sent"]),
} satisfies Record<string, (register: Register, at: Date) => Trigger>;

/** A sale that goes through these states, each uploaded separately. */
function saleWith(register: Register, at: Date, states: readonly string[], price?: number): Trigger {
  const product = register.catalog.products()[0];
  if (!product)
    throw new Error("La cuenta no tiene productos a la venta. Cree uno con: npx mostrador trigger product.created");
  const priced: CatalogProduct = {
    ...product,
    ...(price !== undefined && { base_price: price, final_price: price, percent_discount: 0 }),
    variants: [],
    sold_by_weight: false,
  };
  const warehouse = register.catalog.all("warehouse").find((one) => one.is_default);
  const counter = { products: [priced], customerIds: [], cashSessionId: null, chance: noChance };
  const { id, data, movements } = sell({ ...counter, warehouseId: (warehouse?.id ?? null) as string | null }, at);
  const batches = states.map((status): Draft[] => {
    const sale: Draft = { type: "sale", id, data: { ...data, status } };
    return status === "completed" ? [sale, ...movements] : [sale];
  });
  return { batches, recordId: id };
}

function closedShift(register: Register, at: Date): Trigger {
  const id = randomUUID();
  const open = {
    status: "open",
    register_name: register.name,
    opened_at: at.toISOString(),
    closed_at: null,
    opening_amount: 100_000,
    expected_amount: 100_000,
    counted_amount: null,
    movements: [],
  };
  const closed = { ...open, status: "closed", closed_at: at.toISOString(), counted_amount: 100_000 };
  return { batches: [open, closed].map((data): Draft[] => [{ type: "cash_session", id, data }]), recordId: id };
}

/** What a register does with an order that was just placed, each step uploaded separately. */
export const orderSteps = {
  "order.accepted": ["accepted"],
  "order.ready": ["accepted", "ready"],
  "order.rejected": ["rejected"],
  "order.completed": ["accepted", "completed"],
} satisfies Record<string, readonly string[]>;

export function orderTrigger(register: Register, at: Date, id: string, steps: readonly string[]): Trigger {
  const batches = steps.map((status): Draft[] => {
    const step = { order_id: id, number: 0, status: status as OrderStep["status"], at: at.toISOString() };
    return status === "completed"
      ? saleOfOrder(register, at, id)
      : [stepDraft({ ...step, minutes: 15, reason: "Prueba" })];
  });
  return { batches, recordId: id };
}

/** What was ordered, at what was agreed, and what was not paid before in cash: as at the counter. */
function saleOfOrder({ catalog }: Register, at: Date, id: string): Draft[] {
  const order = catalog.get("order", id) as Order | undefined;
  if (!order) throw new Error("El pedido es de otra sede que la caja de pruebas. Vincúlela en la primera sede.");
  const productOf = (id: string) => catalog.get("product", id);
  const ticket = ticketOfOrder(order, newTicket(randomUUID(), at), { newId: randomUUID, productOf });
  const totals = totalsOf(ticket, profile, at);
  const parts = ticket.parts ?? [];
  const rest = totals.total - parts.reduce((sum, { amount }) => sum + amount, 0);
  const cash = rest > 0 ? [{ payment_method: "CASH", amount: rest }] : [];
  const paid = charge(totals.total, [...parts, ...cash], { rounding: 0 });
  if ("problem" in paid) throw new Error(`The order cannot be charged: ${paid.problem}`);
  const sale: Draft = {
    type: "sale",
    id: ticket.id,
    data: { ...saleData(ticket, totals, paid.charge, { at, shiftId: null }) },
  };
  const warehouse = catalog.all("warehouse").find((one) => one.is_default);
  const house = (warehouse?.id ?? null) as string | null;
  const moved = ticket.lines.filter(({ has_stock }) => has_stock);
  return [sale, ...moved.map(({ product_id, quantity }) => movement(product_id!, house, "sale", quantity, ticket.id))];
}

/** One of its own is created and deleted: nothing that anybody sells or knows disappears. */
function deleted(type: "product" | "customer", data: object): Trigger {
  const id = randomUUID();
  return { batches: [[{ type, id, data }], [{ type, id, data: {}, op: "delete" }]], recordId: id };
}

function returned(register: Register, at: Date): Trigger {
  const sold = saleWith(register, at, ["completed"]);
  const [sale] = sold.batches.flat();
  const { items, total } = sale!.data as { items: { id: string; quantity: number }[]; total: number };
  const id = randomUUID();
  const data = {
    sale_id: sold.recordId,
    lines: items.map((item) => ({ item_id: item.id, quantity: item.quantity })),
    payment_method: "CASH",
    cash_session_id: null,
    reason: "Prueba",
    total,
    occurred_at: at.toISOString(),
  };
  return { batches: [...sold.batches, [{ type: "return", id, data }]], recordId: id };
}

/** A quote that goes through these states, each uploaded separately. */
function quoteWith(at: Date, states: readonly string[]): Trigger {
  const id = randomUUID();
  const item = { id: randomUUID(), product_id: null, variant_id: null, item_kind: "product", discount_percent: 0 };
  const line = { ...item, description: "Producto de prueba", quantity: 1, tax_class: "excluded", taxes: null };
  const amounts = { subtotal: acceptedPrice, discount: 0, discount_percent: 0, tax: 0, total: acceptedPrice };
  const document = {
    ...{ prefix: "COT", number: null, customer_id: null, customer_name: null, notes: null, expires_at: null },
    ...{ ...amounts, tax_breakdown: null, issued_at: at.toISOString() },
    items: [{ ...line, unit_price: acceptedPrice, subtotal: acceptedPrice }],
  };
  const sent = (status: string) => (status === "sent" ? at.toISOString() : null);
  const batches = states.map((status): Draft[] => [
    { type: "quote", id, data: { ...document, status, sent_at: sent(status) } },
  ]);
  return { batches, recordId: id };
}
