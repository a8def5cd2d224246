import { deflateRawSync } from "node:zlib";
import { beforeEach, expect, test } from "vitest";
import writeExcel from "write-excel-file/node";
import { warehouses } from "../../../src/business/inventory/resource.ts";
import { expectError } from "../../support/expect-error.ts";
import { verifiedService } from "../../support/fixtures.ts";
import { openPortal, type Portal } from "../../support/portal.ts";
import { newProduct } from "../../support/product.ts";
import { store, warehouseBody } from "../../support/records.ts";
import { enrol, remoteEdit } from "../../support/register.ts";
import { workbook } from "../../support/workbook.ts";
import { zipOf } from "../../support/zip.ts";

const service = verifiedService();
let owner: Portal;
beforeEach(async () => {
  owner = await openPortal(service);
  await store(service.deps, owner.accountId, warehouses, (at) => [{ body: warehouseBody(at) }]);
});

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as a client would, without types
type Json = any;

async function upload(
  file: string | Buffer,
  portal = owner,
  type = "text/csv",
  columns?: string,
): Promise<{ status: number; body: Json }> {
  const chosen = columns === undefined ? "" : `&columns=${encodeURIComponent(columns)}`;
  const response = await fetch(`${service.baseUrl}/portal/api/product-imports?file_name=lista.csv${chosen}`, {
    method: "POST",
    headers: { cookie: portal.cookie, "content-type": type },
    body: file as string,
  });
  return { status: response.status, body: await response.json() };
}

async function download(path: string): Promise<Buffer> {
  const response = await fetch(`${service.baseUrl}/portal/api${path}`, { headers: { cookie: owner.cookie } });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

async function apply(id: string, portal = owner): Promise<Json> {
  for (;;) {
    const { status, body, text } = await portal.post(`/product-imports/${id}/apply`);
    expect(status, text).toBe(200);
    if (body.applied_chunks === body.chunks) return body;
  }
}

const rowsOf = async (id: string) => (await owner.get(`/product-imports/${id}/rows`)).body.data;
const find = async (sku: string) => (await owner.business.api.get(`/products?sku=${sku}`)).body.data[0];
const refusal = async (file: string | Buffer) => {
  const { status, body } = await upload(file);
  expect([status, body.error?.code, body.error?.param]).toEqual([400, "VALIDATION_ERROR", "file"]);
  return body.error.message as string;
};

test("a file of Colombian Excel shows what is new, changed and the same, and applies it once", async () => {
  const api = owner.business.api;
  const [cola, bread] = [
    await newProduct(api, { name: "Gaseosa", sku: "C-1", base_price: 3_000, percent_discount: 10 }),
    await newProduct(api, { name: "Pan", sku: "P-1", base_price: 500 }),
  ];
  const csv = [
    "Código;Producto;Categoría;Precio;Costo;Existencias;Unidad;Activo;Color",
    "C-1;Gaseosa;Bebidas;$ 3.200;;;;;rojo",
    "P-1;Pan;;500;120,5;9;;Sí;",
    'N-1;"Jabón ""Rey""; azul";Aseo;12.500;7.250,75;24;und;;',
    ";Ñame;aseo;4500,00;;;kg;No;",
    "",
  ].join("\r\n");
  const { status, body } = await upload(Buffer.from(csv, "latin1"));
  expect([status, body.errors]).toEqual([200, []]);
  expect(body.import.summary).toEqual({
    rows: 4,
    new: 2,
    changed: 1,
    unchanged: 1,
    new_categories: ["Bebidas", "Aseo"],
    ignored_columns: ["Color"],
    stock_ignored: 1,
  });
  expect(await rowsOf(body.import.id)).toMatchObject([
    {
      row: 2,
      action: "update",
      changes: [
        { field: "base_price", from: 3_000, to: 3_200 },
        { field: "percent_discount", from: 10, to: 0 },
        { field: "category", from: null, to: "Bebidas" },
      ],
    },
    { row: 4, action: "create", name: 'Jabón "Rey"; azul' },
    { row: 5, action: "create", name: "Ñame", sku: null },
  ]);
  expect((await find("C-1")).base_price).toBe(3_000);

  const [done] = await Promise.all([apply(body.import.id), apply(body.import.id), apply(body.import.id)]);
  expect([done.created_count, done.updated_count, done.failures]).toEqual([2, 1, []]);
  expect((await apply(body.import.id)).created_count).toBe(2);
  expect(await find("C-1")).toMatchObject({ id: cola.id, final_price: 3_200 });
  expect(await find("N-1")).toMatchObject({ base_price: 12_500, unit_cost: 7_250.75, stock: 24, base_unit: "und" });
  expect((await find("P-1")).updated_at).toBe(bread.updated_at);
  const categories = (await api.get("/categories")).body.data.map(({ name }: Json) => name);
  expect(categories.toSorted()).toEqual(["Aseo", "Bebidas"]);
  const soap = await find("N-1");
  const yam = (await api.get("/products?q=name")).body.data[0];
  expect([yam.category_id, yam.active]).toEqual([soap.category_id, false]);
});

test("an Excel file is read the same, with its numbers as numbers", async () => {
  const excel = await writeExcel([
    ["SKU", "Nombre", "Precio", "Descuento %", "Se vende"].map((value) => ({ value })),
    [
      { value: "X-1" },
      { value: "Queso campesino" },
      { value: 14_900 },
      { value: 12.5 },
      { value: true, type: Boolean },
    ],
    [{ value: 7702535011089 }, { value: "Cola" }, { value: 3_200 }, null, null],
  ] as never).toBuffer();
  const { body } = await upload(excel, owner, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
  expect(body).toMatchObject({ import: { summary: { new: 2 } }, error_count: 0 });
  await apply(body.import.id);
  expect(await find("X-1")).toMatchObject({ final_price: 13_038, percent_discount: 12.5 });
  expect(await find("7702535011089")).toMatchObject({ name: "Cola" });
});

test("the template can be uploaded as it is", async () => {
  for (const format of ["csv", "xlsx"]) {
    const file = await download(`/product-imports/template.${format}`);
    expect((await upload(file)).body).toMatchObject({ errors: [], import: { summary: { new: 2 } } });
  }
});

test("the downloaded catalogue can be uploaded again, and changes nothing", async () => {
  await newProduct(owner.business.api, { name: "Panela", base_price: 3_000, percent_discount: 7.5, sku: "-5" });
  await newProduct(owner.business.api, { name: "Camisa", variants: [{ label: "M", sku: "V-1" }] });
  for (const format of ["csv", "xlsx"]) {
    const { body } = await upload(await download(`/tables/products.${format}`));
    expect(body).toMatchObject({ errors: [], import: { summary: { rows: 2, unchanged: 2, new: 0, changed: 0 } } });
  }
});

test("each error names its row and column, and with one error nothing is kept", async () => {
  await newProduct(owner.business.api, { name: "Arroz", sku: "A-1", base_unit: "kg" });
  await newProduct(owner.business.api, { name: "Camisa", variants: [{ label: "M", sku: "V-1" }] });
  const csv = [
    "ID,SKU,Nombre,Precio,Unidad,Descuento,Impuesto,Existencias",
    ",B-1,Sin precio,,,,,",
    ',B-2,Café,"12,5",,,,',
    ",B-3,Té,mil,,,,",
    ",B-4,Ají,100,caneca,120,iva 16,",
    ",A-1,,,und,,,",
    ",V-1,Manga,100,,,,",
    ",B-5,Uno,100,,,,",
    ",B-5,Otro,100,,,,",
    "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c13,,Nadie,100,,,,",
    `,B-6,${"x".repeat(201)},-5,,,,`,
  ].join("\n");
  const { status, body } = await upload(csv);
  expect([status, body.import, body.error_count]).toEqual([200, null, 12]);
  expect(body.errors.map((one: Json) => [one.row, one.column])).toEqual([
    [2, "Precio"],
    [3, "Precio"],
    [4, "Precio"],
    [5, "Unidad"],
    [5, "Impuesto"],
    [5, "Descuento %"],
    [6, "Unidad"],
    [7, "SKU"],
    [9, "SKU"],
    [10, "ID"],
    [11, "Nombre"],
    [11, "Precio"],
  ]);
  const [missing, decimals, word, , , percent, unit, , repeated] = body.errors.map((one: Json) => one.message);
  expect(missing).toBe("Falta «Precio»: el producto es nuevo y lo necesita.");
  expect(decimals).toContain("«12,5» tiene decimales");
  expect(word).toContain("«mil» no es un número");
  expect(percent).toBe("«Descuento %» debe ser menor o igual que 100.");
  expect(unit).toContain("«Arroz» se maneja en kg");
  expect(repeated).toBe("«B-5» ya está en la fila 8. Deje una sola fila por producto.");
  expect((await owner.business.api.get("/products")).body.data).toHaveLength(2);
});

test("stock may have decimals where the unit is weighed, and a code that Excel cut short is told", async () => {
  const csv = [
    "SKU;Nombre;Precio;Existencias;Unidad",
    "K-1;Queso;28000;12,5;kg",
    "K-2;Papa;3000;0.750;kg",
    "K-3;Pan;500;2,5;und",
    "1,23457E+12;Gaseosa;3200;4;",
    "K-4;Miel;9000;1,2345;kg",
  ].join("\n");
  const { body } = await upload(csv);
  expect(body.errors.map((one: Json) => [one.row, one.column])).toEqual([
    [4, "Existencias"],
    [5, "SKU"],
    [6, "Existencias"],
  ]);
  expect(body.errors[0].message).toContain("se cuenta en und");
  expect(body.errors[1].message).toContain("Excel lo acortó");
  const good = await upload(csv.split("\n").slice(0, 3).join("\n"));
  await apply(good.body.import.id);
  // Twelve and a half kilos were weighed: so they are sold.
  const made = (await owner.business.api.get("/products")).body.data;
  expect(made.map((one: Json) => one.sold_by_weight)).toEqual([true, true]);
  const levels = (await owner.get("/products")).body.data.map(({ sku, stock }: Json) => [sku, stock]);
  expect(levels.toSorted()).toEqual([
    ["K-1", 12.5],
    ["K-2", 0.75],
  ]);
});

test("what the file says of the weight goes before its unit, and registers keep what they were told once", async () => {
  const head = "SKU;Nombre;Precio;Existencias;Unidad;Se vende por peso";
  const { body } = await upload([head, "B-1;Queso en bloque;28000;12,5;kg;No", "B-2;Arroz;4000;12;kg;"].join("\n"));
  await apply(body.import.id);
  const made = (await owner.business.api.get("/products")).body.data;
  expect(made.map((one: Json) => one.sold_by_weight)).toEqual([false, false]);
  const again = await upload([head, "B-2;Arroz;4000;;;Sí"].join("\n"));
  expect(again.body.errors[0].message).toMatch(/No se puede cambiar en «Arroz»: cada caja lo sigue vendiendo/);
});

test("headings of another program are mapped by the owner, column by column", async () => {
  const csv = "COD_ART;DESC_ART;PVP_1;PVP_2\nA-1;Arroz;4500;4800\nA-2;Avena;3900;4100";
  const asked = await upload(csv);
  expect(asked.body).toMatchObject({ import: null, errors: [], error_count: 0 });
  expect(asked.body.unclear).toContain("Diga qué es cada columna");
  expect(asked.body.headings).toEqual([
    { title: "COD_ART", examples: ["A-1", "A-2"], field: null },
    { title: "DESC_ART", examples: ["Arroz", "Avena"], field: null },
    { title: "PVP_1", examples: ["4500", "3900"], field: null },
    { title: "PVP_2", examples: ["4800", "4100"], field: null },
  ]);
  const { body } = await upload(csv, owner, "text/csv", "sku,name,,base_price");
  expect(body.import.summary).toMatchObject({ new: 2, ignored_columns: ["PVP_1"] });
  await apply(body.import.id);
  expect(await find("A-2")).toMatchObject({ name: "Avena", base_price: 4_100 });
  const twice = await upload(csv, owner, "text/csv", "sku,name,base_price,base_price");
  expect([twice.body.import, twice.body.unclear]).toEqual([null, expect.stringContaining("«Precio» está dos veces")]);
  expectError(await upload(csv, owner, "text/csv", "sku,precio"), "VALIDATION_ERROR", { param: "columns" });
});

test("a large import goes on where it stopped, and does nothing twice", async () => {
  const lines = Array.from({ length: 350 }, (_, i) => `L-${i};Producto ${i};${1_000 + i};1`);
  const { body } = await upload(["SKU;Nombre;Precio;Existencias", ...lines].join("\n"));
  expect(body.import.chunks).toBe(4);
  const { id } = body.import;
  const requests = Array.from({ length: 6 }, () => owner.post(`/product-imports/${id}/apply`));
  expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  const done = await apply(id);
  expect([done.created_count, done.failures]).toEqual([350, []]);
  const { body: totals } = await owner.get("/products/totals");
  expect(totals.products).toBe(350);
  const created = await service.deps.pool.query(
    `select count(*)::int as count, count(distinct body -> 'data' -> 'object' ->> 'id')::int as ids from events
     where account_id = $1 and type = 'product.created'`,
    [owner.accountId],
  );
  expect(created.rows[0]).toEqual({ count: 350, ids: 350 });
});

test("a cell with control or invisible characters is told by its column, and a description keeps its lines", async () => {
  const { body } = await upload(
    'SKU;Nombre;Precio;Descripción\nC-1;"Pan\u001bp";100;\n"C\u200b2";Pan;100;\nC-3;Pan;100;"a\u0007b"\nC-4;"Pan\ndulce";100;\nC-5;Pan;100;"uno\ndos"',
  );
  const told = body.errors.map(({ row, column }: { row: number; column: string }) => [row, column]);
  expect(told).toEqual([
    [2, "Nombre"],
    [3, "SKU"],
    [4, "Descripción"],
    [5, "Nombre"],
  ]);
});

test("a row that became impossible after the preview is told, and the others are applied", async () => {
  const { body } = await upload("SKU;Nombre;Precio\nT-1;Uno;100\nT-2;Dos;200");
  await newProduct(owner.business.api, { sku: "T-1" });
  const done = await apply(body.import.id);
  expect([done.created_count, done.failures]).toMatchObject([1, [{ row: 2, name: "Uno" }]]);
  expect(done.failures[0].message).toContain("ya lo usa otro producto");
  expect((await find("T-2")).name).toBe("Dos");
});

test("a register that is out of date stops the import before it changes anything; then it can go on", async () => {
  await newProduct(owner.business.api, { sku: "R-1" });
  const till = await enrol(service, owner.accountId, { name: "Caja vieja", capabilities: [] });
  const { body } = await upload("SKU;Precio\nR-1;9900");
  expectError(await owner.post(`/product-imports/${body.import.id}/apply`), "DEVICES_OUTDATED");
  expect((await find("R-1")).base_price).toBe(1_000);
  await till.send("POST", "/push", {
    sent_at: new Date().toISOString(),
    records: [],
    app_version: "4",
    capabilities: [remoteEdit],
  });
  expect((await apply(body.import.id)).updated_count).toBe(1);
  expect((await find("R-1")).base_price).toBe(9_900);
});

test("what is no product file is refused with the reason", async () => {
  expect(await refusal("")).toContain("vacío");
  expect(await refusal("SKU;Nombre\n\u0000;b")).toContain("bytes nulos");
  expect(await refusal(Buffer.from("d0cf11e0a1b11ae1", "hex"))).toContain("no se puede leer");
  expect(await refusal(`SKU\n${"x\n".repeat(10_001)}`)).toContain("filas");
  expect(await refusal(Buffer.from("504b0304", "hex"))).toContain("incompleto");
  expect(await refusal(zipOf({ "xl/workbook.xml": Buffer.from("<a/>") }))).toContain("dañado");
});

test("a file that unpacks to far more than it is does not get unpacked", async () => {
  const bomb = deflateRawSync(Buffer.alloc(60 * 1024 * 1024));
  expect(bomb.length).toBeLessThan(100_000);
  const packed = { "xl/worksheets/sheet1.xml": { deflated: bomb, bytes: 60 * 1024 * 1024 } };
  expect(await refusal(zipOf(packed))).toContain("demasiado grande por dentro");
  // One that lies about its size is cut there, and what is left is no sheet.
  const lying = { "xl/worksheets/sheet1.xml": { deflated: bomb, bytes: 100 } };
  expect(await refusal(zipOf(lying))).toContain("dañado");
});

test("one cell in the last corner of the sheet does not take the service's memory", async () => {
  const sheet = `<worksheet><sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>`;
  const message = await refusal(workbook(sheet));
  expect(message).toContain("demasiadas celdas");
});

test("a file above the limit is refused before it is read, and JSON or nothing is no file", async () => {
  const answer = await upload(Buffer.alloc(4 * 1024 * 1024 + 1, "a"));
  expectError(answer, "PAYLOAD_TOO_LARGE");
  expectError(await owner.post("/product-imports", { sku: 1 }), "VALIDATION_ERROR", { param: "file" });
  expectError(await upload("a", owner, "image/png"), "INVALID_JSON");
});

test("an import belongs to its account", async () => {
  const { body } = await upload("SKU;Nombre;Precio\nS-1;Uno;100");
  const other = await openPortal(service);
  for (const answer of [
    await other.get(`/product-imports/${body.import.id}`),
    await other.get(`/product-imports/${body.import.id}/rows`),
    await other.post(`/product-imports/${body.import.id}/apply`),
  ])
    expectError(answer, "NOT_FOUND", { param: "id" });
  expectError(await owner.get(`/product-imports/${body.import.id}/rows?position=-1`), "VALIDATION_ERROR", {
    param: "position",
  });
  expect((await owner.get(`/product-imports/${body.import.id}/rows?position=9`)).body.data).toEqual([]);
  const again = await upload("SKU;Nombre;Precio\nS-2;Dos;100");
  expectError(await owner.get(`/product-imports/${body.import.id}`), "NOT_FOUND");
  expect((await owner.get(`/product-imports/${again.body.import.id}`)).status).toBe(200);
});
