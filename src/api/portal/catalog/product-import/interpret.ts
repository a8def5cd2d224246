import type { Static } from "typebox";
import { maxBarcodes, maxCodeLength } from "../../../../business/products/barcodes.ts";
import { NewProduct } from "../../../../business/products/schema.ts";
import { label, uuid } from "../../../../engine/resources/fields.ts";
import { isStorableText } from "../../../../lib/json.ts";
import { Type } from "../../../../lib/schema.ts";
import { fieldErrors, validatorCompiler } from "../../../http/validation.ts";
import { CellError, shown, textIn } from "./cell-values.ts";
import { type ColumnName, columnOf, findColumns, type ZeroTaxClass, zeroTaxTyped } from "./columns.ts";
import { type Cell, type Sheet, SheetError } from "./sheet.ts";

/** The API's own limits for each field. A category is named, not identified. */
const {
  variants: _v,
  images: _i,
  category_id: _c,
  warehouse_id: _w,
  final_price: _f,
  barcodes: _b,
  external_id: _x,
  metadata: _m,
  ...fields
} = NewProduct.properties;
/** What is weighed has thousandths; planning refuses them for what is counted. */
const initial_stock = Type.Number({ minimum: 0, maximum: 999_999_999, "x-max-decimals": 3 });
const barcodes = Type.Array(label(maxCodeLength), { maxItems: maxBarcodes });
const RowFields = Type.Partial(Type.Object({ ...fields, barcodes, initial_stock, category: label(120), id: uuid() }));
export type RowFields = Static<typeof RowFields>;
const validate = validatorCompiler({ schema: RowFields, httpPart: "body", method: "POST", url: "" }) as {
  (value: unknown): boolean;
  errors?: Parameters<typeof fieldErrors>[0] | null;
};

export interface SheetRow {
  /** As the spreadsheet numbers it: the headings are row 1. */
  row: number;
  /** What could be read. */
  fields: RowFields;
  /** Its columns with an error; what one of them should say is not known, unless it is only a repetition. */
  wrong: ColumnName[];
}

export interface RowError {
  row: number;
  /** The heading of the column, or null when the whole row is meant. */
  column: string | null;
  message: string;
}

/** A column of the file, as the owner sees it. */
export interface Heading {
  title: string;
  /** What stands in its first rows. */
  examples: string[];
  /** What it is read as. */
  field: ColumnName | null;
}

export interface Interpreted {
  rows: SheetRow[];
  errors: RowError[];
  headings: Heading[];
  /** Why the owner must say what the columns are; nothing else was read then. */
  unclear: string | null;
  /** Rows with an IVA of 0, which may be either of two classes. */
  zeroTaxRows: number;
}

/** What the owner says that each column is, from the first one on; without it, the headings say so. */
export type ChosenColumns = readonly (ColumnName | null)[];

/** What a sheet says: one product per row, empty cells left out, and everything that is wrong with it. */
export function interpret(sheet: Sheet, chosen?: ChosenColumns, zeroTax?: ZeroTaxClass): Interpreted {
  const start = sheet.findIndex((row) => row.some((cell) => textIn(cell) !== ""));
  if (start === -1)
    throw new SheetError("El archivo está vacío. Descargue la plantilla y llene una fila por producto.");
  const headings = readHeadings(sheet.slice(start, start + 1 + shownExamples), chosen);
  const unclear = unclearIn(headings);
  if (unclear !== null) return { rows: [], errors: [], headings, unclear, zeroTaxRows: 0 };
  const found = headings.flatMap(({ field }, at) => (field === null ? [] : [{ name: field, at }]));
  const errors: RowError[] = [];
  let zeroTaxRows = 0;
  const rows = sheet.slice(start + 1).flatMap((cells, i): SheetRow[] => {
    const row = start + i + 2;
    const read = readRow(cells, found, row, errors);
    if (read.hasZeroTax) {
      zeroTaxRows += 1;
      if (zeroTax !== undefined) read.fields.tax_class = zeroTax;
    }
    return Object.keys(read.fields).length + read.wrong.length === 0 && !read.hasZeroTax
      ? []
      : [{ row, fields: read.fields, wrong: read.wrong }];
  });
  if (rows.length === 0 && errors.length === 0)
    throw new SheetError("El archivo solo tiene los títulos. Escriba una fila por producto y súbalo de nuevo.");
  errors.push(...repeated(rows));
  return { rows, errors: errors.sort((a, b) => a.row - b.row), headings, unclear, zeroTaxRows };
}

type Found = readonly { name: ColumnName; at: number }[];

const shownExamples = 3;

/** All columns that say something, and the empty ones between them: their places are those of the cells. */
function readHeadings([titles = [], ...rows]: Sheet, chosen: ChosenColumns | undefined): Heading[] {
  const width = Math.max(...[titles, ...rows].map((row) => row.findLastIndex((cell) => textIn(cell) !== "") + 1));
  const fields = chosen ?? findColumns(titles.map(textIn));
  return Array.from({ length: width }, (_, at) => {
    const title = textIn(titles[at] ?? null);
    return {
      title: title.slice(0, 60),
      examples: rows.flatMap((row) => shown(row[at] ?? null) || []),
      field: fields[at] ?? null,
    };
  });
}

function unclearIn(headings: readonly Heading[]): string | null {
  const fields = headings.flatMap(({ field }) => field ?? []);
  const twice = fields.find((field, i) => !columnOf(field).isMany && fields.indexOf(field) !== i);
  if (twice) return `«${columnOf(twice).title}» está dos veces. Deje una sola de esas columnas y no use la otra.`;
  if (fields.some((field) => field === "sku" || field === "name" || field === "id")) return null;
  return "No se encontró la columna «SKU» ni la columna «Nombre». Diga qué es cada columna; la primera fila debe tener los títulos, como en la plantilla.";
}

function readRow(
  cells: readonly Cell[],
  found: Found,
  row: number,
  errors: RowError[],
): Pick<SheetRow, "fields" | "wrong"> & { hasZeroTax: boolean } {
  let hasZeroTax = false;
  const fields: Record<string, unknown> = {};
  const wrong = new Set<ColumnName>();
  const refuse = (name: ColumnName, message: string) => {
    wrong.add(name);
    errors.push({ row, column: columnOf(name).title, message });
  };
  for (const { name, at } of found) {
    const cell = cells[at] ?? null;
    if (textIn(cell) === "") continue;
    const { read, isMany } = columnOf(name);
    try {
      const value = read(cell);
      if (value === zeroTaxTyped) {
        hasZeroTax = true;
        continue;
      }
      if ([value].flat().some((one) => typeof one === "string" && !isStorableText(one)))
        throw new CellError("Tiene caracteres que no se pueden guardar. Escríbalo de nuevo.");
      fields[name] = isMany ? [fields[name] ?? [], value].flat() : value;
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
      refuse(name, error.message);
    }
  }
  // Other programs repeat a code that is the only one.
  if (Array.isArray(fields.barcodes))
    fields.barcodes = [...new Set(fields.barcodes)].filter((code) => code !== fields.sku);
  if (!validate(fields))
    for (const { param, message } of fieldErrors(validate.errors ?? [], "body")) {
      const name = param.split(".")[0] as ColumnName;
      refuse(name, message.replaceAll(`\`${param}\``, `«${columnOf(name).title}»`));
    }
  for (const name of wrong) delete fields[name];
  return { fields: fields as RowFields, wrong: [...wrong], hasZeroTax };
}

/** Each product may stand in the file once, and each code be one product's. */
function repeated(rows: readonly SheetRow[]): RowError[] {
  const refuse = (row: number, name: ColumnName, value: string, first: number, what: string): RowError => ({
    row,
    column: columnOf(name).title,
    message: `«${value}» ya está en la fila ${first}. ${what}`,
  });
  const ids = new Map<string, number>();
  const skus = new Map<string, number>();
  const codes = new Map<string, number>();
  return rows.flatMap(({ row, wrong, fields: { id, sku, barcodes = [] } }): RowError[] => {
    const errors: RowError[] = [];
    const one = (name: ColumnName, value: string, places: Map<string, number>[], what: string) => {
      const key = value.toLowerCase();
      const first = places.flatMap((rowsOf) => rowsOf.get(key) ?? []).find((other) => other !== row);
      if (first !== undefined) {
        errors.push(refuse(row, name, value, first, what));
        wrong.push(name);
      }
      return key;
    };
    if (sku !== undefined) {
      const isProduct = skus.has(sku.toLowerCase());
      const what = isProduct ? "Deje una sola fila por producto." : "Un código es de un solo producto.";
      const key = one("sku", sku, [skus, codes], what);
      if (!skus.has(key)) skus.set(key, row);
    }
    for (const code of barcodes) {
      const key = one("barcodes", code, [skus, codes], "Un código es de un solo producto.");
      if (!codes.has(key)) codes.set(key, row);
    }
    if (id !== undefined) {
      const key = one("id", id, [ids], "Deje una sola fila por producto.");
      if (!ids.has(key)) ids.set(key, row);
    }
    return errors;
  });
}
