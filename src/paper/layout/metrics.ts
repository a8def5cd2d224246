import PDFDocument from "pdfkit";
import { addFonts, type Font, features } from "./fonts.ts";

const measuring = new Map<Font, { document: PDFKit.PDFDocument; widths: Map<string, number> }>();
/** Words repeat from paper to paper; a thread that has drawn for weeks must not keep every word of them. */
const mostKept = 20_000;

/** In points. Only for printable text: the fonts know no other characters. */
export function widthOf(text: string, font: Font, size: number): number {
  const { document, widths } = measurerOf(font);
  let width = widths.get(text);
  if (width === undefined) {
    width = document.widthOfString(text, { features });
    if (widths.size >= mostKept) widths.clear();
    widths.set(text, width);
  }
  return (width * size) / 1000;
}

function measurerOf(font: Font) {
  const known = measuring.get(font);
  if (known) return known;
  const document = addFonts(new PDFDocument({ autoFirstPage: false, font: "" }))
    .font(font)
    .fontSize(1000);
  const added = { document, widths: new Map<string, number>() };
  measuring.set(font, added);
  return added;
}

/** The text in lines no wider than `width`; a word that is wider is broken. What does not fit into `most` lines is cut. */
export function wrap(text: string, font: Font, size: number, width: number, most = 12): string[] {
  // A column is as wide as its widest cell, to the last decimal.
  if (widthOf(text, font, size) <= width + 0.01) return text === "" ? [] : [text];
  const lines: string[] = [];
  const space = widthOf(" ", font, size);
  let line = "";
  let used = 0;
  // A dot between two things says nothing at the end of a line.
  const push = () => lines.push(line.endsWith(" ·") ? line.slice(0, -2) : line);
  for (const word of text.split(" ").flatMap((one) => breakWord(one, font, size, width))) {
    const wordWidth = widthOf(word, font, size);
    if (line !== "" && used + space + wordWidth > width) {
      push();
      line = "";
      used = 0;
    }
    used += line === "" ? wordWidth : space + wordWidth;
    line = line === "" ? word : `${line} ${word}`;
    if (lines.length >= most) break;
  }
  if (line !== "") push();
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `${lines[most - 1]!.slice(0, -1)}…`];
}

function breakWord(word: string, font: Font, size: number, width: number): string[] {
  if (widthOf(word, font, size) <= width) return [word];
  const parts: string[] = [];
  let part = "";
  for (const character of word) {
    if (part !== "" && widthOf(part + character, font, size) > width) {
      const end = breakAt(part);
      parts.push(part.slice(0, end));
      part = part.slice(end);
    }
    part += character;
  }
  return [...parts, part];
}

/** An address is broken after one of its signs, if there is one in the second half; everything else where it ends. */
function breakAt(part: string): number {
  const end = Math.max(...["@", ".", "-", "_", "/"].map((sign) => part.lastIndexOf(sign))) + 1;
  return end > part.length / 2 ? end : part.length;
}
