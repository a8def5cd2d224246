import PDFDocument from "pdfkit";
import { encode } from "uqr";
import type { Mark } from "./layout/flow.ts";
import { addFonts, ascent, features } from "./layout/fonts.ts";
import { layOut } from "./layout/lay-out.ts";
import { sheets } from "./layout/sheet.ts";
import type { Paper, PaperWidth } from "./paper.ts";
import { printable } from "./printable.ts";

/** A paper as a PDF: a stream of its bytes. */
export function drawPaper(paper: Paper, paperWidth: PaperWidth): PDFKit.PDFDocument {
  const sheet = sheets[paperWidth];
  const { pages, height } = layOut(paper, sheet);
  const at = new Date(paper.at);
  const pdf = new PDFDocument({
    // Its own default would be read for nothing.
    font: "",
    autoFirstPage: false,
    size: [sheet.width, height],
    margin: 0,
    lang: "es-CO",
    displayTitle: true,
    info: { Title: printable(paper.title), Creator: "Mostrador", CreationDate: at, ModDate: at },
  });
  addFonts(pdf);
  for (const marks of pages) {
    pdf.addPage();
    for (const mark of marks) draw(pdf, mark);
  }
  pdf.end();
  return pdf;
}

function draw(pdf: PDFKit.PDFDocument, mark: Mark): void {
  switch (mark.kind) {
    case "text":
      pdf.font(mark.font).fontSize(mark.size).fillColor(mark.color);
      pdf.text(mark.text, mark.x, mark.y + ascent * mark.size, {
        lineBreak: false,
        baseline: "alphabetic",
        features,
      });
      return;
    case "box":
      pdf.rect(mark.x, mark.y, mark.width, mark.height).fill(mark.fill);
      return;
    case "rule":
      pdf.lineWidth(0.5).strokeColor(mark.color);
      pdf
        .moveTo(mark.x, mark.y)
        .lineTo(mark.x + mark.width, mark.y)
        .stroke();
      return;
    case "qr":
      drawQr(pdf, mark);
  }
}

/** Modules the reader's phone needs around the code. */
const quietModules = 4;

/** Dark modules of a row that touch are one rectangle: a fifth of the drawing, and no hairlines between them. */
function drawQr(pdf: PDFKit.PDFDocument, { x, y, size, text }: Extract<Mark, { kind: "qr" }>): void {
  const { data } = encode(text, { ecc: "M", border: quietModules });
  const module = size / data.length;
  for (const [row, cells] of data.entries()) {
    for (let from = 0; from < cells.length; from++) {
      if (!cells[from]) continue;
      let to = from;
      while (cells[to]) to++;
      pdf.rect(x + from * module, y + row * module, (to - from) * module, module);
      from = to;
    }
  }
  pdf.fill("#000000");
}
