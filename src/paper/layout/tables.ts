import type { PaperLine, Table, Total } from "../paper.ts";
import { layTitle } from "./blocks.ts";
import { type Flow, faint, ink, muted } from "./flow.ts";
import { widthOf } from "./metrics.ts";

const bold = "bold";

/** The goods of a document: a table on an A4; on a ticket, the name and below it quantity, price, tax and total. */
export function layLines(flow: Flow, lines: readonly PaperLine[], color: string): void {
  if (flow.sheet.isTicket) {
    flow.mark({ kind: "rule", x: flow.left, y: flow.y, width: flow.width, color: ink });
    flow.skip(flow.sheet.size * 0.5);
    for (const line of lines) layTicketLine(flow, line);
    flow.mark({ kind: "rule", x: flow.left, y: flow.y, width: flow.width, color: ink });
    return;
  }
  const rows = lines.map((line) => [line.description, line.quantity, line.price, line.tax, line.total]);
  layRows(flow, ["Descripción", "Cantidad", "Valor unitario", "Impuesto", "Total"], rows, color);
}

function layTicketLine(flow: Flow, { description, quantity, price, tax, total }: PaperLine): void {
  const { size } = flow.sheet;
  const detail = `${quantity} x ${price} · ${tax}`;
  const totalWidth = widthOf(total, "regular", size) + 4;
  const detailWidth = flow.width - totalWidth;
  flow.need(flow.heightOf(description, flow.width) + flow.heightOf(detail, detailWidth));
  flow.skip(flow.write(description, flow.left, flow.y, flow.width, { most: 4 }));
  flow.write(total, flow.left + detailWidth, flow.y, totalWidth, { align: "right" });
  flow.skip(flow.write(detail, flow.left, flow.y, detailWidth) + size * 0.35);
}

export function layTable(flow: Flow, { title, head, rows }: Table, color: string): void {
  const { size, isTicket } = flow.sheet;
  flow.need(size * 6);
  layTitle(flow, title, color);
  // On an A4 the numbers stand nearer to their names when the columns are even.
  if (!isTicket || fits(flow, head, rows)) {
    layRows(flow, head, rows, color, isTicket ? 0 : flow.width * 0.16);
    return;
  }
  // Too narrow for columns: the first cell above, the others below it, each with its name.
  for (const [first = "", ...others] of rows) {
    flow.need(size * 3);
    flow.skip(flow.write(first, flow.left, flow.y, flow.width, { font: bold }));
    for (const [i, value] of others.entries()) layPair(flow, head[i + 1]!, value, {});
  }
}

const cellGap = 6;

function columnWidths(flow: Flow, head: readonly string[], rows: readonly (readonly string[])[], least = 0): number[] {
  const { size } = flow.sheet;
  return head.map((name, i) => {
    if (i === 0) return 0;
    // Later rows are no wider than the first thousand: these are numbers.
    const cells = rows.slice(0, 1000).map((row) => widthOf(row[i] ?? "", "regular", size));
    return Math.max(least, Math.min(flow.width * 0.3, Math.max(widthOf(name, bold, size), ...cells)) + cellGap);
  });
}

function fits(flow: Flow, head: readonly string[], rows: readonly (readonly string[])[]): boolean {
  const taken = columnWidths(flow, head, rows).reduce((sum, width) => sum + width, 0);
  return flow.width - taken >= flow.sheet.size * 7;
}

/** Rows with a head that is repeated on each page. All columns but the first are numbers or short words, to the right. */
function layRows(
  flow: Flow,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  color: string,
  leastWidth = 0,
): void {
  const { size, isTicket } = flow.sheet;
  const widths = columnWidths(flow, head, rows, leastWidth);
  widths[0] = flow.width - widths.reduce((sum, width) => sum + width, 0);
  const lefts = widths.map((_, i) => flow.left + widths.slice(0, i).reduce((sum, width) => sum + width, 0));
  const writeRow = (row: readonly string[], font: "regular" | "bold", ofColor: string) => {
    const heights = row.map((cell, i) =>
      flow.write(cell, lefts[i]! + (i === 0 ? 0 : cellGap), flow.y, widths[i]! - (i === 0 ? 0 : cellGap), {
        font,
        color: ofColor,
        align: i === 0 ? "left" : "right",
        most: 6,
      }),
    );
    flow.skip(Math.max(...heights));
  };
  const writeHead = () => {
    writeRow(head, bold, isTicket ? ink : color);
    flow.mark({ kind: "rule", x: flow.left, y: flow.y, width: flow.width, color: isTicket ? ink : color });
    flow.skip(size * 0.45);
  };
  flow.need(size * 5);
  writeHead();
  for (const row of rows) {
    const height = Math.max(
      ...row.map((cell, i) => flow.heightOf(cell, widths[i]! - (i === 0 ? 0 : cellGap), { most: 6 })),
    );
    if (flow.need(height + size * 0.5)) writeHead();
    writeRow(row, "regular", ink);
    if (isTicket) continue;
    flow.skip(size * 0.2);
    flow.mark({ kind: "rule", x: flow.left, y: flow.y, width: flow.width, color: faint });
    flow.skip(size * 0.3);
  }
}

/** Sums at the right edge of an A4, over the whole width of a ticket. They stay together. */
export function layTotals(flow: Flow, { title, totals }: { title?: string; totals: Total[] }, color: string): void {
  const { size, isTicket } = flow.sheet;
  flow.need(totals.length * size * 1.6 + size * (title === undefined ? 1 : 3));
  if (title !== undefined) layTitle(flow, title, color);
  for (const { label, value, isGrand } of totals) {
    if (!isGrand) {
      layPair(flow, label, value, {});
      continue;
    }
    const { left, width } = totalsPlace(flow);
    flow.skip(size * 0.3);
    flow.mark({ kind: "rule", x: left, y: flow.y, width, color: isTicket ? ink : color });
    flow.skip(size * 0.5);
    layPair(flow, label, value, { font: bold, size: size * 1.4 });
  }
}

function totalsPlace({ sheet, left, width }: Flow): { left: number; width: number } {
  return sheet.isTicket ? { left, width } : { left: left + width * 0.5, width: width * 0.5 };
}

function layPair(flow: Flow, label: string, value: string, style: { font?: "bold"; size?: number }): void {
  const { left, width } = totalsPlace(flow);
  const { font = "regular", size = flow.sheet.size } = style;
  const valueWidth = Math.min(width * 0.65, widthOf(value, font, size) + 4);
  const height = Math.max(flow.heightOf(label, width - valueWidth, style), flow.heightOf(value, valueWidth, style));
  flow.need(height);
  const isQuiet = !flow.sheet.isTicket && style.font === undefined;
  flow.write(label, left, flow.y, width - valueWidth, { ...style, color: isQuiet ? muted : ink });
  flow.write(value, left + width - valueWidth, flow.y, valueWidth, { ...style, align: "right" });
  flow.skip(height);
}
