import type { Font } from "./fonts.ts";
import { widthOf, wrap } from "./metrics.ts";
import type { Sheet } from "./sheet.ts";

/** Something to draw, at its place on a page. */
export type Mark =
  | { kind: "text"; x: number; y: number; text: string; font: Font; size: number; color: string }
  | { kind: "box"; x: number; y: number; width: number; height: number; fill: string }
  | { kind: "rule"; x: number; y: number; width: number; color: string }
  | { kind: "qr"; x: number; y: number; size: number; text: string };

export interface LaidOut {
  pages: Mark[][];
  /** Of every page. */
  height: number;
  /** A paper with more pages than are drawn says so on its last one. */
  isCut: boolean;
}

export const ink = "#1d2328";
export const muted = "#5b6670";
export const faint = "#c9d0d5";

/** Enough for 2 000 lines, the most that a sale has. */
export const mostPages = 80;
const lineHeight = 1.28;

export interface TextStyle {
  font?: Font;
  size?: number;
  color?: string;
  align?: "left" | "center" | "right";
  /** Lines before the text is cut. */
  most?: number;
}

/** Where the next block goes. Blocks put their marks here, from top to bottom. */
export interface Flow {
  readonly sheet: Sheet;
  readonly left: number;
  readonly width: number;
  y: number;
  /** Begins a page unless this much fits on the current one; true if it did. */
  need(height: number): boolean;
  skip(height: number): void;
  mark(mark: Mark): void;
  /** Writes text between x and x + width at y, and returns its height; y does not move. */
  write(text: string, x: number, y: number, width: number, style?: TextStyle): number;
  heightOf(text: string, width: number, style?: TextStyle): number;
  finish(): LaidOut;
}

export function newFlow(sheet: Sheet): Flow {
  const footHeight = sheet.isTicket ? 0 : 2.4 * sheet.size;
  const bottom = sheet.height - sheet.margin - footHeight;
  const pages: Mark[][] = [[]];
  let isCut = false;

  const linesOf = (text: string, width: number, { font = "regular", size = sheet.size, most }: TextStyle) =>
    wrap(text, font, size, width, most);

  const flow: Flow = {
    sheet,
    left: sheet.margin,
    width: sheet.width - 2 * sheet.margin,
    y: sheet.margin,
    need(height) {
      if (flow.y + height <= bottom || flow.y === sheet.margin) return false;
      if (pages.length === mostPages) {
        isCut = true;
        return false;
      }
      pages.push([]);
      flow.y = sheet.margin;
      return true;
    },
    skip(height) {
      flow.y += height;
    },
    mark(mark) {
      if (!isCut) pages.at(-1)!.push(mark);
    },
    write(text, x, y, width, style = {}) {
      const { font = "regular", size = sheet.size, color = ink, align = "left" } = style;
      const lines = linesOf(text, width, style);
      for (const [i, line] of lines.entries()) {
        const free = align === "left" ? 0 : width - widthOf(line, font, size);
        const at = x + (align === "center" ? free / 2 : free);
        flow.mark({ kind: "text", x: at, y: y + i * size * lineHeight, text: line, font, size, color });
      }
      return lines.length * size * lineHeight;
    },
    heightOf: (text, width, style = {}) => linesOf(text, width, style).length * (style.size ?? sheet.size) * lineHeight,
    finish: () => ({
      pages,
      height: sheet.isTicket && pages.length === 1 ? flow.y + sheet.margin : sheet.height,
      isCut,
    }),
  };
  return flow;
}
