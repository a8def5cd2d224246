import { typedNumber } from "../../../../lib/typed-number.ts";
import type { Cell } from "./sheet.ts";

/** A cell that cannot be understood, in words for the owner. */
export class CellError extends Error {}

export function textIn(cell: Cell): string {
  if (cell === null) return "";
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  // Our own files mark text that a spreadsheet would run as a formula.
  return String(cell)
    .trim()
    .replace(/^'(?=[=+\-@])/, "");
}

export function numberIn(cell: Cell): number {
  if (typeof cell === "number") return cell;
  const value = typedNumber(textIn(cell));
  if (value === undefined)
    throw new CellError(`«${shown(cell)}» no es un número. Escríbalo solo con dígitos, por ejemplo 12500 o 12.500.`);
  return value;
}

/** As a spreadsheet writes a long number in a narrow column, and saves it: the digits behind are lost. */
const shortened = /^\d([.,]\d+)?e\+?\d+$/i;
/** A spreadsheet keeps fifteen digits of a number; those behind are zeros by now. */
const mostDigits = 999_999_999_999_999;

/** A code, which a spreadsheet may have taken for a number. */
export function codeIn(cell: Cell): string {
  const text = textIn(cell);
  if (shortened.test(text) || (typeof cell === "number" && Math.abs(cell) > mostDigits))
    throw new CellError(
      `«${shown(cell)}» no es el código completo: Excel lo acortó al guardarlo como número. Dé formato Texto a la columna, escriba el código de nuevo y suba el archivo otra vez.`,
    );
  return text;
}

export function wholeNumberIn(cell: Cell): number {
  const value = numberIn(cell);
  if (!Number.isInteger(value))
    throw new CellError(`«${shown(cell)}» tiene decimales. Aquí va un número entero, por ejemplo 12500 o 12.500.`);
  return value;
}

const yes = new Set(["si", "sí", "s", "x", "1", "true", "verdadero", "activo", "yes"]);
const no = new Set(["no", "n", "0", "false", "falso", "inactivo"]);

export function yesOrNoIn(cell: Cell): boolean {
  if (typeof cell === "boolean") return cell;
  const text = textIn(cell).toLowerCase();
  if (yes.has(text)) return true;
  if (no.has(text)) return false;
  throw new CellError(`«${shown(cell)}» no se entiende. Escriba Sí o No.`);
}

/** Long text must not fill the list of errors. */
export function shown(cell: Cell): string {
  const text = textIn(cell);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
