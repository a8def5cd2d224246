import { expect, test } from "vitest";
import { interpret } from "./interpret.ts";
import { readCsv } from "./read-csv.ts";

test.each([
  ["Excel in Colombia", Buffer.from("a;b\r\nñ;2\r\n", "latin1")],
  ["UTF-8 with a byte order mark", Buffer.from("\ufeffa;b\nñ;2")],
  ["UTF-16", Buffer.from("\ufeffa\tb\r\nñ\t2", "utf16le")],
  ["commas", Buffer.from("a,b\nñ,2\n")],
  ["a declared delimiter", Buffer.from("sep=|\na|b\nñ|2")],
])("%s is understood", (_name, bytes) => {
  expect(readCsv(bytes)).toEqual([
    ["a", "b"],
    ["ñ", "2"],
  ]);
});

test("quotes hold delimiters, quotes and lines", () => {
  expect(readCsv(Buffer.from('a;"b;""c""\nd";\n;"";x\n'))).toEqual([
    ["a", 'b;"c"\nd', ""],
    ["", "", "x"],
  ]);
  expect(readCsv(Buffer.from('"a"b;c'))).toEqual([["ab", "c"]]);
});

test("empty lines are rows without text", () => {
  expect(readCsv(Buffer.from("a\n\nb"))).toEqual([["a"], [""], ["b"]]);
});

test.each([
  ["\n;;\n", "vacío"],
  ["SKU;Nombre\n", "solo tiene los títulos"],
  ['SKU;Nombre\n"a;b', "comilla"],
  [`SKU${";".repeat(100)}\nx`, "columnas"],
])("%j is no list of products", (text, reason) => {
  expect(() => interpret(readCsv(Buffer.from(text)))).toThrow(reason);
});

test.each([
  ["Marca;Modelo\nx;y", "No se encontró la columna"],
  ["SKU;Código\nx;y", "«SKU» está dos veces"],
])("of %j the owner says what the columns are", (text, reason) => {
  const { rows, headings, unclear } = interpret(readCsv(Buffer.from(text)));
  expect([rows, unclear]).toEqual([[], expect.stringContaining(reason)]);
  expect(headings.map(({ examples }) => examples)).toEqual([["x"], ["y"]]);
  const chosen = interpret(readCsv(Buffer.from(text)), [null, "name"]);
  expect(chosen).toMatchObject({ unclear: null, rows: [{ row: 2, fields: { name: "y" } }] });
});
