import { expect, test } from "vitest";
import { codeIn, numberIn, wholeNumberIn, yesOrNoIn } from "./cell-values.ts";

test.each([
  ["12500", 12_500],
  ["12.500", 12_500],
  ["$ 12.500", 12_500],
  ["1.250.000", 1_250_000],
  ["12500,50", 12_500.5],
  ["12.500,50", 12_500.5],
  ["12,500.50", 12_500.5],
  ["1,250,000", 1_250_000],
  ["12.5", 12.5],
  ["0,5", 0.5],
  ["0.500", 0.5],
  ["19 %", 19],
  ["-3", -3],
  [7.25, 7.25],
])("%j is %d", (cell, value) => {
  expect(numberIn(cell)).toBe(value);
});

test.each(["mil", "12.50.0", "1.2,3,4", "1,25,000", "1e9", "0x10", "--1", "12,", ".", "1.2500,5"])(
  "%j is no number",
  (cell) => {
    expect(() => numberIn(cell)).toThrow("no es un número");
  },
);

test("a whole number has no decimals, however they are written", () => {
  expect(wholeNumberIn("4500,00")).toBe(4_500);
  expect(() => wholeNumberIn("1,250")).toThrow("tiene decimales");
});

test("yes and no are understood as people write them", () => {
  expect(["Sí", "si", "X", "VERDADERO", true].map(yesOrNoIn)).toEqual([true, true, true, true, true]);
  expect(["No", "falso", "0", false].map(yesOrNoIn)).toEqual([false, false, false, false]);
  expect(() => yesOrNoIn("tal vez")).toThrow("Escriba Sí o No");
});

test.each(["1,23457E+12", "7.70254E+12", "7E+12", 1.5e21, 7.702535011089123e18])(
  "%s is a code that Excel cut short",
  (cell) => {
    expect(() => codeIn(cell)).toThrow("no es el código completo");
  },
);

test.each([
  [7702535011089, "7702535011089"],
  ["E12", "E12"],
  ["1E5-A", "1E5-A"],
  ["0012", "0012"],
])("%s is a code as it stands", (cell, code) => {
  expect(codeIn(cell)).toBe(code);
});
