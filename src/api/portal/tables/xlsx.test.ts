import readWorkbook from "read-excel-file/node";
import { expect, test } from "vitest";
import { linesOf, onePage, type Table, tableLimits } from "./table.ts";
import { columnName, xlsxOf } from "./xlsx.ts";

interface Line {
  text: string | null;
  pesos: number | null;
  at: Date;
}

async function written(rows: readonly Line[], title = "Ventas"): Promise<Buffer> {
  const table: Table<Line> = {
    title,
    columns: [
      { title: "Texto", type: "text", value: ({ text }) => text },
      { title: "Pesos", type: "pesos", value: ({ pesos }) => pesos },
      { title: "Momento", type: "moment", value: ({ at }) => at },
      { title: "Día", type: "date", value: ({ at }) => at },
      { title: "Pagado", type: "flag", value: ({ pesos }) => pesos !== null },
    ],
    pages: onePage(async () => rows),
  };
  return Buffer.concat(await collected(xlsxOf(title, table.columns, linesOf(table, tableLimits))));
}

const at = new Date("2026-11-16T03:00:30Z");

test("another program reads the workbook: numbers are numbers, dates are dates, a formula stays text", async () => {
  const file = await written([
    { text: "=1+1 & <b>ñandú</b>", pesos: 12_500, at },
    { text: null, pesos: null, at },
  ]);
  const [sheet] = await readWorkbook(file);
  expect(sheet!.sheet).toBe("Ventas");
  expect(sheet!.data).toEqual([
    ["Texto", "Pesos", "Momento", "Día", "Pagado"],
    // A spreadsheet's date has no zone: it shows Colombian time.
    ["=1+1 & <b>ñandú</b>", 12_500, new Date("2026-11-15T22:00:30Z"), new Date("2026-11-15T00:00:00Z"), "Sí"],
    [null, null, new Date("2026-11-15T22:00:30Z"), new Date("2026-11-15T00:00:00Z"), "No"],
  ]);
});

test("what XML cannot write is left out, and a text is cut where Excel would refuse the file", async () => {
  const file = await written([{ text: `a\u0000\u001fb${"x".repeat(40_000)}`, pesos: 1, at }]);
  const [sheet] = await readWorkbook(file);
  expect((sheet!.data[1]![0] as string).slice(0, 3)).toBe("abx");
  expect((sheet!.data[1]![0] as string).length).toBeLessThanOrEqual(32_767);
});

test("a sheet's name is one that Excel accepts", async () => {
  const [sheet] = await readWorkbook(await written([], "Ventas: «marzo» [1/2] con un nombre muy largo"));
  expect(sheet!.sheet).toBe("Ventas  «marzo»  1 2  con un no");
});

test("columns after Z go on with AA", () => {
  expect([0, 25, 26, 51, 52, 701, 702].map(columnName)).toEqual(["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
});

async function collected<T>(parts: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const part of parts) all.push(part);
  return all;
}
