import { baseUnits } from "../../../../business/products/schema.ts";
import { foldText } from "../../../../engine/search/search-text.ts";
import { typedNumber } from "../../../../lib/typed-number.ts";
import { taxClasses } from "../../../../taxes/tax-classes.ts";
import { CellError, codeIn, numberIn, shown, textIn, wholeNumberIn, yesOrNoIn } from "./cell-values.ts";
import { codesIn } from "./codes-cell.ts";
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
export const columns = {
  sku: {
    title: "SKU",
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
    title: "Otros códigos",
    names: [...barcodeNames, "otro codigo", "codigos", "codigos adicionales"],
    read: codesIn,
    isMany: true,
    example: "",
  },
  name: {
    title: "Nombre",
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
    title: "Categoría",
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
    title: "Precio",
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
  percent_discount: { title: "Descuento %", names: ["descuento", "dto", "% descuento"], read: numberIn, example: 0 },
  tax_class: {
    title: "Impuesto",
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
    example: taxWords.standard,
  },
  base_unit: {
    title: "Unidad",
    names: ["unidad medida", "medida", "um", "und"],
    read: unitIn,
    isForNew: true,
    example: "und",
  },
  sold_by_weight: {
    title: "Se vende por peso",
    names: ["por peso", "pesado", "vendido por peso"],
    read: yesOrNoIn,
    isForNew: true,
    example: "No",
  },
  unit_cost: {
    title: "Costo",
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
    title: "Existencias",
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
  active: { title: "Activo", names: ["estado", "habilitado"], read: yesOrNoIn, example: "Sí" },
  sellable: { title: "Se vende", names: ["vendible", "a venta"], read: yesOrNoIn, example: "Sí" },
  description_short: { title: "Descripción corta", names: [], read: textIn, example: "" },
  description: { title: "Descripción", names: ["detalle"], read: textIn, example: "" },
  id: { title: "ID", names: ["identificador", "id producto"], read: textIn, example: "" },
} satisfies Record<string, Column>;

export type ColumnName = keyof typeof columns;
export const columnNames = Object.keys(columns) as ColumnName[];
export const columnOf = (name: ColumnName): Column => columns[name];

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
  const found = taxClasses.find((code) => code === typed || foldText(taxWords[code]).replace(/\s+%/g, "%") === typed);
  if (found ?? otherTaxWords[typed]) return (found ?? otherTaxWords[typed])!;
  const rate = typedNumber(typed.replace(/^(impuesto|iva)[\s:(-]*/, "").replace(/[%)]+$/, ""));
  if (rate === 0 || zeroTaxWords.has(typed)) return zeroTaxTyped;
  const ofRate = rate === undefined ? undefined : classOfRate.get(rate);
  if (ofRate) return ofRate;
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
