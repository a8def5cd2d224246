/** A cell as it was read. Text files have text only; spreadsheets also numbers, booleans and dates. */
export type Cell = string | number | boolean | Date | null;
export type Sheet = Cell[][];

export const maxRows = 10_000;
export const maxColumns = 60;
export const maxFileBytes = 4 * 1024 * 1024;
/** What a cell of Excel can hold. */
export const maxCellLength = 32_767;
/** Of all cells together. In a spreadsheet one text may stand in many cells, and so in more than the file's size. */
const maxTextLength = 8 * 1024 * 1024;

/** Further errors are counted, not listed: whoever has two hundred has one cause. */
export const maxListedErrors = 200;

/** The file cannot be used at all. The message is for the owner. */
export class SheetError extends Error {}

export const tooManyRows = () =>
  new SheetError(
    `El archivo tiene más de ${maxRows.toLocaleString("es-CO")} filas. Divídalo en varios y súbalos uno tras otro.`,
  );

export const tooManyColumns = (row: number) =>
  new SheetError(`La fila ${row} tiene más de ${maxColumns} columnas. Deje solo las de la plantilla.`);

export const cellTooLong = (where: string) =>
  new SheetError(
    `${where} hay una celda con más de ${maxCellLength.toLocaleString("es-CO")} caracteres. Acórtela o borre esa columna, y suba el archivo de nuevo.`,
  );

/** What is read of a sheet costs as much as it says, row after row: so much and no more. */
export function checkSize(sheet: Sheet): Sheet {
  if (sheet.length > maxRows + 1) throw tooManyRows();
  let length = 0;
  for (const [i, row] of sheet.entries()) {
    if (row.length > maxColumns && row.slice(maxColumns).some((cell) => cell !== null && cell !== ""))
      throw tooManyColumns(i + 1);
    for (const cell of row) {
      if (typeof cell !== "string") continue;
      if (cell.length > maxCellLength) throw cellTooLong(`En la fila ${i + 1}`);
      length += cell.length;
    }
    if (length > maxTextLength)
      throw new SheetError("El archivo tiene demasiado texto. Divídalo en varios y súbalos uno tras otro.");
  }
  return sheet;
}

export function inBatches<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}
