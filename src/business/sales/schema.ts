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
import { InvoiceSummary } from "../invoices/schema.ts";

export const documentKinds = ["pos", "invoice"] as const;

export const SaleItem = Type.Object(
  {
    object: constant("sale_item"),
    id: uuid(),
    product_id: nullable(uuid()),
    variant_id: nullable(uuid()),
    item_kind: Type.String({ description: "`product` o una línea libre.", examples: ["product"] }),
    description: nullable(Type.String()),
    quantity: Type.Number({ description: "Puede tener decimales en ventas por peso." }),
    unit_price: Type.Integer({ description: "Precio unitario con los impuestos porcentuales incluidos." }),
    subtotal: Type.Integer({ description: "Total de la línea, impuestos incluidos." }),
    unit_cost: nullable(Type.Number()),
    tax_class: Type.String(),
    taxes: nullable(Type.Array(LineTax)),
  },
  { $id: "sale_item" },
);
export type SaleItem = Static<typeof SaleItem>;

const at = "2026-09-28T19:05:09.120Z";
const saleId = "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c16";

export const Sale = Type.Object(
  {
    object: constant("sale"),
    id: uuid(),
    status: Type.String({
      description: "Estado como lo registró la caja: `completed`, `cancelled`, `open`, `pending` u otro.",
      examples: ["completed"],
    }),
    document_kind: oneOf(documentKinds),
    payment_method: Type.String({ examples: ["CASH"] }),
    customer_id: nullable(uuid()),
    cash_session_id: nullable(uuid()),
    subtotal: Type.Integer({ description: "Suma de las líneas, impuestos incluidos." }),
    discount: Type.Integer(),
    discount_percent: Type.Number(),
    tax: Type.Integer({ description: "Parte del total que es impuesto." }),
    tip_amount: Type.Integer({ description: "Propina; nunca es base de impuestos." }),
    total: Type.Integer({ description: "`subtotal` − `discount` + `tip_amount`." }),
    tax_breakdown: nullable(Type.Array(TaxTotal)),
    notes: nullable(Type.String()),
    table_label: nullable(Type.String()),
    items: Type.Array(SaleItem),
    invoices: Type.Array(InvoiceSummary),
    ...ownFields,
    occurred_at: instant({ description: "Cuándo la registró la caja, según su reloj." }),
    created_at: instant({ description: "Cuándo llegó al servidor." }),
    updated_at: instant(),
    version: recordVersion,
    ...locationField,
  },
  {
    $id: "sale",
    examples: [
      {
        object: "sale",
        id: saleId,
        status: "completed",
        document_kind: "pos",
        payment_method: "CASH",
        customer_id: null,
        cash_session_id: null,
        subtotal: 6400,
        discount: 0,
        discount_percent: 0,
        tax: 1022,
        tip_amount: 0,
        total: 6400,
        tax_breakdown: [{ code: "01", rate: 19, per_unit: null, base: 5378, amount: 1022 }],
        notes: null,
        table_label: null,
        items: [
          {
            object: "sale_item",
            id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c17",
            product_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c13",
            variant_id: null,
            item_kind: "product",
            description: "Gaseosa cola 400 ml",
            quantity: 2,
            unit_price: 3200,
            subtotal: 6400,
            unit_cost: 2100,
            tax_class: "standard",
            taxes: [{ code: "01", name: "IVA", rate: 19, per_unit: null, base: 5378, amount: 1022 }],
          },
        ],
        invoices: [],
        external_id: "WEB-2045",
        metadata: { canal: "tienda" },
        occurred_at: at,
        created_at: at,
        updated_at: at,
        version: 1,
        location_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c51",
      },
    ],
  },
);
export type Sale = Static<typeof Sale>;

export const SaleQuery = listQuery({
  status: exactText(40, { description: "Estado exacto, por ejemplo `completed`." }),
  document_kind: Type.Optional(oneOf(documentKinds)),
  customer_id: Type.Optional(uuid({ description: "Ventas de ese cliente." })),
  cash_session_id: Type.Optional(uuid({ description: "Ventas de ese turno de caja." })),
  ...externalIdFilter,
  occurred_since: bound("Registradas en la caja desde este instante, inclusive."),
  occurred_until: bound("Registradas en la caja antes de este instante."),
  ...locationFilter,
});
export type SaleQuery = Static<typeof SaleQuery>;
