import fc from "fast-check";
import { expect, test } from "vitest";
import { readCsv } from "../catalog/product-import/read-csv.ts";
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
  expect(await lines(["sal", "azúcar"])).toBe('\uFEFFPalabra;Letras\r\nsal;"1,5"\r\nazúcar;3\r\n');
});

test.each([
  ["=1+1", "'=1+1"],
  ["+57 300 123 4567", "'+57 300 123 4567"],
  ["-2", "'-2"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", '"\'\t=1"'],
  ["＝1+1", "'＝1+1"],
  ['=HYPERLINK("http://x";"y")', `"'=HYPERLINK(""http://x"";""y"")"`],
])("the text %j is not run as a formula", (text, cell) => {
  expect(csvCell("text", text)).toBe(cell);
});

test.each([
  ["text", 'Tienda "La Esquina"; centro', '"Tienda ""La Esquina""; centro"'],
  ["text", "pan,=1+1", '"pan,=1+1"'],
  ["text", "pan\t=1+1", '"pan\t=1+1"'],
  ["text", "pan\r=1+1", '"pan\r=1+1"'],
  ["text", "dos\nlíneas", '"dos\nlíneas"'],
  ["text", null, ""],
  ["pesos", -1_500, "-1500"],
  ["number", 1.735, '"1,735"'],
  ["flag", true, "Sí"],
  ["date", new Date("2026-11-16T03:00:00Z"), "2026-11-15"],
  ["moment", new Date("2026-11-16T03:00:09Z"), "2026-11-15 22:00:09"],
] as const)("a cell of type %s writes %j as %j", (type, value, cell) => {
  expect(csvCell(type, value)).toBe(cell);
});

/** By RFC 4180, for any separator. Written apart from the import's reader, so that each checks the other. */
function readTable(text: string, separator: string): string[][] {
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n)`, "y");
  const rows: string[][] = [[]];
  while (cell.lastIndex < text.length) {
    const [, inQuotes, plain, end] = cell.exec(text)!;
    rows.at(-1)!.push(inQuotes?.replaceAll('""', '"') ?? plain!);
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

test("any text comes back from a table, and no separator of another program splits it", async () => {
  const piece = fc.constantFrom(",", ";", "\t", "\n", "\r", '"', "=", " ", "pan", "ñ", "|");
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(piece, { minLength: 1 }).map((all) => all.join(""))), async (words) => {
      const file = (await lines(words)).slice(1);
      const read = readTable(file, ";").slice(1);
      expect(read.map(([word]) => word!.replace(/^'(?=[=\t\r\n])/, ""))).toEqual(words);
      expect(read.map(([, letters]) => Number(letters!.replace(",", ".")))).toEqual(
        words.map((word) => word.length / 2),
      );
      expect(readCsv(Buffer.from(file)).slice(1)).toEqual(read);
      for (const other of [",", "\t"]) expect(splitRows(file, other).slice(1)).toEqual(words.map(() => 1));
    }),
  );
});

/** How many cells a reader with another separator sees in each row. */
function splitRows(file: string, separator: string): number[] {
  const bare = file.replace(/"(?:[^"]|"")*"/g, "x");
  return bare
    .split("\r\n")
    .slice(0, -1)
    .map((row) => row.split(separator).length);
}

test("a table that is too long says in its last line that more was left out", async () => {
  expect(await lines(["a", "b", "c"], { rows: 2, characters: 1000 })).toMatch(
    /\nb;"0,5"\r\n"Aquí van las primeras 2 filas/,
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
