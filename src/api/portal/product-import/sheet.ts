/** A cell as it was read. Text files have text only; spreadsheets also numbers, booleans and dates. */
export type Cell = string | number | boolean | Date | null;
export type Sheet = Cell[][];

export const maxRows = 10_000;
export const maxColumns = 60;
export const maxFileBytes = 4 * 1024 * 1024;

/** The file cannot be used at all. The message is for the owner. */
export class SheetError extends Error {}

export const tooManyRows = () =>
  new SheetError(
    `El archivo tiene más de ${maxRows.toLocaleString("es-CO")} filas. Divídalo en varios y súbalos uno tras otro.`,
  );
