import { importTitles } from "../../../src/api/portal/lists/import-titles.ts";

export { taxClassWords as taxClasses } from "../../../src/taxes/tax-class-words.ts";

import { isCountedUnit } from "../../../src/taxes/units.ts";
import type { Answer } from "./answers.ts";

/** Products and stock in a shop owner's words. */

type Product = Answer<"GET /products/:id">["product"];
export type ImportField = Answer<"GET /product-imports/:id/rows">["data"][number]["changes"][number]["field"];

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

/** A heading says "Descuento %". */
export const importFields: Record<ImportField, string> = { ...importTitles, percent_discount: "Descuento" };
