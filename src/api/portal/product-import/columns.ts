import { baseUnits } from "../../../business/products/schema.ts";
import { foldText } from "../../../engine/search/search-text.ts";
import { taxClasses } from "../../../taxes/tax-classes.ts";
import { CellError, codeIn, numberIn, shown, textIn, wholeNumberIn, yesOrNoIn } from "./cell-values.ts";
import type { Cell } from "./sheet.ts";

/** The words of the portal, which the template shows. The API's own codes are understood as well. */
export const taxWords: Record<(typeof taxClasses)[number], string> = {
  standard: "General",
  reduced_5: "IVA 5 %",
  excluded: "Excluido",
  exempt: "Exento",
  service_19: "Servicio 19 %",
  event_package: "Paquete de evento",
  bag: "Bolsa plástica",
  passthrough: "Ingreso para terceros",
};

const unitWords: Record<(typeof baseUnits)[number], readonly string[]> = {
  und: ["unidad", "unidades", "un", "u"],
  g: ["gramo", "gramos", "gr"],
  kg: ["kilo", "kilos", "kilogramo", "kilogramos"],
  lb: ["libra", "libras"],
  oz: ["onza", "onzas"],
  ml: ["mililitro", "mililitros"],
  l: ["litro", "litros", "lt"],
  doc: ["docena", "docenas"],
};

interface Column {
  title: string;
  /** Other headings that mean the same, folded. The field's own name always does. */
  names: readonly string[];
  read: (cell: Cell) => unknown;
  /** Only used for new products; registers keep their own value of an existing one. */
  isForNew?: boolean;
  /** What the template shows. */
  example: string | number;
}

/** The columns of an import, by the product's field; `category` is the category's name. */
export const columns = {
  sku: {
    title: "SKU",
    names: ["codigo", "codigo de barras", "referencia", "ref", "ean"],
    read: codeIn,
    example: "7702535011089",
  },
  name: {
    title: "Nombre",
    names: ["producto", "nombre del producto", "articulo"],
    read: textIn,
    example: "Gaseosa cola 400 ml",
  },
  category: { title: "Categoría", names: ["grupo", "linea"], read: textIn, example: "Bebidas" },
  base_price: {
    title: "Precio",
    names: ["precio de lista", "precio base", "precio de venta", "valor", "pvp"],
    read: wholeNumberIn,
    example: 3200,
  },
  percent_discount: { title: "Descuento %", names: ["descuento", "dto", "% descuento"], read: numberIn, example: 0 },
  tax_class: {
    title: "Impuesto",
    names: ["clase de impuesto", "iva", "impuestos"],
    read: taxClassIn,
    example: taxWords.standard,
  },
  base_unit: { title: "Unidad", names: ["unidad de medida", "medida"], read: unitIn, isForNew: true, example: "und" },
  sold_by_weight: {
    title: "Se vende por peso",
    names: ["por peso", "pesado"],
    read: yesOrNoIn,
    isForNew: true,
    example: "No",
  },
  unit_cost: {
    title: "Costo",
    names: ["costo unitario", "costo promedio"],
    read: numberIn,
    isForNew: true,
    example: 2100,
  },
  initial_stock: {
    title: "Existencias",
    names: ["existencia", "stock", "cantidad", "inventario"],
    read: numberIn,
    isForNew: true,
    example: 48,
  },
  active: { title: "Activo", names: ["estado", "habilitado"], read: yesOrNoIn, example: "Sí" },
  sellable: { title: "Se vende", names: ["vendible", "a la venta"], read: yesOrNoIn, example: "Sí" },
  description_short: { title: "Descripción corta", names: [], read: textIn, example: "" },
  description: { title: "Descripción", names: ["detalle"], read: textIn, example: "" },
  id: { title: "ID", names: ["identificador", "id del producto"], read: textIn, example: "" },
} satisfies Record<string, Column>;

export type ColumnName = keyof typeof columns;
export const columnNames = Object.keys(columns) as ColumnName[];
export const columnOf = (name: ColumnName): Column => columns[name];

/** Nothing longer is one of the words below or above, and comparing it would take time. */
const longestWord = 100;

/** The column that a heading names. */
export function findColumn(heading: string): ColumnName | undefined {
  if (heading.length > longestWord) return undefined;
  const folded = foldText(heading)
    .replace(/[*:]+$/, "")
    .trim();
  return columnNames.find((name) => {
    const { title, names } = columnOf(name);
    return [foldText(title), name, ...names].includes(folded);
  });
}

/** How accountants write the two rates; a percentage in Excel is a fraction. */
const ratesTyped: Record<string, string> = {
  "19": "standard",
  "19%": "standard",
  "iva 19%": "standard",
  "0.19": "standard",
  "5": "reduced_5",
  "5%": "reduced_5",
  "0.05": "reduced_5",
};

function wordIn(cell: Cell): string {
  const text = textIn(cell);
  return text.length > longestWord ? "" : foldText(text);
}

function taxClassIn(cell: Cell): string {
  const typed = wordIn(cell).replace(/\s+%/g, "%");
  const found = taxClasses.find((code) => code === typed || foldText(taxWords[code]).replace(/\s+%/g, "%") === typed);
  if (found ?? ratesTyped[typed]) return (found ?? ratesTyped[typed])!;
  throw new CellError(
    `«${shown(cell)}» no es una clase de impuesto. Use una de estas: ${Object.values(taxWords).join(", ")}.`,
  );
}

function unitIn(cell: Cell): string {
  const typed = wordIn(cell).replace(/\.$/, "");
  const found = baseUnits.find((code) => code === typed || unitWords[code].includes(typed));
  if (found) return found;
  throw new CellError(`«${shown(cell)}» no es una unidad conocida. Use una de estas: ${baseUnits.join(", ")}.`);
}
