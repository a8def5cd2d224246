import type { Static } from "typebox";
import {
  constant,
  exactText,
  instant,
  listQuery,
  nullable,
  oneOf,
  recordVersion,
  searchQuery,
  TaxTotal,
  uuid,
} from "../../engine/resources/fields.ts";
import { externalIdFilter, ownFields } from "../../engine/resources/own-fields.ts";
import { locationField, locationFilter } from "../../engine/resources/placed.ts";
import { Type } from "../../lib/schema.ts";
import { examplePurchase } from "./example.ts";
import { purchaseStatuses, receiptKinds, spreads } from "./states.ts";

/** A day as an invoice has it. */
export const calendarDay = (options: object = {}) =>
  Type.String({
    pattern: "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$",
    "x-hints": { pattern: "Escriba la fecha como AAAA-MM-DD, por ejemplo 2026-11-30." },
    ...options,
  });

export const PurchaseTax = Type.Object(
  {
    code: Type.String(),
    rate: nullable(Type.Number()),
    amount: Type.Integer(),
    recoverable: Type.Boolean({
      description: "`true`: IVA que el negocio descuenta; no hace parte del costo. Lo demás sí.",
    }),
  },
  { $id: "purchase_tax" },
);
export type PurchaseTax = Static<typeof PurchaseTax>;

export const PurchaseLine = Type.Object(
  {
    object: constant("purchase_line"),
    id: uuid(),
    product_id: nullable(uuid({ description: "`null`: lo nombra la factura y nadie ha dicho qué producto es." })),
    variant_id: nullable(uuid()),
    supplier_code: nullable(Type.String({ description: "Cómo lo llama el proveedor." })),
    description: Type.String(),
    unit: Type.String({ description: "En qué se compra: «Caja x24», «Bulto de 50 kg»." }),
    factor: Type.Number({ description: "Unidades base del producto en una unidad de compra." }),
    quantity: Type.Number({ description: "En unidades de compra." }),
    unit_cost: Type.Number({ description: "Costo de una unidad de compra, sin impuestos y antes de `discount`." }),
    discount: Type.Integer({ description: "Pesos que se rebajan de toda la línea." }),
    taxes: Type.Array(PurchaseTax),
    weight: nullable(Type.Number({ description: "Kilos de toda la línea, para repartir por peso." })),
    subtotal: Type.Integer({ description: "Cantidad por costo menos descuento, sin impuestos." }),
    tax: Type.Integer(),
    total: Type.Integer({ description: "`subtotal` + `tax`." }),
    landed_unit_cost: Type.Number({
      description:
        "Costo de una unidad base puesta en el negocio: con su parte de fletes y sin el IVA que se descuenta.",
    }),
    received: Type.Number({ description: "Recibido, en unidades de compra, sin lo que se corrigió." }),
    returned: Type.Number({ description: "De lo recibido, lo que se devolvió al proveedor." }),
  },
  { $id: "purchase_line" },
);
export type PurchaseLine = Static<typeof PurchaseLine>;

export const PurchaseCharge = Type.Object(
  {
    object: constant("purchase_charge"),
    id: uuid(),
    description: Type.String(),
    amount: Type.Integer({ description: "Sin el IVA que se descuenta." }),
    tax: Type.Integer({ description: "IVA que se descuenta; no entra al costo." }),
    spread_by: oneOf(spreads, { description: "`value`, por valor; `quantity`, por unidades; `weight`, por peso." }),
    in_invoice: Type.Boolean({ description: "`false`: lo cobra otro, y no se le debe a este proveedor." }),
  },
  { $id: "purchase_charge" },
);
export type PurchaseCharge = Static<typeof PurchaseCharge>;

export const PurchaseReceiptLine = Type.Object(
  {
    line_id: uuid({ description: "La línea de la compra." }),
    product_id: uuid(),
    variant_id: nullable(uuid()),
    quantity: Type.Number({ description: "En unidades de compra." }),
    base_quantity: Type.Number({ description: "En unidades base del producto." }),
    unit_cost: Type.Number({ description: "Costo puesto por unidad base con que se movieron las existencias." }),
    movement_id: uuid({ description: "El movimiento de inventario." }),
  },
  { $id: "purchase_receipt_line" },
);
export type PurchaseReceiptLine = Static<typeof PurchaseReceiptLine>;

export const PurchaseReceipt = Type.Object(
  {
    object: constant("purchase_receipt"),
    id: uuid(),
    number: Type.Integer({ description: "1, 2, 3… dentro de la compra." }),
    kind: oneOf(receiptKinds, {
      description: "`receipt`, llegó; `return`, se devolvió al proveedor; `correction`, se había recibido mal.",
    }),
    corrects: nullable(uuid({ description: "La recepción que corrige." })),
    warehouse_id: uuid(),
    reference: nullable(Type.String({ description: "Remisión o guía con que llegó." })),
    notes: nullable(Type.String()),
    owed: Type.Integer({ description: "Lo que cambió lo que se le debe al proveedor." }),
    lines: Type.Array(PurchaseReceiptLine),
    created_at: instant(),
  },
  { $id: "purchase_receipt" },
);
export type PurchaseReceipt = Static<typeof PurchaseReceipt>;

const day = (description: string) => nullable(Type.String({ description, examples: ["2026-10-28"] }));
const moment = (description: string) => nullable(instant({ description }));

export const Purchase = Type.Object(
  {
    object: constant("purchase"),
    id: uuid(),
    number: Type.Integer({ description: "Corto y propio de la cuenta." }),
    status: oneOf(purchaseStatuses, {
      description:
        "`draft`, borrador; `ordered`, pedida; `partly_received` y `received`, según lo que llegó; `closed`, no se espera más; `cancelled`.",
    }),
    supplier_id: uuid(),
    supplier_name: Type.String({ description: "Cómo se llamaba el proveedor." }),
    warehouse_id: uuid({ description: "La bodega a la que llega, si la recepción no dice otra." }),
    invoice_number: nullable(Type.String({ description: "Número de la factura del proveedor." })),
    invoice_date: day("Fecha de la factura del proveedor."),
    due_date: day("Cuándo se paga; por omisión, la fecha de la factura o de la primera recepción más el plazo."),
    cufe: nullable(Type.String({ description: "CUFE de su factura electrónica, si de ella salió la compra." })),
    lines: Type.Array(PurchaseLine),
    charges: Type.Array(PurchaseCharge),
    subtotal: Type.Integer({ description: "Suma de las líneas, sin impuestos." }),
    discount: Type.Integer({ description: "Suma de los descuentos de las líneas." }),
    tax: Type.Integer({ description: "Impuestos de las líneas." }),
    tax_breakdown: Type.Array(TaxTotal),
    charges_total: Type.Integer({ description: "Fletes y demás cargos, con sus impuestos." }),
    rounding: Type.Integer({ description: "Ajuste al peso de la factura del proveedor." }),
    total: Type.Integer({
      description: "`subtotal` + `tax` + los cargos que cobra este proveedor + `rounding`.",
    }),
    owed: Type.Integer({ description: "Lo que se debe por lo recibido, sin lo devuelto." }),
    paid: Type.Integer({ description: "Lo que ya se pagó de eso." }),
    receipts: Type.Array(PurchaseReceipt),
    notes: nullable(Type.String()),
    cancelled_reason: nullable(Type.String()),
    ordered_at: moment("Cuándo se pidió."),
    received_at: moment("Cuándo llegó lo último."),
    closed_at: moment("Cuándo se cerró."),
    cancelled_at: moment("Cuándo se canceló."),
    ...ownFields,
    created_at: instant(),
    updated_at: instant(),
    version: recordVersion,
    ...locationField,
  },
  { $id: "purchase", examples: [examplePurchase] },
);
export type Purchase = Static<typeof Purchase>;

export const PurchaseQuery = listQuery({
  status: Type.Optional(oneOf(purchaseStatuses, { description: "Estado exacto." })),
  supplier_id: Type.Optional(uuid({ description: "Compras a ese proveedor." })),
  invoice_number: exactText(40, { description: "Número exacto de la factura del proveedor." }),
  ...externalIdFilter,
  q: searchQuery,
  ...locationFilter,
});
export type PurchaseQuery = Static<typeof PurchaseQuery>;
