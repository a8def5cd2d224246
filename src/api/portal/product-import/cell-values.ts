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

/**
 * A number as people type it here: 12.500, $ 12.500, 12500,50 or 12500.5. A single point before exactly three digits separates
 * thousands, as everywhere in Colombia; a single comma separates decimals.
 */
export function numberIn(cell: Cell): number {
  if (typeof cell === "number") return cell;
  const text = textIn(cell)
    .replace(/[\s$\u00a0]|COP/gi, "")
    .replace(/%$/, "");
  const plain = normalized(text);
  if (plain === undefined || !/^-?\d+(\.\d+)?$/.test(plain))
    throw new CellError(`«${shown(cell)}» no es un número. Escríbalo solo con dígitos, por ejemplo 12500 o 12.500.`);
  return Number(plain);
}

function normalized(text: string): string | undefined {
  const [points, commas] = [text.split(".").length - 1, text.split(",").length - 1];
  if (points > 0 && commas > 0) {
    const decimal = text.lastIndexOf(",") > text.lastIndexOf(".") ? "," : ".";
    const thousands = decimal === "," ? "." : ",";
    if (text.split(decimal).length > 2 || !isGrouped(text.split(decimal)[0]!, thousands)) return undefined;
    return text.replaceAll(thousands, "").replace(decimal, ".");
  }
  if (points > 0) return isGrouped(text, ".") ? text.replaceAll(".", "") : points === 1 ? text : undefined;
  if (commas > 1) return isGrouped(text, ",") ? text.replaceAll(",", "") : undefined;
  return text.replace(",", ".");
}

function isGrouped(text: string, mark: string): boolean {
  const [first, ...rest] = text.replace(/^-/, "").split(mark);
  return /^\d{1,3}$/.test(first!) && rest.length > 0 && rest.every((part) => /^\d{3}$/.test(part));
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
