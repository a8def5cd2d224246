import { expect, test } from "vitest";
import { encodeDrawer, encodePaper, rowLines } from "../../caja/src/paper/esc-pos.ts";
import type { Block } from "../../register/paper.ts";
import { readEscPos } from "../support/esc-pos-reader.ts";

const blocks: Block[] = [
  { kind: "title", text: "Panadería El Niño" },
  { kind: "rule" },
  { kind: "text", text: "Café con leche" },
  { kind: "row", left: "  2 × $3.200", right: "$6.400" },
  { kind: "total", left: "TOTAL", right: "$6.400" },
  { kind: "qr", text: "https://catalogo-vpfe.dian.gov.co/document/searchqr?documentkey=ab12" },
];

test.each([
  [80, 48],
  [58, 32],
] as const)("a ticket on %i mm paper reads back as it was written", (width, columns) => {
  const { lines, codes, cuts, drawerKicks } = readEscPos(encodePaper(blocks, width, true));
  expect(lines.map((line) => line.trim())).toContain("Panadería El Niño");
  expect(lines).toContain("Café con leche");
  expect(lines).toContain("-".repeat(columns));
  expect(lines).toContain(`TOTAL${" ".repeat(columns - 11)}$6.400`);
  expect(lines.find((line) => line.includes("$3.200"))).toMatch(/ {2}2 . \$3\.200 +\$6\.400$/);
  expect(codes).toEqual(["https://catalogo-vpfe.dian.gov.co/document/searchqr?documentkey=ab12"]);
  expect([cuts, drawerKicks]).toEqual([1, 1]);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
});

/** ESC p and GS V as they are, as the glyphs that code page 437 keeps at the same codes, and in C1's notation. */
const attacks = [
  "\u001bp\u0000",
  "←p\u0001\u0002",
  "\u001dV\u0000",
  "↔V0",
  "\u0010\u0014\u0001\u0000",
  "►¶0",
  "\u009bp\u007f",
];

test.each(["title", "center", "text", "strong", "code"] as const)("no text of a %s commands the printer", (kind) => {
  const { lines, cuts, drawerKicks } = readEscPos(encodePaper([{ kind, text: `Pan${attacks.join("")} dulce` }], 80));
  expect([cuts, drawerKicks]).toEqual([1, 0]);
  expect(lines.join("")).toMatch(/Pan.*dulce/);
});

test.each(["row", "total"] as const)("no text of a %s commands the printer", (kind) => {
  const block = { kind, left: `Pan${attacks.join("")}`, right: `$1${attacks.join("")}` };
  expect(readEscPos(encodePaper([block], 80))).toMatchObject({ cuts: 1, drawerKicks: 0 });
});

test("what a text sends to the printer are printable bytes and changes of code page", () => {
  const glyphs = "\u0000\u0007\u001b\u007f\u0085\u200b\u2028☺☻♥♦♣♠•◘○◙♂♀♪♫☼►◄↕‼¶§▬↨↑↓→←∟↔▲▼⌂";
  const bare = bytesOf("");
  const sent = bytesOf(glyphs);
  const commands = (bytes: string) => [...bytes].filter((byte) => byte < " ").length;
  expect(commands(sent)).toBe(commands(bare));
  expect(bytesOf("Leche\nentera\tfría")).toContain("Leche entera fr");
});

/** Without changes of code page, one character per byte. */
function bytesOf(text: string): string {
  const bytes = encodePaper([{ kind: "text", text }], 80);
  const [first, ...changes] = Buffer.from(bytes).toString("latin1").split("\u001bt");
  return first + changes.map((part) => part.slice(1)).join("");
}

test("a drawer opens without paper, and a long text leaves the amount at the margin", () => {
  expect(readEscPos(encodeDrawer())).toMatchObject({ drawerKicks: 1, cuts: 0 });
  expect(rowLines("Un nombre larguísimo", "$12.000", 20)).toEqual(["Un nombre larguísimo", "             $12.000"]);
});
