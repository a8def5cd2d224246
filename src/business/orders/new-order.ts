import type { Static } from "typebox";
import { instant, label, line, nullable, oneOf, optional, price, text, uuid } from "../../engine/resources/fields.ts";
import { newOwnFields, ownFieldChanges } from "../../engine/resources/own-fields.ts";
import { Type } from "../../lib/schema.ts";
import { allMeans } from "../../taxes/means.ts";
import { documentTypes } from "../customers/schema.ts";
import { fulfilmentTypes, paymentStates, priceModes } from "./schema.ts";

export const maxOrderItems = 200;
export const maxReason = 200;

const NewItem = Type.Object(
  {
    product_id: optional(uuid({ description: "El producto; o su `sku`, o su `barcode`." })),
    sku: optional(line(100, { description: "SKU del producto o de una de sus variantes." })),
    barcode: optional(line(48, { description: "Cualquiera de sus códigos; el de una caja de 24 pide cajas." })),
    variant_id: optional(uuid({ description: "La variante, si el producto las tiene." })),
    quantity: Type.Number({
      exclusiveMinimum: 0,
      maximum: 999_999,
      description: "Con hasta tres decimales si se vende por peso.",
    }),
    unit_price: optional(
      price({
        description:
          'Con `prices: "given"`: lo acordado por unidad, impuestos incluidos; sin él, el precio del negocio.',
      }),
    ),
    discount: optional(price({ description: "Pesos que se rebajan de cada unidad." })),
    notes: optional(text(200)),
  },
  { additionalProperties: false },
);
export type NewItem = Static<typeof NewItem>;

const Items = Type.Array(NewItem, { minItems: 1, maxItems: maxOrderItems });

const NewContact = Type.Object(
  {
    name: label(120),
    phone: optional(line(30)),
    email: optional(text(200, { format: "email", description: "Correo electrónico." })),
    document_type: optional(oneOf(documentTypes)),
    document_number: optional(line(30)),
  },
  { additionalProperties: false },
);
export type NewContact = Static<typeof NewContact>;

const NewFulfilment = Type.Object(
  {
    type: oneOf(fulfilmentTypes, {
      description: "`pickup`, lo recogen; `delivery`, se lleva; `dine_in`, en una mesa.",
    }),
    address: optional(line(200, { description: "Obligatoria con `delivery`." })),
    municipality: optional(
      Type.String({
        pattern: "^[0-9]{5}$",
        description: "Código DANE del municipio.",
        "x-hints": { pattern: "El código del municipio tiene 5 números: 11001 es Bogotá." },
      }),
    ),
    notes: optional(text(300)),
    table: optional(line(60)),
  },
  { additionalProperties: false },
);
export type NewFulfilment = Static<typeof NewFulfilment>;

const NewPayment = Type.Object(
  {
    status: oneOf(paymentStates),
    method: optional(oneOf(allMeans, { description: "Obligatorio con `paid`: con él queda en el turno." })),
    reference: optional(line(40)),
    amount: optional(
      price({ description: "Por omisión, el total del pedido; si es menos, la caja cobra lo que falta." }),
    ),
  },
  { additionalProperties: false },
);
export type NewPayment = Static<typeof NewPayment>;

/** What an order is computed from. */
const computed = {
  location_id: optional(uuid({ description: "La sede; por omisión, la del municipio del domicilio o la primera." })),
  fulfilment: optional(NewFulfilment),
  prices: optional(
    oneOf(priceModes, {
      description: "`current` (por omisión), los del negocio; `given`, los acordados en otra parte.",
    }),
  ),
  items: Items,
  delivery_fee: optional(price({ description: "Domicilio, impuestos incluidos." })),
  discount: optional(price({ description: "Rebaja de todo el pedido, en pesos." })),
  tip: optional(price()),
};

export const OrderPreviewBody = Type.Object(computed, {
  $id: "new_order_preview",
  additionalProperties: false,
  examples: [{ items: [{ sku: "7702535011089", quantity: 2 }], fulfilment: { type: "pickup" } }],
});
export type OrderPreviewBody = Static<typeof OrderPreviewBody>;

export const NewOrder = Type.Object(
  {
    ...computed,
    source: optional(
      line(60, {
        description:
          "De dónde viene; por omisión, el nombre de la clave. Mayúsculas y espacios alrededor no la hacen otra.",
      }),
    ),
    customer_id: optional(uuid()),
    contact: optional(NewContact),
    due_at: optional(instant({ description: "Para cuándo se pide." })),
    accept_by: optional(instant({ description: "Vence si nadie lo aceptó hasta entonces." })),
    expires_at: optional(instant({ description: "Vence si no se entregó hasta entonces." })),
    payment: optional(NewPayment),
    notes: optional(text(1000)),
    ...newOwnFields,
    external_id: optional(
      line(100, {
        description: "Su número en el otro sistema: con la misma fuente y el mismo número se responde el primero.",
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [
      {
        external_id: "WC-10842",
        contact: { name: "María Fernanda Gómez", phone: "300 123 4567" },
        fulfilment: { type: "pickup" },
        items: [{ sku: "7702535011089", quantity: 2, notes: "Bien fría" }],
        payment: { status: "pending" },
      },
    ],
  },
);
export type NewOrder = Static<typeof NewOrder>;

export const OrderChanges = Type.Object(
  {
    items: Type.Optional(Items),
    delivery_fee: Type.Optional(price({ description: "Domicilio, impuestos incluidos." })),
    discount: Type.Optional(price()),
    tip: Type.Optional(price()),
    contact: Type.Optional(Type.Unsafe<NewContact | null>({ ...NewContact, type: ["object", "null"] })),
    due_at: Type.Optional(nullable(instant())),
    notes: Type.Optional(nullable(text(1000))),
    payment: Type.Optional(NewPayment),
    metadata: ownFieldChanges.metadata,
  },
  { additionalProperties: false, minProperties: 1, examples: [{ notes: "Timbrar dos veces" }] },
);
export type OrderChanges = Static<typeof OrderChanges>;

export const CancelOrder = Type.Object(
  { reason: optional(line(maxReason, { description: "Por qué; lo lee quien atiende." })) },
  { $id: "new_order_cancel", additionalProperties: false, examples: [{ reason: "El cliente se arrepintió" }] },
);
export type CancelOrder = Static<typeof CancelOrder>;
