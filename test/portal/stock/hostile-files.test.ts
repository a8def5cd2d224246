import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readFile } from "../../../src/api/portal/catalog/product-import/read-file.ts";
import { sharedService } from "../../support/fixtures.ts";
import { openPortal, type Portal } from "../../support/portal.ts";
import { grid, inlineText, sheetOf, workbook } from "../../support/workbook.ts";

const service = sharedService();

async function upload(portal: Portal, file: string | Buffer) {
  const response = await fetch(`${service.baseUrl}/portal/api/product-imports?file_name=lista`, {
    method: "POST",
    headers: { cookie: portal.cookie, "content-type": "application/octet-stream" },
    body: file as string,
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a client would, without types
  return { status: response.status, body: (await response.json()) as any };
}

const headings = ["SKU", "Nombre", "Precio", "Costo", "Color", "Talla", "Marca", "Activo"];

/** A file that is accepted. */
const products = (count: number) =>
  workbook(
    grid(count + 1, headings.length, (address, row, column) => {
      if (row === 1) return inlineText(address, headings[column]!);
      if (column < 2) return inlineText(address, `P-${row}`);
      return column === headings.length - 1 ? inlineText(address, "Sí") : `<c r="${address}"><v>${row}</v></c>`;
    }),
  );

const strings = (...texts: string[]) => ({ "xl/sharedStrings.xml": `<sst>${texts.join("")}</sst>` });
const one = sheetOf(`<row r="1"><c r="A1" t="s"><v>0</v></c></row>`);
const cell = (text: string) => sheetOf(`<row r="1">${inlineText("A1", text)}</row>`);
const tooLarge = "demasiado grande por dentro";

/** Each of them kept the reader busy for seconds, or took hundreds of megabytes. */
const hostile: Record<string, { file: () => string | Buffer; says: string }> = {
  "a million cells": { file: () => workbook(grid(10_000, 50)), says: "demasiadas celdas" },
  "60 rows of 10 000 columns": { file: () => workbook(grid(60, 10_000)), says: "demasiadas celdas" },
  "700 000 rows": { file: () => workbook(grid(700_000, 1)), says: tooLarge },
  "two cells far apart": {
    file: () =>
      workbook(sheetOf('<row r="1"><c r="XFD1"><v>1</v></c></row><row r="9999"><c r="A9999"><v>1</v></c></row>')),
    says: "demasiadas celdas",
  },
  "a row beyond all rows": { file: () => workbook(sheetOf('<row r="1e9"></row>')), says: "dañado" },
  "two million tags, one in the other": {
    file: () => workbook(sheetOf(`<row r="1"><c r="A1">${"<a>".repeat(2_000_000)}`)),
    says: tooLarge,
  },
  "shared strings of 50 MB": {
    file: () => workbook(one, strings(...Array(50).fill(`<si><t>${"x".repeat(1024 * 1024)}</t></si>`))),
    says: tooLarge,
  },
  "a shared string of 20 MB": {
    file: () => workbook(one, strings(`<si><t>${"x".repeat(20 * 1024 * 1024)}</t></si>`)),
    says: "más de 32.767 caracteres",
  },
  "a million shared strings": { file: () => workbook(one, strings("<si><t/></si>".repeat(1_600_000))), says: tooLarge },
  "a long text in 80 000 cells": {
    file: () =>
      workbook(
        grid(10_000, 8, (address) => `<c r="${address}" t="s"><v>0</v></c>`),
        strings(`<si><t>${"x".repeat(4_900)}</t></si>`),
      ),
    says: "demasiado texto",
  },
  "a tag with 300 000 attributes": {
    file: () => workbook(sheetOf(`<row r="1" ${Array.from({ length: 300_000 }, (_, i) => `a${i}="1"`).join(" ")}/>`)),
    says: "dañado",
  },
  "200 000 formats": {
    file: () =>
      workbook(one, {
        "xl/styles.xml": `<styleSheet><cellXfs>${'<xf numFmtId="14"/>'.repeat(200_000)}</cellXfs></styleSheet>`,
      }),
    says: tooLarge,
  },
  "entities that do not end": { file: () => workbook(cell("&".repeat(8_000_000))), says: "dañado" },
  "a heading of three million asterisks": { file: () => `SKU;${"*".repeat(3_000_000)}x\nA;b`, says: "más de 32.767" },
  "a text of four megabytes in one line": { file: () => `SKU\n${"x".repeat(4_000_000)}`, says: "más de 32.767" },
  "four million columns": { file: () => `SKU${";".repeat(4_000_000)}`, says: "más de 60 columnas" },
  "four million lines": { file: () => "\n".repeat(4_000_000), says: "filas" },
};

test.each(Object.entries(hostile))("%s: refused, with what to do", async (_name, { file, says }) => {
  const { status, body } = await upload(await openPortal(service), file());
  expect([status, body.error?.param]).toEqual([400, "file"]);
  expect(body.error.message).toContain(says);
  expect(body.error.message).toMatch(/Divídalo|Deje|Copie|Acórtela|Ábralo/);
});

test("headings and words as long as a cell can be are compared with nothing", async () => {
  const long = `${"*".repeat(32_000)}x`;
  const rows = Array.from({ length: 50 }, (_, i) => `A-${i};a${" ".repeat(32_000)}%b;${long}`);
  const { body } = await upload(await openPortal(service), [`SKU;Impuesto;${long}`, ...rows].join("\n"));
  expect([body.import, body.error_count]).toEqual([null, 50]);
});

test("errors beyond those that are listed are counted, and stay in the reader", async () => {
  const lines = Array.from({ length: 3_000 }, (_, i) => `P-${i};a;b;c`);
  const read = await readFile("cuenta", Buffer.from(["SKU;Precio;Costo;Activo", ...lines].join("\n")));
  expect([read.rowCount, read.errors.length, read.errorCount]).toEqual([3_000, 200, 9_000]);
  // Of these rows all errors are told: they are compared too.
  const compared = read.batches.flatMap((batch) => JSON.parse(batch) as { row: number }[]).map(({ row }) => row);
  expect(compared).toEqual([...new Set(read.errors.map(({ row }) => row))]);
});

test("a file that takes more processor time than allowed is stopped", async () => {
  await expect(readFile("cuenta", products(10_000), { cpuMs: 50 })).rejects.toThrow("tardó demasiado");
});

test("the files of one account wait for one another, and another account's is read meanwhile", async () => {
  const [busy, neighbour] = [await openPortal(service), await openPortal(service)];
  const answered: string[] = [];
  const send = async (name: string, portal: Portal, file: string | Buffer) => {
    const { status } = await upload(portal, file);
    answered.push(`${name} ${status}`);
  };
  const file = products(4_000);
  await Promise.all([
    send("first", busy, file),
    send("second", busy, file),
    send("neighbour", neighbour, "SKU;Nombre;Precio\nA;B;1"),
  ]);
  expect(answered.toSorted()).toEqual(["first 200", "neighbour 200", "second 200"]);
  expect(answered.indexOf("neighbour 200")).toBeLessThan(2);
});

test.runIf(process.platform === "linux")("six accounts' files take two threads, and each gets its turn", async () => {
  const nameOf = (id: string) => {
    try {
      return readFileSync(`/proc/self/task/${id}/comm`, "utf8").trim();
    } catch {
      return "a thread that ended meanwhile";
    }
  };
  const threads = () => readdirSync("/proc/self/task").filter((id) => nameOf(id) === "WorkerThread").length;
  const before = threads();
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, threads() - before);
  }, 5);
  const file = products(2_000);
  const read = await Promise.all(Array.from({ length: 6 }, (_, i) => readFile(`cuenta ${i}`, file)));
  clearInterval(watch);
  expect(read.map(({ rowCount }) => rowCount)).toEqual(Array(6).fill(2_000));
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(2);
});

test("a fourth file of one account at once is refused until one is read", async () => {
  const file = Buffer.from("SKU;Nombre;Precio\nA;B;1");
  const four = await Promise.allSettled(Array.from({ length: 4 }, () => readFile("cuenta", file)));
  expect(four.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected"]);
  expect(four[3]).toMatchObject({ reason: { code: "RATE_LIMITED" } });
  expect((await readFile("cuenta", file)).rowCount).toBe(1);
});
