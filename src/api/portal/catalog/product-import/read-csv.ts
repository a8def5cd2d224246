import { isUtf8 } from "node:buffer";
import {
  cellTooLong,
  maxCellLength,
  maxColumns,
  maxRows,
  type Sheet,
  SheetError,
  tooManyColumns,
  tooManyRows,
} from "./sheet.ts";

/** The rows of a CSV file as Excel writes it in Colombia or anywhere else: `;`, `,` or tab; UTF-8, UTF-16 or Latin-1. */
export function readCsv(bytes: Buffer): Sheet {
  const text = decode(bytes);
  if (text.includes("\u0000"))
    throw new SheetError(
      "El archivo no es texto: contiene bytes nulos. Guárdelo otra vez como CSV o como Excel (.xlsx).",
    );
  const declared = /^sep=([;,\t|])\r?\n/i.exec(text);
  const body = declared ? text.slice(declared[0].length) : text;
  return split(body, declared?.[1] ?? delimiterOf(body));
}

function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder(isUtf8(bytes) ? "utf-8" : "windows-1252").decode(bytes);
}

/** The one that the first line uses most. */
function delimiterOf(text: string): string {
  const line = text
    .slice(0, 10_000)
    .split(/\r?\n/, 1)[0]!
    .replace(/"[^"]*"/g, "");
  const counts = [";", ",", "\t", "|"].map((mark) => ({ mark, count: line.split(mark).length }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).mark;
}

function split(text: string, delimiter: string): Sheet {
  const rows: Sheet = [];
  let row: string[] = [];
  let at = 0;
  const endCell = (cell: string) => {
    if (row.length >= maxColumns) throw tooManyColumns(rows.length + 1);
    if (cell.length > maxCellLength) throw cellTooLong(`En la fila ${rows.length + 1}`);
    row.push(cell);
  };
  const endRow = () => {
    if (rows.length > maxRows) throw tooManyRows();
    rows.push(row);
    row = [];
  };
  while (at < text.length) {
    if (text[at] === '"') {
      const { cell, end } = quoted(text, at, rows.length + 1);
      at = plainEnd(text, end, delimiter);
      // What follows a closing quote belongs to no format; it is kept as it is.
      endCell(cell + text.slice(end, at));
    } else {
      const end = plainEnd(text, at, delimiter);
      endCell(text.slice(at, end));
      at = end;
    }
    if (text[at] === delimiter) {
      at += 1;
      // The line ends after the delimiter: one more cell, and it is empty.
      if (at >= text.length || text[at] === "\n" || text[at] === "\r") endCell("");
      else continue;
    }
    if (text[at] === "\r") at += 1;
    if (text[at] === "\n") at += 1;
    endRow();
  }
  return rows;
}

function plainEnd(text: string, start: number, delimiter: string): number {
  let end = start;
  while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") end += 1;
  return end;
}

function quoted(text: string, start: number, row: number): { cell: string; end: number } {
  let cell = "";
  let from = start + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1)
      throw new SheetError(
        `En la fila ${row} hay una comilla que no se cierra. Guarde el archivo otra vez desde Excel.`,
      );
    cell += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { cell, end: quote + 1 };
    cell += '"';
    from = quote + 2;
  }
}
