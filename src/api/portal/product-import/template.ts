import { type ColumnName, columnNames, columnOf, taxWords } from "./columns.ts";

/** The columns of the template. The id only matters to those who edit an export. */
export const templateColumns: readonly ColumnName[] = columnNames.filter((name) => name !== "id");

const second: Partial<Record<ColumnName, string | number>> = {
  sku: "BANANO-KG",
  name: "Banano",
  category: "Frutas",
  base_price: 4500,
  tax_class: taxWords.excluded,
  base_unit: "kg",
  sold_by_weight: "Sí",
  unit_cost: 2800.5,
  initial_stock: 20,
};

/** Headings and two examples, as Colombian Excel opens them: `;`, a decimal comma and a byte order mark. */
export function templateCsv(): string {
  const rows = [
    templateColumns.map((name) => columnOf(name).title),
    templateColumns.map((name) => columnOf(name).example),
    templateColumns.map((name) => second[name] ?? columnOf(name).example),
  ];
  return `\ufeff${rows.map((row) => row.map(cellText).join(";")).join("\r\n")}\r\n`;
}

function cellText(value: string | number): string {
  const text = typeof value === "number" ? String(value).replace(".", ",") : value;
  return /[;"\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
