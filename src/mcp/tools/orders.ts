import type { Static } from "typebox";
import { maxOrderItems, maxReason, NewOrder } from "../../business/orders/new-order.ts";
import { isOpen, openStatuses, orderStatuses } from "../../business/orders/states.ts";
import { label, oneOf, uuid } from "../../engine/resources/fields.ts";
import { ApiError, validationError } from "../../lib/errors.ts";
import { Type } from "../../lib/schema.ts";
import type { Json } from "../api-calls.ts";
import { actOnce, confirmationField, makeOnce } from "../change.ts";
import { defineTool } from "../tool.ts";
import { defaultShown, limitField, pesos } from "./words.ts";

const Wanted = Type.Object(
  {
    status: Type.Optional(
      oneOf(orderStatuses, { description: "Solo los de este estado; por omisión, los que esperan." }),
    ),
    limit: limitField(),
  },
  { additionalProperties: false },
);

export const waitingOrders = defineTool({
  name: "waiting_orders",
  title: "Pedidos que esperan",
  description: "Los pedidos por aceptar, en preparación y listos, el que más espera primero; o los de un estado.",
  scopes: ["orders:read"],
  input: Wanted,
  async run({ status, limit = defaultShown }: Static<typeof Wanted>, { api, deps }) {
    const pages = await Promise.all(
      (status ? [status] : openStatuses).map((one) => api.get("/orders", { status: one, limit })),
    );
    const found = pages.flatMap(({ body }): Json[] => body.data);
    const sorted = found.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
    const shown = status ? sorted.reverse() : sorted;
    return {
      orders: shown.slice(0, limit).map((order) => shortOrder(order, deps.clock.now())),
      has_more: shown.length > limit || pages.some(({ body }) => body.has_more),
    };
  },
});

const One = Type.Object(
  {
    order_id: Type.Optional(uuid({ description: "El pedido; búsquelo con `waiting_orders`." })),
    external_id: Type.Optional(label(100, { description: "O su número en el sistema de donde viene." })),
  },
  { additionalProperties: false },
);

export const showOrder = defineTool({
  name: "show_order",
  title: "Ver un pedido",
  description: "Un pedido completo: qué lleva, quién lo espera, cómo se paga y en qué va.",
  scopes: ["orders:read"],
  input: One,
  async run({ order_id, external_id }: Static<typeof One>, { api }) {
    if ((order_id === undefined) === (external_id === undefined))
      throw validationError([{ param: "order_id", message: "Envíe `order_id` o `external_id`, uno de los dos." }]);
    if (order_id !== undefined) return { orders: [(await api.get(`/orders/${order_id}`)).body] };
    const { body } = await api.get("/orders", { external_id, limit: defaultShown });
    if (body.data.length === 0)
      throw new ApiError("NOT_FOUND", { param: "external_id", message: "No hay un pedido con ese número." });
    return { orders: body.data };
  },
});

const { metadata: _metadata, ...orderFields } = NewOrder.properties;
const New = Type.Object({ ...orderFields, confirmation: confirmationField }, { additionalProperties: false });
type New = Static<typeof New>;

export const createOrder = defineTool({
  name: "create_order",
  title: "Hacer un pedido",
  description: `Hace un pedido que la sede recibe en su caja; hasta ${maxOrderItems} líneas. La vista previa calcula el total, los impuestos y si alcanza.`,
  scopes: ["orders:write"],
  writes: { destroys: false },
  input: New,
  async run(input: New, context) {
    const { confirmation, ...body } = input;
    const { location_id, fulfilment, prices, items, delivery_fee, discount, tip } = body;
    const asked = { location_id, fulfilment, prices, items, delivery_fee, discount, tip };
    // Computed for whoever is asked; what was agreed to is made as it was said.
    const computed =
      confirmation === undefined ? (await context.api.post("/orders/preview", withoutGaps(asked), "unused")).body : {};
    const change = {
      ...{ tool: "create_order", input, action: "assistant.order_created" as const },
      preview: { summary: `Se haría un pedido ${wordsOf(body, computed)}.`, ...previewOf(computed) },
      details: (order: { id: string }) => ({ order_id: order.id }),
    };
    const result = await makeOnce(context, change, "/orders", body);
    return "preview" in result
      ? result.preview
      : { done: true, order: shortOrder(result.made, context.deps.clock.now()) };
  },
});

function wordsOf({ contact, fulfilment }: Json, { total = 0 }: Json): string {
  const how = { pickup: "para recoger", delivery: "a domicilio", dine_in: "en una mesa" } as Record<string, string>;
  return `${contact ? `de ${contact.name}, ` : ""}${how[fulfilment?.type ?? "pickup"]}, por ${pesos(total)}`;
}

function previewOf({ items = [], availability = [], object: _object, ...amounts }: Json): Record<string, unknown> {
  const lacking = availability.filter((one: Json) => !one.is_enough);
  const names = new Map(items.map((one: Json) => [one.product_id, one.name ?? one.description ?? one.product_id]));
  const warnings = [
    ...lacking.map(
      ({ product_id, requested, available }: Json) =>
        `No alcanza: se piden ${requested} de ${names.get(product_id)} y hay ${available}.`,
    ),
    ...(amounts.price_differs ? ["Los precios enviados no son los del negocio."] : []),
  ];
  return { items, ...amounts, ...(warnings.length > 0 && { warnings }) };
}

const Cancel = Type.Object(
  {
    order_id: uuid({ description: "El pedido; búsquelo con `waiting_orders`." }),
    reason: Type.Optional(label(maxReason, { description: "Por qué, como lo diría la persona." })),
    confirmation: confirmationField,
  },
  { additionalProperties: false },
);
type Cancel = Static<typeof Cancel>;

export const cancelOrder = defineTool({
  name: "cancel_order",
  title: "Cancelar un pedido",
  description: "Cancela un pedido que no se ha entregado. Lo apartado vuelve a estar libre; no se puede deshacer.",
  scopes: ["orders:read", "orders:write"],
  writes: { destroys: true },
  input: Cancel,
  async run(input: Cancel, context) {
    const { order_id, reason } = input;
    const now = context.deps.clock.now();
    const { body: order } = await context.api.get(`/orders/${order_id}`);
    const isPaid = order.payment?.status === "paid";
    const change = {
      ...{ tool: "cancel_order", input, action: "assistant.order_cancelled" as const },
      preview: {
        summary: `Se cancelaría el pedido ${order.number}, por ${pesos(order.total)}.`,
        order: shortOrder(order, now),
        ...(isPaid && { warnings: ["Ya está pagado: hay que devolver el dinero por fuera."] }),
      },
      details: () => ({ order_id }),
    };
    const result = await actOnce(context, change, {
      path: `/orders/${order_id}/cancel`,
      body: { ...(reason !== undefined && { reason }) },
      state: { status: order.status },
      done: order.status === "cancelled" ? order : undefined,
    });
    return "preview" in result ? result.preview : { done: true, order: shortOrder(result.made, now) };
  },
});

function withoutGaps(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** What it takes to recognize an order and say how it goes. */
function shortOrder(order: Json, now: Date): object {
  const { id, number, status, source, external_id, total, location_id, due_at, promised_at, accept_by } = order;
  const isWaiting = isOpen(status);
  return {
    ...{ id, number, status, source, external_id, total, location_id, due_at, promised_at, accept_by },
    contact: order.contact?.name ?? null,
    fulfilment: order.fulfilment?.type ?? null,
    payment: order.payment?.status ?? null,
    lines: order.items.length,
    ...(isWaiting && { waiting_minutes: Math.floor((now.getTime() - Date.parse(order.created_at)) / 60_000) }),
  };
}
