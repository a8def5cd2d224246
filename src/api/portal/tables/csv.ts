import { bogotaDate, bogotaTime } from "../../../taxes/bogota-time.ts";
import type { Cell, CellType, Column, Line } from "./table.ts";

/**
 * For a spreadsheet in Colombian Spanish, which takes the semicolon between cells and the comma before decimals. Excel
 * needs the byte order mark to read UTF-8.
 */
const separator = ";";
const byteOrderMark = "\uFEFF";

/** The file as text, a page at a time. */
export async function* csvOf(
  columns: readonly Pick<Column<never>, "title" | "type">[],
  pages: AsyncIterable<readonly Line[]>,
): AsyncGenerator<string> {
  yield `${byteOrderMark}${csvLine(columns.map(({ title }) => csvCell("text", title)))}`;
  for await (const lines of pages)
    yield lines
      .map((line) =>
        csvLine(
          "remark" in line ? [csvCell("text", line.remark)] : line.map((cell, i) => csvCell(columns[i]!.type, cell)),
        ),
      )
      .join("");
}

function csvLine(cells: readonly string[]): string {
  return `${cells.join(separator)}\r\n`;
}

export function csvCell(type: CellType, value: Cell): string {
  if (value === null || value === undefined) return "";
  switch (type) {
    case "pesos":
    case "number":
      return quoted(String(value).replace(".", ","));
    case "flag":
      return value ? "Sí" : "No";
    case "date":
      return bogotaDate(value as Date);
    case "moment":
      return `${bogotaDate(value as Date)} ${bogotaTime(value as Date).slice(0, 8)}`;
    case "text":
      return quoted(harmless(String(value)));
  }
}

/** A spreadsheet runs a text that begins like this as a formula. The apostrophe makes it text again. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

function harmless(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** Also with the separators of other programs: one that takes the comma must not see another cell begin, maybe a formula. */
function quoted(text: string): string {
  return /[";,\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
