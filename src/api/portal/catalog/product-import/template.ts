import { taxClassWords } from "../../../../taxes/tax-class-words.ts";
import { type Column, onePage, type Table } from "../../tables/table.ts";
import { type ColumnName, columnNames, columnOf } from "./columns.ts";

type Example = Partial<Record<ColumnName, string | number>>;

/** The id only matters to those who edit a download. */
const names = columnNames.filter((name) => name !== "id");

const packaged: Example = Object.fromEntries(names.map((name) => [name, columnOf(name).example]));
const weighed: Example = {
  ...packaged,
  sku: "BANANO-KG",
  name: "Banano",
  category: "Frutas",
  base_price: 4500,
  tax_class: taxClassWords.excluded,
  base_unit: "kg",
  sold_by_weight: "Sí",
  unit_cost: 2800.5,
  initial_stock: 20,
};

/** The headings of an import, with two examples under them. */
export function templateTable(): Table<Example> {
  const columns = names.map((name): Column<Example> => {
    const { title, example } = columnOf(name);
    return { title, type: typeof example === "number" ? "number" : "text", value: (row) => row[name] };
  });
  return { title: "Plantilla de productos", columns, pages: onePage(async () => [packaged, weighed]) };
}
