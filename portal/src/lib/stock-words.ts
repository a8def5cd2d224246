import { isCountedUnit } from "../../../src/taxes/units.ts";
import type { Answer } from "./answers.ts";

/** Products and stock in a shop owner's words. */

type Product = Answer<"GET /products/:id">["product"];
export type ImportField = Answer<"GET /product-imports/:id/rows">["data"][number]["changes"][number]["field"];

export const taxClasses: Record<Product["tax_class"], string> = {
  standard: "General",
  reduced_5: "IVA 5 %",
  excluded: "Excluido",
  exempt: "Exento",
  service_19: "Servicio 19 %",
  event_package: "Paquete de evento",
  bag: "Bolsa plástica",
  passthrough: "Ingreso para terceros",
};

export const units: Record<Product["base_unit"], string> = {
  und: "unidad",
  g: "gramo",
  kg: "kilogramo",
  lb: "libra",
  oz: "onza",
  ml: "mililitro",
  l: "litro",
  doc: "docena",
};

/** Units that are counted, so that half of one makes no sense. */
export const isCounted = isCountedUnit;

export const stockStates = [
  { value: "low", label: "Por agotarse" },
  { value: "out", label: "Agotados" },
  { value: "negative", label: "En negativo" },
  { value: "some", label: "Con existencias" },
];

const movementTypes: Record<string, string> = {
  in: "Entrada",
  out: "Salida",
  adjustment: "Ajuste",
  purchase: "Compra",
  sale: "Venta",
  return: "Devolución",
  waste: "Merma",
  transfer_in: "Traslado, entra",
  transfer_out: "Traslado, sale",
  initial_stock: "Inventario inicial",
};
/** A cancelled sale brings its goods back as an entry; an owner knows it as the cancellation. */
export const movementTitle = ({ type, origin_type }: { type: string; origin_type: string | null }) =>
  origin_type === "reversal" ? "Anulación" : (movementTypes[type] ?? type);
export const movementChoices = Object.entries(movementTypes).map(([value, label]) => ({ value, label }));

export const importFields: Record<ImportField, string> = {
  sku: "SKU",
  barcodes: "Otros códigos",
  name: "Nombre",
  category: "Categoría",
  base_price: "Precio",
  percent_discount: "Descuento",
  tax_class: "Impuesto",
  base_unit: "Unidad",
  sold_by_weight: "Se vende por peso",
  unit_cost: "Costo",
  initial_stock: "Existencias",
  active: "Activo",
  sellable: "Se vende",
  description_short: "Descripción corta",
  description: "Descripción",
  id: "ID",
};
