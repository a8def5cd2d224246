import type { Static } from "typebox";
import { label, line, nullable, oneOf, optional, price, text, uuid } from "../../engine/resources/fields.ts";
import { newOwnFields, ownFieldChanges } from "../../engine/resources/own-fields.ts";
import { Type } from "../../lib/schema.ts";
import { calendarDay } from "./schema.ts";
import { purchaseDecisions, receiptKinds, spreads } from "./states.ts";

export const maxLines = 500;
export const maxCharges = 20;
const maxTaxes = 5;
export const maxReceipts = 100;
export const maxInvoiceNumber = 40;
const maxReason = 200;
const maxQuantity = 999_999;

const amountOf = (description: string, options: object = {}) =>
  Type.Number({ minimum: 0, maximum: 999_999_999_999, description, ...options });

const NewTax = Type.Object(
  {
    code: oneOf(["01", "04", "22", "34", "35"], {
      description: "`01` IVA, `04` INC, `22` bolsas, `34` bebidas azucaradas, `35` ultraprocesados.",
    }),
    rate: optional(
      Type.Number({ minimum: 0, maximum: 100, "x-max-decimals": 4, description: "Tarifa en porcentaje." }),
    ),
    amount: optional(price({ description: "Pesos de toda la línea, si la factura los dice; por omisión, la tarifa." })),
  },
  { additionalProperties: false },
);

const NewLine = Type.Object(
  {
    product_id: optional(uuid({ description: "El producto; o su `sku`, su `barcode` o su `supplier_code`." })),
    sku: optional(line(100, { description: "SKU del producto." })),
    barcode: optional(line(48, { description: "Cualquiera de sus códigos; el de una caja de 24 compra cajas." })),
    supplier_code: optional(
      line(100, { description: "Cómo lo llama el proveedor; solo, nombra lo que ya se le compró con él." }),
    ),
    description: optional(line(300, { description: "Por omisión, el nombre del producto." })),
    unit: optional(line(60, { description: "En qué se compra, por ejemplo «Caja x24»; por omisión, la unidad base." })),
    factor: optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 100_000,
        "x-max-decimals": 3,
        description: "Unidades base en una unidad de compra; por omisión 1, o las del código o la última compra.",
      }),
    ),
    quantity: Type.Number({
      exclusiveMinimum: 0,
      maximum: maxQuantity,
      "x-max-decimals": 3,
      description: "En unidades de compra.",
    }),
    unit_cost: amountOf("Costo de una unidad de compra, sin impuestos. Hasta 6 decimales.", { "x-max-decimals": 6 }),
    discount: optional(price({ description: "Pesos que se rebajan de toda la línea; por omisión, 0." })),
    taxes: optional(Type.Array(NewTax, { maxItems: maxTaxes, description: "Por omisión, ninguno." })),
    weight: optional(amountOf("Kilos de toda la línea, para repartir por peso.", { "x-max-decimals": 3 })),
  },
  { additionalProperties: false },
);
export type NewLine = Static<typeof NewLine>;

const NewCharge = Type.Object(
  {
    description: label(120, { description: "«Flete», «Seguro»." }),
    amount: price({ description: "Sin el IVA que se descuenta." }),
    tax: optional(price({ description: "IVA que se descuenta; por omisión, 0." })),
    spread_by: optional(
      oneOf(spreads, {
        description: "`value`, por valor (por omisión); `quantity`, por unidades; `weight`, por el peso de las líneas.",
      }),
    ),
    in_invoice: optional(
      Type.Boolean({ description: "`false`: lo cobra otro, y no se le debe a este proveedor. Por omisión, `true`." }),
    ),
  },
  { additionalProperties: false },
);
export type NewCharge = Static<typeof NewCharge>;

const Lines = Type.Array(NewLine, { minItems: 1, maxItems: maxLines });
const Charges = Type.Array(NewCharge, { maxItems: maxCharges });

const invoiceNumber = line(maxInvoiceNumber, {
  description: "Número de la factura del proveedor; uno por proveedor.",
});
const invoiceDate = calendarDay({ description: "Fecha de la factura del proveedor." });
const dueDate = calendarDay({
  description: "Cuándo se paga; por omisión, la fecha de la factura más el plazo del proveedor.",
});

export const NewPurchase = Type.Object(
  {
    supplier_id: uuid(),
    warehouse_id: optional(uuid({ description: "A dónde llega; por omisión, la bodega predeterminada." })),
    lines: Lines,
    charges: optional(Charges),
    invoice_number: optional(invoiceNumber),
    invoice_date: optional(invoiceDate),
    due_date: optional(dueDate),
    status: optional(
      oneOf(["draft", "ordered"], { description: "`draft`, borrador (por omisión); `ordered`, ya se pidió." }),
    ),
    notes: optional(text(1000)),
    ...newOwnFields,
  },
  {
    additionalProperties: false,
    examples: [
      {
        supplier_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c71",
        invoice_number: "FV-1029",
        invoice_date: "2026-09-28",
        lines: [
          {
            barcode: "7702535011089",
            unit: "Caja x24",
            factor: 24,
            quantity: 10,
            unit_cost: 48000,
            taxes: [{ code: "01", rate: 19 }],
          },
        ],
        charges: [{ description: "Flete", amount: 20000 }],
      },
    ],
  },
);
export type NewPurchase = Static<typeof NewPurchase>;

export const PurchaseChanges = Type.Object(
  {
    supplier_id: Type.Optional(uuid()),
    warehouse_id: Type.Optional(uuid({ description: "A dónde llega." })),
    lines: Type.Optional(Lines),
    charges: Type.Optional(Charges),
    invoice_number: Type.Optional(nullable(invoiceNumber)),
    invoice_date: Type.Optional(nullable(invoiceDate)),
    due_date: Type.Optional(nullable(dueDate)),
    status: Type.Optional(
      oneOf(purchaseDecisions, {
        description: "`ordered`, se pidió; `closed`, no se espera más; `cancelled`, no se compra.",
      }),
    ),
    cancelled_reason: Type.Optional(nullable(line(maxReason, { description: 'Con `status: "cancelled"`, por qué.' }))),
    notes: Type.Optional(nullable(text(1000))),
    ...ownFieldChanges,
  },
  { additionalProperties: false, minProperties: 1, examples: [{ invoice_number: "FV-1031" }] },
);
export type PurchaseChanges = Static<typeof PurchaseChanges>;

const ReceivedLine = Type.Object(
  {
    line_id: uuid({ description: "La línea de la compra." }),
    quantity: Type.Number({
      exclusiveMinimum: 0,
      maximum: maxQuantity,
      "x-max-decimals": 3,
      description: "En unidades de compra.",
    }),
  },
  { additionalProperties: false },
);
export type ReceivedLine = Static<typeof ReceivedLine>;

export const NewReceipt = Type.Object(
  {
    kind: optional(
      oneOf(receiptKinds, {
        description:
          "`receipt`, llegó (por omisión); `return`, se devuelve al proveedor; `correction`, se había recibido mal.",
      }),
    ),
    corrects: optional(uuid({ description: "Con `correction`, la recepción que se había escrito mal." })),
    warehouse_id: optional(uuid({ description: "La bodega; por omisión, la de la compra o la de lo que se corrige." })),
    lines: optional(
      Type.Array(ReceivedLine, {
        minItems: 1,
        maxItems: maxLines,
        description: "Por omisión, todo lo que falta por recibir; en una corrección, todo lo que decía.",
      }),
    ),
    reference: optional(line(100, { description: "Remisión o guía con que llegó." })),
    notes: optional(text(1000)),
  },
  {
    $id: "new_purchase_receipt",
    additionalProperties: false,
    examples: [
      {
        lines: [{ line_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c82", quantity: 6 }],
        reference: "Remisión 7781",
      },
    ],
  },
);
export type NewReceipt = Static<typeof NewReceipt>;
