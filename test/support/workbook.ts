import { zipOf } from "./zip.ts";

const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** An Excel file with this sheet, and with other files of the archive by their names. */
export function workbook(sheet: string, others: Record<string, string> = {}): Buffer {
  const related = ["worksheet", "sharedStrings", "styles"].map((kind, i) => {
    const target = kind === "worksheet" ? "worksheets/sheet1.xml" : `${kind}.xml`;
    return `<Relationship Id="rId${i + 1}" Type="${relations}/${kind}" Target="${target}"/>`;
  });
  const files = {
    "xl/workbook.xml": `<workbook xmlns:r="${relations}"><sheets><sheet name="a" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${related.join("")}</Relationships>`,
    "xl/worksheets/sheet1.xml": sheet,
    ...others,
  };
  return zipOf(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])));
}

export function sheetOf(rows: string): string {
  return `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
}

/** So many rows and columns, each cell as `cell` says, or the number 1. */
export function grid(
  rows: number,
  columns: number,
  cell = (address: string, _row: number, _column: number) => `<c r="${address}"><v>1</v></c>`,
): string {
  const letters = Array.from({ length: columns }, (_, i) => lettersOf(i));
  const cellsOf = (row: number) => letters.map((letter, i) => cell(`${letter}${row}`, row, i)).join("");
  return sheetOf(Array.from({ length: rows }, (_, i) => `<row r="${i + 1}">${cellsOf(i + 1)}</row>`).join(""));
}

function lettersOf(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : lettersOf(Math.floor(column / 26) - 1) + last;
}

export function inlineText(address: string, text: string): string {
  return `<c r="${address}" t="inlineStr"><is><t>${text}</t></is></c>`;
}
