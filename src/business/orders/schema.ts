import type { Static } from "typebox";
import {
  bound,
  constant,
  exactText,
  instant,
  LineTax,
  listQuery,
  nullable,
  oneOf,
  recordVersion,
  TaxTotal,
  uuid,
} from "../../engine/resources/fields.ts";
import { externalIdFilter, ownFields } from "../../engine/resources/own-fields.ts";
import { locationField, locationFilter } from "../../engine/resources/placed.ts";
import { Type } from "../../lib/schema.ts";
import { allMeans } from "../../taxes/means.ts";
import { documentTypes } from "../customers/schema.ts";
import { exampleOrder } from "./example.ts";
import { orderStatuses } from "./states.ts";

export const fulfilmentTypes = ["pickup", "delivery", "dine_in"] as const;
export const priceModes = ["current", "given"] as const;
export const paymentStates = ["paid", "pending"] as const;

export const OrderItem = Type.Object(
  {
    object: constant("order_item"),
    id: uuid(),
    product_id: uuid(),
    variant_id: nullable(uuid()),
    description: Type.String(),
    quantity: Type.Number({ description: "En unidades del producto: dos cajas de 24 son 48." }),
    unit_price: Type.Integer({
      description: "Precio de una unidad con los impuestos porcentuales, antes de `discount`.",
    }),
    discount: Type.Integer({ description: "Lo que se rebaja de cada unidad." }),
    catalog_price: Type.Integer({ description: "El precio de una unidad en el negocio cuando se hizo el pedido." }),
    price_differs: Type.Boolean({ description: "`true`: el precio dado no es el del negocio." }),
    subtotal: Type.Integer({ description: "Valor de la línea, impuestos incluidos." }),
    tax_class: Type.String(),
    taxes: Type.Array(LineTax),
    notes: nullable(Type.String()),
  },
  { $id: "order_item" },
);
export type OrderItem = Static<typeof OrderItem>;

export const OrderContact = Type.Object(
  {
    name: Type.String(),
    phone: nullable(Type.String()),
    email: nullable(Type.String()),
    document_type: nullable(oneOf(documentTypes)),
    document_number: nullable(Type.String()),
  },
  { $id: "order_contact" },
);
export type OrderContact = Static<typeof OrderContact>;

export const OrderFulfilment = Type.Object(
  {
    type: oneOf(fulfilmentTypes, {
      description: "`pickup`, lo recogen; `delivery`, se lleva; `dine_in`, en una mesa.",
    }),
    address: nullable(Type.String()),
    municipality: nullable(Type.String({ description: "Código DANE del municipio.", examples: ["05001"] })),
    notes: nullable(Type.String()),
    table: nullable(Type.String()),
  },
  { $id: "order_fulfilment" },
);
export type OrderFulfilment = Static<typeof OrderFulfilment>;

export const OrderPayment = Type.Object(
  {
    status: oneOf(paymentStates, { description: "`paid`, ya se pagó; `pending`, se paga al recibir." }),
    method: nullable(oneOf(allMeans)),
    reference: nullable(Type.String({ description: "El número con que lo conoce quien cobró." })),
    amount: Type.Integer(),
  },
  { $id: "order_payment" },
);
export type OrderPayment = Static<typeof OrderPayment>;

const lateInstant = (description: string) => nullable(instant({ description }));

/** What an order adds up to, as a register would charge it. */
export const orderAmounts = {
  delivery_fee: Type.Integer({ description: "Domicilio, impuestos incluidos; se vende como un servicio." }),
  subtotal: Type.Integer({ description: "Suma de las líneas y del domicilio, impuestos incluidos." }),
  discount: Type.Integer(),
  tax: Type.Integer(),
  tip: Type.Integer(),
  total: Type.Integer({ description: "`subtotal` − `discount` + `tip`." }),
  tax_breakdown: Type.Array(TaxTotal),
  price_differs: Type.Boolean({ description: "`true`: alguna línea tiene un precio que no es el del negocio." }),
};

export const Order = Type.Object(
  {
    object: constant("order"),
    id: uuid(),
    number: Type.Integer({ description: "Corto y propio de la cuenta: lo que la gente dice." }),
    status: oneOf(orderStatuses),
    source: Type.String({ description: "De dónde viene: lo que se envió, o el nombre de la clave." }),
    customer_id: nullable(uuid()),
    contact: nullable(OrderContact),
    fulfilment: OrderFulfilment,
    due_at: lateInstant("Para cuándo se pide."),
    promised_at: lateInstant("Para cuándo lo prometió quien lo aceptó."),
    accept_by: lateInstant("Si nadie lo aceptó hasta entonces, vence."),
    expires_at: lateInstant("Si no se entregó hasta entonces, vence."),
    prices: oneOf(priceModes),
    items: Type.Array(OrderItem),
    ...orderAmounts,
    payment: nullable(OrderPayment),
    notes: nullable(Type.String()),
    sale_id: nullable(uuid({ description: "La venta con que se entregó." })),
    extra_sale_ids: Type.Array(uuid(), {
      description: "Otras ventas que dijeron ser de este pedido; ninguna lo entregó.",
    }),
    register_id: nullable(uuid({ description: "La caja que lo aceptó; `null` si nadie o desde el portal." })),
    rejected_reason: nullable(Type.String()),
    cancelled_reason: nullable(Type.String()),
    accepted_at: nullable(instant()),
    ready_at: nullable(instant()),
    completed_at: nullable(instant()),
    rejected_at: nullable(instant()),
    cancelled_at: nullable(instant()),
    expired_at: nullable(instant()),
    ...ownFields,
    created_at: instant(),
    updated_at: instant(),
    version: recordVersion,
    ...locationField,
  },
  { $id: "order", examples: [exampleOrder] },
);
export type Order = Static<typeof Order>;

export const OrderQuery = listQuery({
  status: Type.Optional(oneOf(orderStatuses, { description: "Estado exacto." })),
  source: exactText(60, { description: "De esa fuente, en mayúsculas o minúsculas." }),
  ...externalIdFilter,
  customer_id: Type.Optional(uuid({ description: "Pedidos de ese cliente." })),
  due_since: bound("Pedidos para este instante o después."),
  due_until: bound("Pedidos para antes de este instante."),
  ...locationFilter,
});
export type OrderQuery = Static<typeof OrderQuery>;
