import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";
import { create, type Typeface } from "fontkit";

export type Font = "regular" | "bold";

const typefaces: Record<Font, Typeface> = {
  regular: remembering(create(unpacked("@fontsource/figtree/files/figtree-latin-400-normal.woff"))),
  bold: remembering(create(unpacked("@fontsource/figtree/files/figtree-latin-700-normal.woff"))),
};

/** Gives a document the typeface; of it, what the document writes goes into the file. */
export function addFonts(pdf: PDFKit.PDFDocument): PDFKit.PDFDocument {
  for (const [name, typeface] of Object.entries(typefaces)) pdf.registerFont(name, typeface);
  return pdf;
}

/** From the top of a line, where a text is placed, to its baseline. */
export const ascent = 0.72;

/** Figures stand below each other, so each is as wide as the next. */
export const features: PDFKit.Mixins.OpenTypeFeatures[] = ["tnum"];

/** Texts repeat from paper to paper; a thread that has drawn for weeks must not keep all of them. */
const mostKept = 5_000;

/** Laying out a text takes longer than all the rest of drawing it. The em is 1000, so that pdfkit scales nothing in place. */
function remembering(typeface: Typeface): Typeface {
  const known = new Map<string, object>();
  const layout = (text: string) => {
    let run = known.get(text);
    if (run === undefined) {
      run = typeface.layout(text, features);
      if (known.size >= mostKept) known.clear();
      known.set(text, run);
    }
    return run;
  };
  return Object.create(typeface, { layout: { value: layout } }) as Typeface;
}

/**
 * A WOFF is the font with each table deflated. pdfkit would inflate them in JavaScript, once per glyph: a ticket took 130 ms.
 */
function unpacked(name: string): Buffer {
  const woff = readFileSync(fileURLToPath(import.meta.resolve(name)));
  const count = woff.readUInt16BE(12);
  const head = Buffer.alloc(12 + 16 * count);
  head.writeUInt32BE(woff.readUInt32BE(4), 0);
  head.writeUInt16BE(count, 4);
  const tables: Buffer[] = [];
  let at = head.length;
  for (let i = 0; i < count; i++) {
    const entry = 44 + 20 * i;
    const [start, packedBytes, bytes] = [4, 8, 12].map((field) => woff.readUInt32BE(entry + field)) as [
      number,
      number,
      number,
    ];
    const packed = woff.subarray(start, start + packedBytes);
    const table = packedBytes < bytes ? inflateSync(packed) : packed;
    woff.copy(head, 12 + 16 * i, entry, entry + 4);
    woff.copy(head, 16 + 16 * i, entry + 16, entry + 20);
    head.writeUInt32BE(at, 20 + 16 * i);
    head.writeUInt32BE(bytes, 24 + 16 * i);
    // Each table begins at a multiple of four.
    tables.push(table, Buffer.alloc(-bytes & 3));
    at += bytes + (-bytes & 3);
  }
  return Buffer.concat([head, ...tables]);
}
