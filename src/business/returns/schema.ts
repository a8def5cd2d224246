import type { Static } from "typebox";
import {
  bound,
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
import { locationField, locationFilter } from "../../engine/resources/placed.ts";
import { Type } from "../../lib/schema.ts";

export const returnKinds = ["partial", "full"] as const;

export const ReturnLine = Type.Object(
  {
    object: constant("return_line"),
    item_id: uuid({ description: "La línea de la venta." }),
    product_id: nullable(uuid()),
    variant_id: nullable(uuid()),
    description: nullable(Type.String()),
    quantity: Type.Number({ description: "Cantidad devuelta." }),
    unit_price: Type.Integer({ description: "Precio unitario con los impuestos porcentuales incluidos." }),
    subtotal: Type.Integer({ description: "Valor devuelto de la línea, impuestos incluidos, antes del descuento." }),
    discount: Type.Integer({ description: "Parte del descuento de la venta que le toca a lo devuelto." }),
    total: Type.Integer({ description: "`subtotal` − `discount`." }),
    tax_class: Type.String(),
    taxes: nullable(
      Type.Array(LineTax, {
        description: "La parte devuelta de los impuestos de la línea; `null` si no se conocen.",
      }),
    ),
  },
  { $id: "return_line" },
);
export type ReturnLine = Static<typeof ReturnLine>;

const at = "2026-09-28T21:40:12.300Z";

export const Return = Type.Object(
  {
    object: constant("return"),
    id: uuid(),
    sale_id: uuid({ description: "La venta de la que se devuelve." }),
    kind: oneOf(returnKinds, {
      description: "`full`, toda la venta de una vez; `partial`, una parte o lo que quedaba.",
    }),
    reason: nullable(Type.String()),
    payment_method: Type.String({
      examples: ["CASH"],
      description: "Medio con que se devolvió el dinero, por ejemplo `CASH`.",
    }),
    cash_session_id: nullable(uuid({ description: "El turno de cuya caja salió el efectivo." })),
    invoice_id: nullable(
      uuid({
        description: "La nota, que está en `/invoices`; `null` mientras el documento de la venta no esté emitido.",
      }),
    ),
    subtotal: Type.Integer({ description: "Suma de las líneas devueltas, impuestos incluidos." }),
    discount: Type.Integer({ description: "Parte del descuento de la venta." }),
    tax: Type.Integer({ description: "Parte de lo devuelto que es impuesto." }),
    tip_amount: Type.Integer({ description: "Propina; solo se devuelve con la venta completa." }),
    total: Type.Integer({ description: "Dinero devuelto: `subtotal` − `discount` + `tip_amount`." }),
    tax_breakdown: nullable(Type.Array(TaxTotal)),
    lines: Type.Array(ReturnLine, { description: "Las líneas devueltas." }),
    occurred_at: instant({ description: "Cuándo se hizo, según el reloj de la caja." }),
    created_at: instant({ description: "Cuándo llegó al servidor." }),
    updated_at: instant(),
    version: recordVersion,
    ...locationField,
  },
  {
    $id: "return",
    examples: [
      {
        object: "return",
        id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c30",
        sale_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c16",
        kind: "partial",
        reason: "Venía golpeada",
        payment_method: "CASH",
        cash_session_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c19",
        invoice_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c31",
        subtotal: 3200,
        discount: 0,
        tax: 511,
        tip_amount: 0,
        total: 3200,
        tax_breakdown: [{ code: "01", rate: 19, per_unit: null, base: 2689, amount: 511 }],
        lines: [
          {
            object: "return_line",
            item_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c17",
            product_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c13",
            variant_id: null,
            description: "Gaseosa cola 400 ml",
            quantity: 1,
            unit_price: 3200,
            subtotal: 3200,
            discount: 0,
            total: 3200,
            tax_class: "standard",
            taxes: [{ code: "01", name: "IVA", rate: 19, per_unit: null, base: 2689, amount: 511 }],
          },
        ],
        occurred_at: at,
        created_at: at,
        updated_at: at,
        version: 1,
        location_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c51",
      },
    ],
  },
);
export type Return = Static<typeof Return>;

export const ReturnQuery = listQuery({
  sale_id: Type.Optional(uuid({ description: "Devoluciones de esa venta." })),
  cash_session_id: Type.Optional(uuid({ description: "Devoluciones pagadas de ese turno de caja." })),
  occurred_since: bound("Hechas desde este instante, inclusive."),
  occurred_until: bound("Hechas antes de este instante."),
  ...locationFilter,
});
export type ReturnQuery = Static<typeof ReturnQuery>;
