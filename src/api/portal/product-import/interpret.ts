import { type Static, Type } from "typebox";
import { NewProduct } from "../../../business/products/schema.ts";
import { label, uuid } from "../../../engine/resources/fields.ts";
import { isStorableText } from "../../../lib/json.ts";
import { fieldErrors, validatorCompiler } from "../../http/validation.ts";
import { CellError, textIn } from "./cell-values.ts";
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
const RowFields = Type.Partial(Type.Object({ ...fields, category: label(120), id: uuid() }));
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

export interface Interpreted {
  rows: SheetRow[];
  errors: RowError[];
  /** Headings that mean nothing here. */
  ignored: string[];
}

/** What a sheet says: one product per row, empty cells left out, and everything that is wrong with it. */
export function interpret(sheet: Sheet): Interpreted {
  const start = sheet.findIndex((row) => row.some((cell) => textIn(cell) !== ""));
  if (start === -1)
    throw new SheetError("El archivo está vacío. Descargue la plantilla y llene una fila por producto.");
  const { found, ignored } = readHeadings(sheet[start]!);
  const errors: RowError[] = [];
  const rows = sheet.slice(start + 1).flatMap((cells, i): SheetRow[] => {
    const row = start + i + 2;
    const fields = readRow(cells, found, row, errors);
    return Object.keys(fields).length === 0 ? [] : [{ row, fields }];
  });
  if (rows.length === 0 && errors.length === 0)
    throw new SheetError("El archivo solo tiene los títulos. Escriba una fila por producto y súbalo de nuevo.");
  return { rows, errors: [...errors, ...repeated(rows)].sort((a, b) => a.row - b.row), ignored };
}

type Found = readonly { name: ColumnName; at: number }[];

function readHeadings(headings: readonly Cell[]): { found: Found; ignored: string[] } {
  const found: { name: ColumnName; at: number }[] = [];
  const ignored: string[] = [];
  for (const [at, heading] of headings.entries()) {
    const text = textIn(heading);
    const name = findColumn(text);
    if (name && found.some((one) => one.name === name))
      throw new SheetError(`La columna «${columnOf(name).title}» está dos veces. Deje una sola.`);
    if (name) found.push({ name, at });
    else if (text !== "") ignored.push(text.slice(0, 60));
  }
  if (!found.some(({ name }) => name === "sku" || name === "name" || name === "id"))
    throw new SheetError(
      "No se encontró la columna «SKU» ni la columna «Nombre». La primera fila debe tener los títulos, como en la plantilla.",
    );
  return { found, ignored };
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
