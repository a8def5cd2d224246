import { type Static, Type } from "typebox";
import { NewProduct } from "../../../business/products/schema.ts";
import { label, uuid } from "../../../engine/resources/fields.ts";
import { isStorableText } from "../../../lib/json.ts";
import { fieldErrors, validatorCompiler } from "../../http/validation.ts";
import { CellError, shown, textIn } from "./cell-values.ts";
import { type ColumnName, columnOf, findColumn } from "./columns.ts";
import { type Cell, type Sheet, SheetError } from "./sheet.ts";

/** The API's own limits for each field. A category is named, not identified. */
const {
  variants: _v,
  images: _i,
  category_id: _c,
  warehouse_id: _w,
  final_price: _f,
  barcodes: _b,
  ...fields
} = NewProduct.properties;
/** What is weighed has thousandths; planning refuses them for what is counted. */
const initial_stock = Type.Number({ minimum: 0, maximum: 999_999_999, "x-max-decimals": 3 });
const RowFields = Type.Partial(Type.Object({ ...fields, initial_stock, category: label(120), id: uuid() }));
export type RowFields = Static<typeof RowFields>;
const validate = validatorCompiler({ schema: RowFields, httpPart: "body", method: "POST", url: "" }) as {
  (value: unknown): boolean;
  errors?: Parameters<typeof fieldErrors>[0] | null;
};

export interface SheetRow {
  /** As the spreadsheet numbers it: the headings are row 1. */
  row: number;
  fields: RowFields;
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
}

/** What the owner says that each column is, from the first one on; without it, the headings say so. */
export type ChosenColumns = readonly (ColumnName | null)[];

/** What a sheet says: one product per row, empty cells left out, and everything that is wrong with it. */
export function interpret(sheet: Sheet, chosen?: ChosenColumns): Interpreted {
  const start = sheet.findIndex((row) => row.some((cell) => textIn(cell) !== ""));
  if (start === -1)
    throw new SheetError("El archivo está vacío. Descargue la plantilla y llene una fila por producto.");
  const headings = readHeadings(sheet.slice(start, start + 1 + shownExamples), chosen);
  const unclear = unclearIn(headings);
  if (unclear !== null) return { rows: [], errors: [], headings, unclear };
  const found = headings.flatMap(({ field }, at) => (field === null ? [] : [{ name: field, at }]));
  const errors: RowError[] = [];
  const rows = sheet.slice(start + 1).flatMap((cells, i): SheetRow[] => {
    const row = start + i + 2;
    const fields = readRow(cells, found, row, errors);
    return Object.keys(fields).length === 0 ? [] : [{ row, fields }];
  });
  if (rows.length === 0 && errors.length === 0)
    throw new SheetError("El archivo solo tiene los títulos. Escriba una fila por producto y súbalo de nuevo.");
  return { rows, errors: [...errors, ...repeated(rows)].sort((a, b) => a.row - b.row), headings, unclear };
}

type Found = readonly { name: ColumnName; at: number }[];

const shownExamples = 3;

/** All columns that say something, and the empty ones between them: their places are those of the cells. */
function readHeadings([titles = [], ...rows]: Sheet, chosen: ChosenColumns | undefined): Heading[] {
  const width = Math.max(...[titles, ...rows].map((row) => row.findLastIndex((cell) => textIn(cell) !== "") + 1));
  return Array.from({ length: width }, (_, at) => {
    const title = textIn(titles[at] ?? null);
    return {
      title: title.slice(0, 60),
      examples: rows.flatMap((row) => shown(row[at] ?? null) || []),
      field: (chosen ? chosen[at] : findColumn(title)) ?? null,
    };
  });
}

function unclearIn(headings: readonly Heading[]): string | null {
  const fields = headings.flatMap(({ field }) => field ?? []);
  const twice = fields.find((field, i) => fields.indexOf(field) !== i);
  if (twice) return `«${columnOf(twice).title}» está dos veces. Deje una sola de esas columnas y no use la otra.`;
  if (fields.some((field) => field === "sku" || field === "name" || field === "id")) return null;
  return "No se encontró la columna «SKU» ni la columna «Nombre». Diga qué es cada columna; la primera fila debe tener los títulos, como en la plantilla.";
}

function readRow(cells: readonly Cell[], found: Found, row: number, errors: RowError[]): RowFields {
  const fields: Record<string, unknown> = {};
  for (const { name, at } of found) {
    const cell = cells[at] ?? null;
    if (textIn(cell) === "") continue;
    const { title, read } = columnOf(name);
    try {
      const value = read(cell);
      if (typeof value === "string" && !isStorableText(value))
        throw new CellError("Tiene caracteres que no se pueden guardar. Escríbalo de nuevo.");
      fields[name] = value;
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
      errors.push({ row, column: title, message: error.message });
    }
  }
  if (!validate(fields))
    for (const { param, message } of fieldErrors(validate.errors ?? [], "body")) {
      const title = columnOf(param as ColumnName).title;
      errors.push({ row, column: title, message: message.replaceAll(`\`${param}\``, `«${title}»`) });
    }
  return fields as RowFields;
}

/** Each product may stand in the file once. */
function repeated(rows: readonly SheetRow[]): RowError[] {
  return (["sku", "id"] as const).flatMap((name) => {
    const firstRows = new Map<string, number>();
    return rows.flatMap(({ row, fields }): RowError[] => {
      const value = fields[name];
      if (value === undefined) return [];
      const first = firstRows.get(value.toLowerCase());
      if (first === undefined) firstRows.set(value.toLowerCase(), row);
      const { title } = columnOf(name);
      return first === undefined
        ? []
        : [{ row, column: title, message: `«${value}» ya está en la fila ${first}. Deje una sola fila por producto.` }];
    });
  });
}
