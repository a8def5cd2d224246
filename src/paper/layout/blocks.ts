import type { Block, Fact, Letterhead } from "../paper.ts";
import { type Flow, faint, ink, muted } from "./flow.ts";

const bold = "bold";

/** The business on the left and the document's name and number on the right; on a ticket, one below the other. */
export function layLetterhead(
  flow: Flow,
  { name, lines, title, number }: Letterhead,
  color: string,
  band: string,
): void {
  const { sheet, left, width, y } = flow;
  const { size, isTicket } = sheet;
  if (!isTicket) flow.mark({ kind: "box", x: 0, y: 0, width: sheet.width, height: 5, fill: band });
  const align = isTicket ? "center" : "left";
  const ownWidth = isTicket ? width : width * 0.56;
  const nameSize = size * (name.length > 40 ? 1.3 : 1.7);
  let ownY = y + flow.write(name, left, y, ownWidth, { font: bold, size: nameSize, color, align, most: 8 });
  for (const line of lines) ownY += flow.write(line, left, ownY, ownWidth, { align, color: isTicket ? ink : muted });

  const titleX = isTicket ? left : left + width * 0.6;
  const titleWidth = isTicket ? width : width * 0.4;
  const titleAlign = isTicket ? "center" : "right";
  let titleY = isTicket ? ownY + size * 0.7 : y;
  if (isTicket) {
    flow.mark({ kind: "rule", x: left, y: titleY, width, color: ink });
    titleY += size * 0.6;
  }
  titleY += flow.write(title, titleX, titleY, titleWidth, { font: bold, size: size * 1.05, align: titleAlign });
  if (number !== null)
    titleY +=
      flow.write(number, titleX, titleY + 2, titleWidth, { font: bold, size: size * 1.7, color, align: titleAlign }) +
      2;
  flow.y = Math.max(ownY, titleY);
}

export function layNotice(flow: Flow, text: string): void {
  const { size } = flow.sheet;
  const padding = size * 0.7;
  const inner = flow.width - 2 * padding;
  const height = flow.heightOf(text, inner, { font: bold }) + 2 * padding - size * 0.28;
  flow.need(height);
  flow.mark({ kind: "box", x: flow.left, y: flow.y, width: flow.width, height, fill: "#1d2328" });
  flow.write(text, flow.left + padding, flow.y + padding, inner, { font: bold, color: "#ffffff" });
  flow.skip(height);
}

export function layTitle(flow: Flow, title: string, color: string): void {
  const { size, isTicket } = flow.sheet;
  flow.skip(flow.write(title, flow.left, flow.y, flow.width, { font: bold, color: isTicket ? ink : color }));
  flow.mark({ kind: "rule", x: flow.left, y: flow.y, width: flow.width, color: isTicket ? ink : faint });
  flow.skip(size * 0.45);
}

/** Two columns on an A4; on a ticket, label and value on one line. */
export function layFacts(flow: Flow, title: string | undefined, facts: readonly Fact[], color: string): void {
  const { size, isTicket } = flow.sheet;
  flow.need(size * 4);
  if (title !== undefined) layTitle(flow, title, color);
  if (isTicket) {
    for (const [label, value] of facts) {
      const text = `${label}: ${value}`;
      flow.need(flow.heightOf(text, flow.width));
      flow.skip(flow.write(text, flow.left, flow.y, flow.width));
    }
    return;
  }
  const gap = size * 2;
  const columnWidth = (flow.width - gap) / 2;
  const labelWidth = columnWidth * 0.4;
  const valueWidth = columnWidth - labelWidth;
  for (let i = 0; i < facts.length; i += 2) {
    const pair = facts.slice(i, i + 2);
    const height = Math.max(
      ...pair.map(([label, value]) => Math.max(flow.heightOf(label, labelWidth), flow.heightOf(value, valueWidth))),
    );
    flow.need(height);
    for (const [j, [label, value]] of pair.entries()) {
      const x = flow.left + j * (columnWidth + gap);
      flow.write(label, x, flow.y, labelWidth - 4, { color: muted });
      flow.write(value, x + labelWidth, flow.y, valueWidth);
    }
    flow.skip(height + size * 0.15);
  }
}

/** The QR with the code that it leads to: side by side on an A4, one below the other on a ticket. */
export function layCode(flow: Flow, { label, code, url, explanation }: Extract<Block, { kind: "code" }>): void {
  const { size, isTicket, qrSize } = flow.sheet;
  const textX = isTicket ? flow.left : flow.left + qrSize + size * 1.5;
  const textWidth = flow.left + flow.width - textX;
  const codeStyle = { font: "regular", size: size * 0.95 } as const;
  const textHeight = size * 1.5 + flow.heightOf(code, textWidth, codeStyle) + flow.heightOf(explanation, textWidth);
  flow.need(isTicket ? qrSize + textHeight + size : Math.max(qrSize, textHeight));
  const top = flow.y;
  const qrX = isTicket ? flow.left + (flow.width - qrSize) / 2 : flow.left;
  flow.mark({ kind: "qr", x: qrX, y: top, size: qrSize, text: url });
  let y = isTicket ? top + qrSize + size * 0.4 : top + size;
  y += flow.write(label, textX, y, textWidth, { font: bold });
  y += flow.write(code, textX, y, textWidth, codeStyle) + size * 0.4;
  y += flow.write(explanation, textX, y, textWidth, { color: isTicket ? ink : muted });
  flow.y = Math.max(y, isTicket ? y : top + qrSize);
}

export function layText(flow: Flow, text: string, isCentered: boolean): void {
  const { isTicket } = flow.sheet;
  const style = { color: isTicket ? ink : muted, align: isCentered ? "center" : "left", most: 30 } as const;
  flow.need(flow.heightOf(text, flow.width, style));
  flow.skip(flow.write(text, flow.left, flow.y, flow.width, style));
}
