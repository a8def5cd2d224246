import { cellTooLong, maxCellLength, SheetError } from "./sheet.ts";
import { damaged, type Part, tooLarge } from "./unpack-xlsx.ts";

/** Cells of a sheet, empty ones that have a format among them. */
const maxCells = 400_000;
/** The library fills up every row to the last column in use. */
const maxArea = 2_000_000;
const maxTags = 3_000_000;
const maxDepth = 100;
const maxTagBytes = 16 * 1024;
/** A character takes up to four bytes. */
const maxTextBytes = 4 * maxCellLength;
/** These three are Excel's own. */
const maxFormats = 65_490;
const lastRow = 1_048_576;
const lastColumn = 16_384;

const [space, bang, quote, ampersand, apostrophe, slash] = [0x20, 0x21, 0x22, 0x26, 0x27, 0x2f];
const [zero, nine, semicolon, less, equals, greater, question] = [0x30, 0x39, 0x3b, 0x3c, 0x3d, 0x3e, 0x3f];
const [letterA, letterZ, letterF, letterR, letterX] = [0x41, 0x5a, 0x66, 0x72, 0x78];
const longestEntity = 12;

/**
 * Reads through the XML files once, before a library makes objects of them: nothing that they can ask of it may take long.
 * The sums are over all of them.
 */
export function checkXml(parts: readonly Part[]): void {
  const sums = { tags: 0, formats: 0 };
  for (const { bytes } of parts) {
    const extent = { cells: 0, rows: 0, columns: 0 };
    let depth = 0;
    let textFrom = 0;
    for (let at = 0; at < bytes.length; at++) {
      if (bytes[at] === ampersand) checkEntity(bytes, at);
      if (bytes[at] !== less) continue;
      checkText(textFrom, at);
      const end = endOfTag(bytes, at);
      const isOpening = bytes[at + 1] !== slash && bytes[at + 1] !== bang && bytes[at + 1] !== question;
      if (isOpening) {
        sums.tags += 1;
        if (bytes[at + 1] === letterX && bytes[at + 2] === letterF) sums.formats += 1;
        checkAddress(bytes, at, end, extent);
      }
      if (isOpening && bytes[end - 1] !== slash) depth += 1;
      else if (bytes[at + 1] === slash) depth -= 1;
      if (depth > maxDepth || sums.tags > maxTags || sums.formats > maxFormats) throw tooLarge();
      at = end;
      textFrom = end + 1;
    }
    checkText(textFrom, bytes.length);
  }
}

function checkText(from: number, to: number): void {
  if (to - from > maxTextBytes) throw cellTooLong("En el archivo");
}

/** One that does not end is searched for its end from each of its characters. */
function checkEntity(bytes: Buffer, at: number): void {
  for (let end = at + 1; end < at + longestEntity; end++) if (bytes[end] === semicolon) return;
  throw damaged();
}

/** The place of the last character of a tag, a comment or the like. */
function endOfTag(bytes: Buffer, start: number): number {
  if (bytes[start + 1] === bang) {
    const isComment = bytes.toString("latin1", start, start + 4) === "<!--";
    const end = bytes.indexOf(isComment ? "-->" : "]]>", start + 4);
    if (end === -1 || (!isComment && bytes.toString("latin1", start, start + 9) !== "<![CDATA[")) throw damaged();
    checkText(start, end);
    return end + 2;
  }
  let open = 0;
  for (let at = start + 1; at < bytes.length && at - start <= maxTagBytes; at++) {
    const byte = bytes[at]!;
    if (byte === ampersand) checkEntity(bytes, at);
    if (open !== 0) open = byte === open ? 0 : open;
    else if (byte === quote || byte === apostrophe) open = byte;
    else if (byte === greater) return at;
  }
  throw damaged();
}

interface Extent {
  cells: number;
  rows: number;
  columns: number;
}

/** The attribute `r` of a row or a cell: the library fills the gap before it. */
function checkAddress(bytes: Buffer, start: number, end: number, extent: Extent): void {
  let at = start + 2;
  while (at < end && !isAddress(bytes, at)) at += 1;
  if (at === end) return;
  at += 1;
  while (bytes[at]! <= space || bytes[at] === equals) at += 1;
  const mark = bytes[at];
  let [column, row] = [0, 0];
  for (at += 1; bytes[at]! >= letterA && bytes[at]! <= letterZ; at++) column = 26 * column + bytes[at]! - letterA + 1;
  for (; bytes[at]! >= zero && bytes[at]! <= nine; at++) row = 10 * row + bytes[at]! - zero;
  if ((mark !== quote && mark !== apostrophe) || bytes[at] !== mark || row > lastRow || column > lastColumn)
    throw damaged();
  if (column === 0) return;
  extent.cells += 1;
  if (bytes[end - 1] !== slash) {
    extent.rows = Math.max(extent.rows, row);
    extent.columns = Math.max(extent.columns, column);
  }
  if (extent.cells > maxCells || extent.rows * extent.columns > maxArea) throw tooManyCells();
}

function isAddress(bytes: Buffer, at: number): boolean {
  if (bytes[at] !== letterR || bytes[at - 1]! > space) return false;
  let next = at + 1;
  while (bytes[next]! <= space) next += 1;
  return bytes[next] === equals;
}

const tooManyCells = () =>
  new SheetError(
    "La hoja tiene demasiadas celdas. Copie los productos a una hoja nueva, solo con las columnas de la plantilla, y súbala.",
  );
