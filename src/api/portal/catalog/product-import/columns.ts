import { baseUnits } from "../../../../business/products/schema.ts";
import { foldText } from "../../../../engine/search/search-text.ts";
import { typedNumber } from "../../../../lib/typed-number.ts";
import { taxClassWords } from "../../../../taxes/tax-class-words.ts";
import { taxClasses } from "../../../../taxes/tax-classes.ts";
import { importTitles } from "../../lists/import-titles.ts";
import { CellError, codeIn, numberIn, shown, textIn, wholeNumberIn, yesOrNoIn } from "./cell-values.ts";
import { codesIn } from "./codes-cell.ts";
import type { Cell } from "./sheet.ts";

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
  /** Other headings that mean the same, as `headingKey` makes them. The field's own name always does. */
  names: readonly string[];
  /** Headings that mean this where no other column of the file does, whatever else they may mean. */
  otherwise?: readonly string[];
  read: (cell: Cell) => unknown;
  /** Only used for new products; registers keep their own value of an existing one. */
  isForNew?: boolean;
  /** Several columns of a file may be it. */
  isMany?: boolean;
  /** What the template shows. */
  example: string | number;
}

const barcodeNames = [
  "codigo barras",
  "codigos barras",
  "codigo barra",
  "cod barras",
  "cod barra",
  "barras",
  "codigo ean",
  "ean",
  "ean13",
  "ean 13",
  "ean-13",
  "gtin",
  "upc",
  "barcode",
];

/** The columns of an import, by the product's field; `category` is the category's name. */
const columns: Record<keyof typeof importTitles, Column> = {
  sku: {
    names: [
      "codigo",
      "codigo producto",
      "codigo articulo",
      "codigo interno",
      "cod",
      "cod producto",
      "cod articulo",
      "referencia",
      "ref",
      "plu",
    ],
    otherwise: barcodeNames,
    read: codeIn,
    example: "7702535011089",
  },
  barcodes: {
    names: [...barcodeNames, "otro codigo", "codigos", "codigos adicionales"],
    read: codesIn,
    isMany: true,
    example: "",
  },
  name: {
    names: [
      "producto",
      "nombre producto",
      "nombre producto servicio",
      "articulo",
      "nombre articulo",
      "item",
      "nombre item",
      "descripcion producto",
      "descripcion articulo",
    ],
    otherwise: ["descripcion", "detalle"],
    read: textIn,
    example: "Gaseosa cola 400 ml",
  },
  category: {
    names: [
      "grupo",
      "linea",
      "familia",
      "grupo inventario",
      "categoria producto",
      "grupo producto",
      "linea producto",
      "categoria inventario servicio",
    ],
    read: textIn,
    example: "Bebidas",
  },
  // What a stock is worth is called «Valor» too, in our own inventory for one.
  base_price: {
    names: [
      "precio lista",
      "precio base",
      "precio venta",
      "precio venta publico",
      "precio publico",
      "precio venta 1",
      "precio 1",
      "precio unitario",
      "precio con iva",
      "precio iva incluido",
      "precio por defecto",
      "valor venta",
      "valor unitario",
      "pvp",
    ],
    read: wholeNumberIn,
    example: 3200,
  },
  percent_discount: { names: ["descuento", "dto", "% descuento"], read: numberIn, example: 0 },
  tax_class: {
    names: [
      "clase impuesto",
      "tipo impuesto",
      "impuestos",
      "impuesto %",
      "% impuesto",
      "iva",
      "iva %",
      "% iva",
      "tarifa iva",
      "porcentaje iva",
      "tipo iva",
    ],
    read: taxClassIn,
    example: taxClassWords.standard,
  },
  base_unit: {
    names: ["unidad medida", "medida", "um", "und"],
    read: unitIn,
    isForNew: true,
    example: "und",
  },
  sold_by_weight: {
    names: ["por peso", "pesado", "vendido por peso"],
    read: yesOrNoIn,
    isForNew: true,
    example: "No",
  },
  unit_cost: {
    names: [
      "costo unitario",
      "costo promedio",
      "costo compra",
      "ultimo costo",
      "precio compra",
      "precio costo",
      "coste",
    ],
    read: numberIn,
    isForNew: true,
    example: 2100,
  },
  initial_stock: {
    names: [
      "existencia",
      "existencia actual",
      "existencias actuales",
      "stock",
      "stock actual",
      "cantidad",
      "cantidad disponible",
      "cantidad inicial",
      "inventario",
      "en inventario",
      "saldo",
      "saldo actual",
    ],
    read: numberIn,
    isForNew: true,
    example: 48,
  },
  active: { names: ["estado", "habilitado"], read: yesOrNoIn, example: "Sí" },
  sellable: { names: ["vendible", "a venta"], read: yesOrNoIn, example: "Sí" },
  description_short: { names: [], read: textIn, example: "" },
  description: { names: ["detalle"], read: textIn, example: "" },
  id: { names: ["identificador", "id producto"], read: textIn, example: "" },
};

export type ColumnName = keyof typeof columns;
export const columnNames = Object.keys(columns) as ColumnName[];
const titled = Object.fromEntries(
  columnNames.map((name) => [name, { title: importTitles[name], ...columns[name] }]),
) as Record<ColumnName, Column & { title: string }>;
export const columnOf = (name: ColumnName) => titled[name];

/** Nothing longer is one of the words below or above, and comparing it would take time. */
const longestWord = 100;

const joiningWords = new Set(["de", "del", "al", "el", "la", "los", "las"]);

/** A heading as headings are compared: «Precio de venta (público) [Mi tienda]» is «precio venta publico». */
function headingKey(heading: string): string {
  return foldText(heading)
    .replace(/\[[^\]]*\]/g, " ")
    .replace(/[*:.()¿?/]/g, " ")
    .replaceAll("%", " % ")
    .split(" ")
    .filter((word) => word !== "" && !joiningWords.has(word))
    .join(" ");
}

const byKey = new Map<string, ColumnName>(
  columnNames.flatMap((name) => {
    const { title, names } = columnOf(name);
    return [headingKey(title), name, ...names].map((key): [string, ColumnName] => [key, name]);
  }),
);

/** The column that each of a file's headings names; a bar code is the SKU, and a description the name, where nothing else is. */
export function findColumns(headings: readonly string[]): (ColumnName | null)[] {
  const keys = headings.map((heading) => (heading.length > longestWord ? "" : headingKey(heading)));
  const found = keys.map((key) => byKey.get(key) ?? null);
  for (const name of columnNames) {
    const { otherwise = [] } = columnOf(name);
    const at = found.includes(name) ? -1 : keys.findIndex((key) => otherwise.includes(key));
    if (at !== -1) found[at] = name;
  }
  return found;
}

/** The rates that say which class is meant; a percentage in Excel is a fraction. */
const classOfRate = new Map<number, (typeof taxClasses)[number]>([
  [19, "standard"],
  [0.19, "standard"],
  [5, "reduced_5"],
  [0.05, "reduced_5"],
]);

const otherTaxWords: Record<string, (typeof taxClasses)[number]> = {
  excluida: "excluded",
  excluidos: "excluded",
  exenta: "exempt",
  exentos: "exempt",
};

/** Both pay nothing; which one it is decides what the seller's own taxes are. */
export const zeroTaxClasses = ["excluded", "exempt"] as const;
export type ZeroTaxClass = (typeof zeroTaxClasses)[number];
/** What a cell says with an IVA of 0: only the owner knows which class is meant. */
export const zeroTaxTyped = Symbol("IVA 0");
const zeroTaxWords = new Set(["sin iva", "sin impuesto", "sin impuestos", "ninguno", "no"]);

function wordIn(cell: Cell): string {
  const text = textIn(cell);
  return text.length > longestWord ? "" : foldText(text);
}

function taxClassIn(cell: Cell): string | typeof zeroTaxTyped {
  const typed = wordIn(cell).replace(/\s+%/g, "%");
  const found = taxClasses.find(
    (code) => code === typed || foldText(taxClassWords[code]).replace(/\s+%/g, "%") === typed,
  );
  if (found ?? otherTaxWords[typed]) return (found ?? otherTaxWords[typed])!;
  const rate = typedNumber(typed.replace(/^(impuesto|iva)[\s:(-]*/, "").replace(/[%)]+$/, ""));
  if (rate === 0 || zeroTaxWords.has(typed)) return zeroTaxTyped;
  const ofRate = rate === undefined ? undefined : classOfRate.get(rate);
  if (ofRate) return ofRate;
  throw new CellError(
    `«${shown(cell)}» no es una clase de impuesto. Use una de estas: ${Object.values(taxClassWords).join(", ")}.`,
  );
}

function unitIn(cell: Cell): string {
  const typed = wordIn(cell).replace(/\.$/, "");
  const found = baseUnits.find((code) => code === typed || unitWords[code].includes(typed));
  if (found) return found;
  throw new CellError(`«${shown(cell)}» no es una unidad conocida. Use una de estas: ${baseUnits.join(", ")}.`);
}
