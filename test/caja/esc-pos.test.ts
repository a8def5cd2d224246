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

test("a drawer opens without paper, and a long text leaves the amount at the margin", () => {
  expect(readEscPos(encodeDrawer())).toMatchObject({ drawerKicks: 1, cuts: 0 });
  expect(rowLines("Un nombre larguísimo", "$12.000", 20)).toEqual(["Un nombre larguísimo", "             $12.000"]);
});
