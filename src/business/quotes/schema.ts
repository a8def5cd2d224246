import type { Static } from "typebox";
import {
  constant,
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

export const quoteStatuses = ["draft", "sent", "accepted", "rejected", "expired", "converted"] as const;

export const QuoteItem = Type.Object(
  {
    object: constant("quote_item"),
    id: uuid(),
    product_id: nullable(uuid()),
    variant_id: nullable(uuid()),
    item_kind: Type.String({ examples: ["product"] }),
    description: nullable(Type.String()),
    quantity: Type.Number(),
    unit_price: Type.Integer({ description: "Precio unitario con los impuestos porcentuales incluidos." }),
    subtotal: Type.Integer(),
    discount_percent: Type.Number(),
    tax_class: Type.String(),
    taxes: nullable(Type.Array(LineTax)),
  },
  { $id: "quote_item" },
);
export type QuoteItem = Static<typeof QuoteItem>;

const at = "2026-09-28T19:05:09.120Z";

export const Quote = Type.Object(
  {
    object: constant("quote"),
    id: uuid(),
    prefix: nullable(Type.String()),
    number: nullable(Type.Integer()),
    status: oneOf(quoteStatuses, {
      description: "Una cotización `draft` o `sent` cuyo `expires_at` pasó se lee como `expired`.",
    }),
    customer_id: nullable(uuid()),
    customer_name: nullable(Type.String()),
    subtotal: Type.Integer(),
    discount: Type.Integer(),
    discount_percent: Type.Number(),
    tax: Type.Integer(),
    total: Type.Integer(),
    tax_breakdown: nullable(Type.Array(TaxTotal)),
    notes: nullable(Type.String()),
    items: Type.Array(QuoteItem),
    sale_id: nullable(uuid({ description: "La venta en que se convirtió." })),
    issued_at: instant(),
    expires_at: nullable(instant()),
    sent_at: nullable(instant()),
    accepted_at: nullable(instant()),
    rejected_at: nullable(instant()),
    converted_at: nullable(instant()),
    ...ownFields,
    created_at: instant(),
    updated_at: instant(),
    version: recordVersion,
    ...locationField,
  },
  {
    $id: "quote",
    examples: [
      {
        object: "quote",
        id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c21",
        prefix: "COT",
        number: 7,
        status: "sent",
        customer_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c11",
        customer_name: "María Fernanda Gómez",
        subtotal: 6400,
        discount: 0,
        discount_percent: 0,
        tax: 1022,
        total: 6400,
        tax_breakdown: [{ code: "01", rate: 19, per_unit: null, base: 5378, amount: 1022 }],
        notes: null,
        items: [
          {
            object: "quote_item",
            id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c22",
            product_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c13",
            variant_id: null,
            item_kind: "product",
            description: "Gaseosa cola 400 ml",
            quantity: 2,
            unit_price: 3200,
            subtotal: 6400,
            discount_percent: 0,
            tax_class: "standard",
            taxes: [{ code: "01", name: "IVA", rate: 19, per_unit: null, base: 5378, amount: 1022 }],
          },
        ],
        sale_id: null,
        issued_at: at,
        expires_at: "2026-10-13T05:00:00.000Z",
        sent_at: at,
        accepted_at: null,
        rejected_at: null,
        converted_at: null,
        external_id: "CRM-77",
        metadata: { vendedor: "Ana" },
        created_at: at,
        updated_at: at,
        version: 1,
        location_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c51",
      },
    ],
  },
);
export type Quote = Static<typeof Quote>;

export const QuoteQuery = listQuery({
  status: Type.Optional(oneOf(quoteStatuses, { description: "Estado exacto, con el vencimiento ya aplicado." })),
  customer_id: Type.Optional(uuid({ description: "Cotizaciones de ese cliente." })),
  ...externalIdFilter,
  ...locationFilter,
});
export type QuoteQuery = Static<typeof QuoteQuery>;
