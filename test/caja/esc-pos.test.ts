import { expect, test } from "vitest";
import { encodeDrawer, encodePaper, rowLines } from "../../caja/src/paper/esc-pos.ts";
import { unknownBusiness } from "../../register/business.ts";
import type { Block } from "../../register/paper.ts";
import { closeShift, openShift, withRefund } from "../../register/shift.ts";
import { shiftPaper } from "../../register/shift-paper.ts";
import type { ShiftReport } from "../../register/shift-report.ts";
import { noSums } from "../../src/business/sale-totals/definition.ts";
import { readEscPos } from "../support/esc-pos-reader.ts";

const blocks: Block[] = [
  { kind: "title", text: "Panadería El Niño" },
  { kind: "rule" },
  { kind: "text", text: "Café con leche" },
  { kind: "row", left: "  2 × $3.200", right: "$6.400" },
  { kind: "total", left: "TOTAL", right: "$6.400" },
  {
    kind: "qr",
    text: "https://catalogo-vpfe.dian.gov.co/document/searchqr?documentkey=ab12",
    says: "Código QR del documento",
  },
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

test.each([
  [80, 48],
  [58, 32],
] as const)("the close of a shift on %i mm paper keeps every sum at the margin", (width, columns) => {
  const opened = openShift({ id: "s", registerName: "Caja 1", at: new Date(), base: 50_000, by: "Ana Lucía" });
  const made = { total: 5_000, tax: 0, discount: 0, tip_amount: 0, lines: [] };
  const shift = closeShift(withRefund(opened, "CARD", made), { at: new Date(), counted: 50_000, by: "Ana Lucía" });
  const documents = [{ document_type: "pos_document", prefix: "EPOS", first: 1, last: 1_234, count: 1_234 }];
  const report: ShiftReport = {
    sums: { ...noSums, tickets: 1_234, gross: 98_765_400, discount: 12_000, tip: 45_000, reversals: 3 },
    ...{ payments: [{ payment_method: "CASH", count: 1_234, amount: 98_810_400 }], line_discount: 6_500 },
    returns: shift.returns!,
    taxes: [{ code: "01", rate: 19, per_unit: null, base: 82_996_134, amount: 15_769_266 }],
    cancelled: { count: 2, total: 30_000 },
    cashiers: [{ name: "María de los Ángeles Restrepo", count: 1_234, total: 98_765_400 }],
    documents,
    unconfirmed: 3,
  };
  const { lines } = readEscPos(encodePaper(shiftPaper(shift, { ...unknownBusiness, name: "Tienda" }, report), width));
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  const text = lines.join("\n");
  for (const sum of [
    "$15.769.266",
    "-$12.000",
    "$45.000",
    "$30.000",
    "-$5.000",
    "-$6.500",
    "$98.765.400",
    "$98.810.400",
    "EPOS1 a EPOS1234",
  ])
    expect(text).toContain(`${sum}\n`);
  expect(text).toMatch(/Documentos por confirmar +3\n/);
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
