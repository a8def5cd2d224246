import ReceiptPrinterEncoder from "@point-of-sale/receipt-printer-encoder";
import type { Block } from "../../../register/paper.ts";

/** Characters on a line of the usual font: 80 mm and 58 mm. */
export type PaperWidth = 80 | 58;
const columnsOf: Record<PaperWidth, number> = { 80: 48, 58: 32 };

/** The bytes that print a ticket, cut it and, if asked, open the cash drawer. */
export function encodePaper(blocks: readonly Block[], width: PaperWidth, opensDrawer = false): Uint8Array {
  const columns = columnsOf[width];
  const encoder = new ReceiptPrinterEncoder({ language: "esc-pos", columns, feedBeforeCut: 4, embedded: false });
  encoder.initialize().codepage("auto");
  if (opensDrawer) encoder.pulse();
  for (const block of blocks) print(encoder, plainBlock(block), columns);
  return encoder.newline().cut().encode() as Uint8Array;
}

/** Only opens the cash drawer. */
export function encodeDrawer(): Uint8Array {
  return new ReceiptPrinterEncoder({ language: "esc-pos", columns: 32 }).initialize().pulse().encode() as Uint8Array;
}

/** The glyphs that code page 437 draws at the codes of control characters: the encoder would send ← as ESC. */
const glyphs = "☺☻♥♦♣♠•◘○◙♂♀♪♫☼►◄↕‼¶§▬↨↑↓→←∟↔▲▼⌂";
const alike: Readonly<Record<string, string>> = {
  "•": "*",
  "○": "o",
  "‼": "!!",
  "§": "S",
  "↑": "^",
  "→": "->",
  "←": "<-",
};
const asControl = new RegExp(`[${glyphs}]`, "gu");

/**
 * A printer obeys control characters wherever they stand, in a product's name too: ESC p opens the drawer. None of a text
 * reaches it, nor line ends, which we alone send.
 */
function plain(text: string): string {
  return text
    .replace(/[\t\n\r\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, "")
    .replace(asControl, (glyph) => alike[glyph] ?? "?");
}

function plainBlock(block: Block): Block {
  if ("text" in block) return { ...block, text: plain(block.text) };
  return "left" in block ? { ...block, left: plain(block.left), right: plain(block.right) } : block;
}

function print(encoder: ReceiptPrinterEncoder, block: Block, columns: number): void {
  switch (block.kind) {
    case "rule":
      encoder.line("-".repeat(columns));
      return;
    case "qr":
      encoder.align("center").qrcode(block.text, { model: 2, size: 5, errorlevel: "m" }).align("left");
      return;
    case "row":
      for (const line of rowLines(block.left, block.right, columns)) encoder.line(line);
      return;
    case "total":
      encoder.bold(true);
      for (const line of rowLines(block.left, block.right, columns)) encoder.line(line);
      encoder.bold(false);
      return;
    case "title":
    case "strong":
      encoder.align("center").bold(true).line(block.text).bold(false).align("left");
      return;
    case "item":
      encoder.bold(true).line(block.text).bold(false);
      return;
    case "center":
      encoder.align("center").line(block.text).align("left");
      return;
    case "text":
    case "code":
      encoder.line(block.text);
      return;
    default:
      block satisfies never;
  }
}

/** The amount stays at the right margin; a text that leaves it no room gets lines of its own. */
export function rowLines(left: string, right: string, columns: number): string[] {
  const room = columns - right.length - 1;
  if (left.length <= room) return [left + " ".repeat(columns - left.length - right.length) + right];
  return [left, right.padStart(columns)];
}
