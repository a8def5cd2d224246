import type { Static } from "typebox";
import { label, line, nullable, optional, price, uuid } from "../../engine/resources/fields.ts";
import { isOneLine, isVisible, lineText, oneLine } from "../../lib/one-line.ts";
import { Type } from "../../lib/schema.ts";

/** The capability of a register that knows a product's other codes: without it they neither go down nor come up. */
export const productCodes = "product.codes.1";

export const maxBarcodes = 20;
export const maxCodeLength = 48;
const maxUnits = 10_000;
const maxPackName = 60;

export const ProductBarcode = Type.Object(
  {
    code: Type.String({ description: "Lo que lee el lector." }),
    units: Type.Number({ description: "Cuántas unidades del producto son: 1 para otro código, 24 para una caja." }),
    name: nullable(Type.String({ description: "Nombre de la presentación, por ejemplo «Caja x24»." })),
    price: nullable(
      Type.Integer({
        description: "Precio propio de la presentación; con `null`, sus unidades al precio del producto.",
      }),
    ),
    variant_id: nullable(uuid({ description: "La variante que nombra; `null` si es del producto." })),
  },
  { $id: "product_barcode" },
);
export type ProductBarcode = Static<typeof ProductBarcode>;

const NewBarcode = Type.Object(
  {
    code: label(maxCodeLength, { description: "Lo que lee el lector; distinto de los demás códigos de la cuenta." }),
    units: optional(
      Type.Integer({ minimum: 1, maximum: maxUnits, description: "Unidades del producto; por omisión, 1." }),
    ),
    name: optional(line(maxPackName, { description: "Nombre de la presentación; la caja dice «Caja x24» si falta." })),
    price: optional(
      price({ description: "Precio de la presentación; por omisión, sus unidades al precio del producto." }),
    ),
    variant_id: optional(uuid({ description: "Una variante de este producto." })),
  },
  { additionalProperties: false },
);
type NewBarcode = Static<typeof NewBarcode>;

export const NewBarcodes = Type.Array(NewBarcode, {
  maxItems: maxBarcodes,
  description: "Otros códigos del producto y sus presentaciones. Reemplaza la lista completa.",
});

export function barcodeOf({ code, units, name, price: own, variant_id }: NewBarcode): ProductBarcode {
  const called = name === undefined ? "" : lineText(name);
  return {
    code: lineText(code),
    units: units ?? 1,
    name: called === "" ? null : called,
    price: own ?? null,
    variant_id: variant_id ?? null,
  };
}

export interface UploadedBarcode {
  code: string;
  units?: number | null;
  name?: string | null;
  price?: number | null;
  variant_id?: string | null;
}

/**
 * What a register sent, within the limits of the API: codes that nobody could scan, that came twice or that are too many
 * are left out, and a number of units that means nothing counts as one.
 */
export function uploadedBarcodes(sent: readonly UploadedBarcode[]): ProductBarcode[] {
  const read = new Map<string, ProductBarcode>();
  for (const { code, units, name, price: own, variant_id } of sent) {
    const text = lineText(code);
    if (!isVisible(text) || text.length > maxCodeLength || !isOneLine(text) || read.has(text)) continue;
    const called = oneLine(name ?? "").normalize("NFC");
    read.set(text, {
      code: text,
      units: isUnits(units) ? units : 1,
      name: called === "" ? null : called.slice(0, maxPackName),
      price: typeof own === "number" && own >= 0 ? own : null,
      variant_id: variant_id?.toLowerCase() ?? null,
    });
  }
  return [...read.values()].slice(0, maxBarcodes);
}

function isUnits(units: number | null | undefined): units is number {
  return typeof units === "number" && units > 0 && units <= maxUnits;
}
