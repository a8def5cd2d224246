import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createCanvas, DOMMatrix, ImageData, Path2D } from "@napi-rs/canvas";
import jsqr from "jsqr";

// pdfjs would take them from a canvas of its own, whose paths ours does not draw.
Object.assign(globalThis, { DOMMatrix, ImageData, Path2D });
const { getDocument } = await import("pdfjs-dist/legacy/build/pdf.mjs");

const packageFolder = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));

export interface Picture {
  width: number;
  height: number;
  png: Buffer;
  pixels: Uint8ClampedArray;
}

/** A PDF as a reader's program sees it. */
export interface ReadPdf {
  pages: number;
  /** Of the first page, in points. */
  width: number;
  height: number;
  /** Every text, page by page, with one space between its parts. */
  text: string;
  picture(page?: number, scale?: number): Promise<Picture>;
}

export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const pdf = await getDocument({
    data: new Uint8Array(bytes),
    standardFontDataUrl: `${join(packageFolder, "standard_fonts")}/`,
    verbosity: 0,
  }).promise;
  const texts: string[] = [];
  for (let i = 1; i <= pdf.numPages; i++) {
    const { items } = await (await pdf.getPage(i)).getTextContent();
    texts.push(items.map((item) => ("str" in item ? item.str : "")).join(" "));
  }
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
  return {
    pages: pdf.numPages,
    width,
    height,
    text: texts.join(" ").replaceAll(/\s+/g, " "),
    async picture(page = 1, scale = 3) {
      const one = await pdf.getPage(page);
      const viewport = one.getViewport({ scale });
      const canvas = createCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height));
      const context = canvas.getContext("2d");
      await one.render({ canvas: canvas as never, canvasContext: context as never, viewport }).promise;
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      return { width: canvas.width, height: canvas.height, png: canvas.toBuffer("image/png"), pixels: data as never };
    },
  };
}

/** What a phone reads in the picture's QR code. */
export function qrIn({ pixels, width, height }: Picture): string | undefined {
  const decode = jsqr as unknown as (data: Uint8ClampedArray, width: number, height: number) => { data: string } | null;
  return decode(pixels, width, height)?.data;
}
