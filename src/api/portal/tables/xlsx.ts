import { day } from "../../../lib/clock.ts";
import { zipOf } from "../../../lib/zip.ts";
import { behindUtcMs } from "../../../taxes/bogota-time.ts";
import type { Cell, CellType, Column, Line } from "./table.ts";

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";
const types = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** The styles below, by their place in the list. Formats 3, 14 and 22 follow the language of the reader's Excel. */
const styles = { plain: 0, heading: 1, pesos: 2, date: 3, moment: 4 } as const;
const styleOf: Record<CellType, number> = {
  text: styles.plain,
  number: styles.plain,
  flag: styles.plain,
  pesos: styles.pesos,
  date: styles.date,
  moment: styles.moment,
};
const widthOf: Record<CellType, number> = { text: 24, number: 12, flag: 8, pesos: 14, date: 12, moment: 17 };

/**
 * The table as an Excel workbook of one sheet, written while its rows are read: a library would hold all cells, all XML
 * and the archive in memory (docs/decisions/0024).
 */
export function xlsxOf(title: string, columns: Columns, pages: AsyncIterable<readonly Line[]>): AsyncGenerator<Buffer> {
  return zipOf([
    { name: "[Content_Types].xml", parts: [contentTypes] },
    { name: "_rels/.rels", parts: [rootRelationships] },
    { name: "xl/workbook.xml", parts: [workbook(title)] },
    { name: "xl/_rels/workbook.xml.rels", parts: [workbookRelationships] },
    { name: "xl/styles.xml", parts: [stylesheet] },
    { name: "xl/worksheets/sheet1.xml", parts: sheet(columns, pages) },
  ]);
}

type Columns = readonly Pick<Column<never>, "title" | "type">[];

async function* sheet(columns: Columns, pages: AsyncIterable<readonly Line[]>): AsyncGenerator<string> {
  const letters = columns.map((_, i) => columnName(i));
  const widths = columns.map(({ type, title }, i) => {
    const width = Math.max(widthOf[type], Math.min(title.length + 2, 40));
    return `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`;
  });
  yield `${xml}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join("")}</cols><sheetData>`;
  yield `<row r="1">${columns.map(({ title }, i) => textCell(`${letters[i]}1`, title, styles.heading)).join("")}</row>`;
  let number = 1;
  for await (const lines of pages) {
    let text = "";
    for (const line of lines) text += sheetRow(++number, columns, letters, line);
    yield text;
  }
  yield "</sheetData></worksheet>";
}

function sheetRow(number: number, columns: Columns, letters: readonly string[], line: Line): string {
  const cells =
    "remark" in line
      ? [textCell(`A${number}`, line.remark)]
      : line.map((cell, i) => sheetCell(`${letters[i]}${number}`, columns[i]!.type, cell));
  return `<row r="${number}">${cells.join("")}</row>`;
}

function sheetCell(place: string, type: CellType, value: Cell): string {
  if (value === null || value === undefined) return "";
  if (type === "flag") return textCell(place, value ? "Sí" : "No");
  if (type === "text") return textCell(place, String(value));
  const number = value instanceof Date ? serialOf(value, type === "date") : Number(value);
  return `<c r="${place}" s="${styleOf[type]}"><v>${number}</v></c>`;
}

/** A cell that is text by its type is never run as a formula, whatever it begins with. */
function textCell(place: string, text: string, style: number = styles.plain): string {
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
}

/** Days since the last day of 1899, in Colombian time. */
function serialOf(at: Date, isDayOnly: boolean): number {
  const days = (at.getTime() - behindUtcMs) / day + 25_569;
  return isDayOnly ? Math.floor(days) : days;
}

/** Excel refuses a file with a longer cell. */
const maxCellLength = 32_767;
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML has no way to write these
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function xmlText(text: string): string {
  const short = text.slice(0, maxCellLength).toWellFormed();
  return short.replace(unwritable, "").replace(/[&<>]/g, (sign) => entities[sign]!);
}

/** A, B, … Z, AA, AB … */
export function columnName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnName(Math.floor(index / 26) - 1) + last;
}

/** A sheet's name has at most 31 characters, and none of those that its address needs. */
function workbook(title: string): string {
  const name = title.replace(/[\\/?*:[\]"']/g, " ").slice(0, 31);
  return `${xml}<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets><sheet name="${xmlText(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`;
}

const contentTypes = `${xml}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/></Types>`;
const rootRelationships = `${xml}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;
const workbookRelationships = `${xml}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relationships}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relationships}/styles" Target="styles.xml"/></Relationships>`;
const format = (id: number, font = 0) =>
  `<xf numFmtId="${id}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;
const stylesheet = `${xml}<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5">${format(0)}${format(0, 1)}${format(3)}${format(14)}${format(22)}</cellXfs></styleSheet>`;
