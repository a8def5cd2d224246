/** The headings of an import, by the product's field; a downloaded list of products has them too. */
export const importTitles = {
  sku: "SKU",
  barcodes: "Otros códigos",
  name: "Nombre",
  category: "Categoría",
  base_price: "Precio",
  percent_discount: "Descuento %",
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

const separators = /[,;|\n"]/;

/** Several codes in one cell, each in quotes where it holds what separates them. */
export function codesText(codes: readonly string[]): string {
  return codes.map((code) => (separators.test(code) ? `"${code.replaceAll('"', '""')}"` : code)).join(", ");
}
