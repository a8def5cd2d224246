import { legible } from "../legible.ts";
import type { Block, Paper } from "../paper.ts";
import { printable } from "../printable.ts";
import { layCode, layFacts, layLetterhead, layNotice, layText } from "./blocks.ts";
import { type Flow, faint, type LaidOut, muted, newFlow } from "./flow.ts";
import { widthOf, wrap } from "./metrics.ts";
import type { Sheet } from "./sheet.ts";
import { layLines, layTable, layTotals } from "./tables.ts";

/** Puts every block of a paper at its place on the sheet. */
export function layOut(paper: Paper, sheet: Sheet): LaidOut {
  const { blocks, color, foot } = inFont(paper);
  const flow = newFlow(sheet);
  for (const block of blocks) {
    layBlock(flow, block, legible(color), color);
    flow.skip(sheet.size * 0.9);
  }
  const laidOut = flow.finish();
  if (!sheet.isTicket) numberPages(laidOut, sheet, foot);
  return laidOut;
}

function layBlock(flow: Flow, block: Block, color: string, band: string): void {
  if (block.kind === "letterhead") layLetterhead(flow, block, color, band);
  else if (block.kind === "notice") layNotice(flow, block.text);
  else if (block.kind === "facts") layFacts(flow, block.title, block.facts, color);
  else if (block.kind === "table") layTable(flow, block, color);
  else if (block.kind === "lines") layLines(flow, block.lines, color);
  else if (block.kind === "totals") layTotals(flow, block, color);
  else if (block.kind === "code") layCode(flow, block);
  else layText(flow, block.text, block.isCentered ?? flow.sheet.isTicket);
}

function numberPages({ pages, isCut }: LaidOut, sheet: Sheet, foot: string): void {
  const { width, height, margin } = sheet;
  const size = sheet.size * 0.85;
  const y = height - margin - size;
  for (const [i, marks] of pages.entries()) {
    const text = isCut && i === pages.length - 1 ? `${foot} · Incompleto: el resto está en el XML.` : foot;
    const number = `Página ${i + 1} de ${pages.length}`;
    const numberX = width - margin - widthOf(number, "regular", size);
    const [line = ""] = wrap(text, "regular", size, numberX - margin - size, 1);
    marks.push(
      { kind: "rule", x: margin, y: y - size * 0.7, width: width - 2 * margin, color: faint },
      { kind: "text", x: margin, y, text: line, font: "regular", size, color: muted },
      { kind: "text", x: numberX, y, text: number, font: "regular", size, color: muted },
    );
  }
}

/** Every text in the characters that the fonts have. */
function inFont<T>(value: T): T {
  if (typeof value === "string") return printable(value) as T;
  if (Array.isArray(value)) return value.map((item) => inFont(item)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inFont(item)])) as T;
}
