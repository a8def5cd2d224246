import { expect, test } from "vitest";
import { csvCell, csvOf } from "./csv.ts";
import { linesOf, onePage, type Table } from "./table.ts";

const lines = async (rows: readonly string[], limits = { rows: 100, characters: 1000 }) => {
  const table: Table<string> = {
    title: "Palabras",
    columns: [
      { title: "Palabra", type: "text", value: (word) => word },
      { title: "Letras", type: "number", value: (word) => word.length / 2 },
    ],
    pages: onePage(async () => rows),
  };
  return (await collected(csvOf(table.columns, linesOf(table, limits)))).join("");
};

test("a table begins with a byte order mark, and its lines end as Excel ends them", async () => {
  expect(await lines(["sal", "azúcar"])).toBe("\uFEFFPalabra;Letras\r\nsal;1,5\r\nazúcar;3\r\n");
});

test.each([
  ["=1+1", "'=1+1"],
  ["+57 300 123 4567", "'+57 300 123 4567"],
  ["-2", "'-2"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["＝1+1", "'＝1+1"],
  ['=HYPERLINK("http://x";"y")', `"'=HYPERLINK(""http://x"";""y"")"`],
])("the text %j is not run as a formula", (text, cell) => {
  expect(csvCell("text", text)).toBe(cell);
});

test.each([
  ["text", 'Tienda "La Esquina"; centro', '"Tienda ""La Esquina""; centro"'],
  ["text", "dos\nlíneas", '"dos\nlíneas"'],
  ["text", null, ""],
  ["pesos", -1_500, "-1500"],
  ["number", 1.735, "1,735"],
  ["flag", true, "Sí"],
  ["date", new Date("2026-11-16T03:00:00Z"), "2026-11-15"],
  ["moment", new Date("2026-11-16T03:00:09Z"), "2026-11-15 22:00:09"],
] as const)("a cell of type %s writes %j as %j", (type, value, cell) => {
  expect(csvCell(type, value)).toBe(cell);
});

test("a table that is too long says in its last line that more was left out", async () => {
  expect(await lines(["a", "b", "c"], { rows: 2, characters: 1000 })).toMatch(
    /\nb;0,5\r\nAquí van las primeras 2 filas/,
  );
  expect(await lines(["a", "b"], { rows: 2, characters: 1000 })).not.toContain("Aquí van");
  expect(await lines(["una palabra muy larga", "b", "c"], { rows: 9, characters: 20 })).toContain(
    "las primeras 1 filas",
  );
});

async function collected<T>(parts: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const part of parts) all.push(part);
  return all;
}
