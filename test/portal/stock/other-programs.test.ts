import { beforeEach, expect, test } from "vitest";
import { verifiedService } from "../../support/fixtures.ts";
import { openPortal, type Portal } from "../../support/portal.ts";
import { newProduct } from "../../support/product.ts";

const service = verifiedService();
let owner: Portal;
beforeEach(async () => {
  owner = await openPortal(service);
});

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as a client would, without types
type Json = any;

async function upload(file: string | Buffer, choices: Record<string, string> = {}): Promise<Json> {
  const query = new URLSearchParams({ file_name: "lista.csv", ...choices });
  const response = await fetch(`${service.baseUrl}/portal/api/product-imports?${query.toString()}`, {
    method: "POST",
    headers: { cookie: owner.cookie, "content-type": "text/csv" },
    body: file as string,
  });
  expect(response.status).toBe(200);
  return response.json();
}

async function apply(id: string): Promise<Json> {
  for (;;) {
    const { body } = await owner.post(`/product-imports/${id}/apply`);
    if (body.applied_chunks === body.chunks) return body;
  }
}

const fieldsOf = ({ headings }: Json) => Object.fromEntries(headings.map(({ title, field }: Json) => [title, field]));
const told = ({ errors }: Json) => errors.map(({ row, column }: Json) => [row, column]);
const find = async (sku: string) => (await owner.business.api.get(`/products?sku=${sku}`)).body.data[0];
const codesOf = async (sku: string) => (await find(sku)).barcodes.map(({ code }: Json) => code);

test("a code and a bar code are a product's SKU and its other code", async () => {
  const csv = "Código;Código de barras;Nombre;Precio\n10;7702535011089;Gaseosa;3200\n11;11;Pan;500\n12;;Leche;4000";
  const read = await upload(csv);
  expect(fieldsOf(read)).toEqual({
    Código: "sku",
    "Código de barras": "barcodes",
    Nombre: "name",
    Precio: "base_price",
  });
  await apply(read.import.id);
  expect(await codesOf("10")).toEqual(["7702535011089"]);
  expect(await codesOf("11")).toEqual([]);
  expect((await upload(csv)).import.summary).toMatchObject({ unchanged: 3, new: 0, changed: 0 });
});

test("a bar code alone is the SKU", async () => {
  for (const title of ["Código de barras", "EAN", "Barras", "Cód. barras"])
    expect(fieldsOf(await upload(`${title};Nombre;Precio\n770;Gaseosa;3200`))[title]).toBe("sku");
});

test("several columns are other codes, and a file only adds to those that a product has", async () => {
  const pack = { code: "17701", units: 24, name: "Caja", price: 50_000 };
  const beer = await newProduct(owner.business.api, { name: "Cerveza", sku: "C-1", barcodes: [pack] });
  const csv = 'SKU;EAN;Otros códigos;Viejo\nC-1;7701;"7702, 17701; 7703";7704\n';
  const read = await upload(csv, { columns: "sku,barcodes,barcodes,barcodes" });
  expect(read.unclear).toBe(null);
  const rows = (await owner.get(`/product-imports/${read.import.id}/rows`)).body.data;
  expect(rows[0].changes).toEqual([{ field: "barcodes", from: "17701", to: "17701, 7701, 7702, 7703, 7704" }]);
  await apply(read.import.id);
  const { barcodes } = (await owner.business.api.get(`/products/${beer.id}`)).body;
  expect(barcodes[0]).toMatchObject(pack);
  expect(barcodes.map(({ code }: Json) => code)).toEqual(["17701", "7701", "7702", "7703", "7704"]);
});

test("a product without a SKU is found again by its other code", async () => {
  const csv = "Código;EAN;Nombre;Precio\n;7709;Chicle;200\n1;7710;Menta;300";
  await apply((await upload(csv)).import.id);
  expect((await upload(csv.replace(";200", ";250"))).import.summary).toMatchObject({
    changed: 1,
    unchanged: 1,
    new: 0,
  });
});

test("our own file has the other codes and comes back the same", async () => {
  await newProduct(owner.business.api, {
    name: "Malta",
    sku: "M-1",
    barcodes: [{ code: "7701" }, { code: 'rara, "con" comas' }, { code: "-5", units: 6 }],
  });
  for (const format of ["csv", "xlsx"]) {
    const response = await fetch(`${service.baseUrl}/portal/api/tables/products.${format}`, {
      headers: { cookie: owner.cookie },
    });
    const read = await upload(Buffer.from(await response.arrayBuffer()));
    expect(fieldsOf(read)).toMatchObject({ SKU: "sku", "Otros códigos": "barcodes" });
    expect(read).toMatchObject({ errors: [], import: { summary: { rows: 1, unchanged: 1 } } });
  }
});

test("a code that is another's is told by row and column", async () => {
  await newProduct(owner.business.api, { name: "Cola", sku: "C-1", barcodes: [{ code: "7701" }] });
  const read = await upload(
    `SKU;EAN;Nombre;Precio\nA;7701;Uno;1\nB;C-1;Dos;2\nC;88;Tres;3\nD;88;Cuatro;4\n7701;;Cinco;5\nE;1,2E+12;Seis;6\nF;${"9".repeat(49)};Siete;7`,
  );
  expect(told(read)).toEqual([
    [2, "Otros códigos"],
    [3, "Otros códigos"],
    [5, "Otros códigos"],
    [6, "SKU"],
    [7, "Otros códigos"],
    [8, "Otros códigos"],
  ]);
  expect(read.errors[0].message).toBe("El código «7701» ya lo usa «Cola». Use otro.");
  expect(read.errors[2].message).toBe("«88» ya está en la fila 4. Un código es de un solo producto.");
});

test("the usual headings of other programs are recognised", async () => {
  const programs: Record<string, Record<string, string>> = {
    "World Office": {
      Referencia: "sku",
      Descripción: "name",
      Línea: "category",
      "Precio venta público": "base_price",
      "IVA %": "tax_class",
      Saldo: "initial_stock",
      "Costo unitario": "unit_cost",
      Medida: "base_unit",
    },
    Siigo: {
      "Código del producto": "sku",
      "Nombre del producto / servicio": "name",
      "Código de barras": "barcodes",
      Grupo: "category",
      "Precio de venta 1": "base_price",
      "Unidad de medida": "base_unit",
    },
    Alegra: {
      "Nombre del artículo": "name",
      Código: "sku",
      "Precio de venta al público": "base_price",
      "% IVA": "tax_class",
      "Cantidad disponible": "initial_stock",
    },
    Loyverse: {
      REF: "sku",
      Nombre: "name",
      Descripción: "description",
      "PVP [Mi tienda]": "base_price",
      Costo: "unit_cost",
      "Stock [Mi tienda]": "initial_stock",
      "Se vende por peso": "sold_by_weight",
    },
  };
  for (const [program, headings] of Object.entries(programs)) {
    const read = await upload(`${Object.keys(headings).join(";")}\n1`);
    expect(fieldsOf(read), program).toEqual(headings);
  }
});

test("the value of the stock in our own inventory is no price", async () => {
  const read = await upload("SKU;Producto;Existencias;Costo promedio;Valor\n1;Pan;2;100;200");
  expect(fieldsOf(read).Valor).toBe(null);
});

test("new products whose name or price no column holds are asked about, not told cell by cell", async () => {
  await newProduct(owner.business.api, { name: "Arroz", sku: "A-1" });
  const csv = "Código;Rótulo;Tarifa A\nA-1;Arroz;1000\nB-1;Avena;2000\nB-2;Azúcar;3000";
  const asked = await upload(csv);
  expect([asked.import, asked.errors]).toEqual([null, []]);
  expect(asked.unclear).toBe(
    "Las filas 3 y 4 son productos nuevos, y ninguna columna es «Nombre» ni «Precio». Diga cuál lo es.",
  );
  const mapped = await upload(csv, { columns: "sku,name,base_price" });
  expect(mapped).toMatchObject({ unclear: null, errors: [], import: { summary: { new: 2 } } });
  // Whoever was asked and has no such column is told what to correct.
  const refused = await upload(csv, { columns: "sku,,base_price" });
  expect(refused.unclear).toBe(null);
  expect(told(refused)).toEqual([
    [3, "Nombre"],
    [4, "Nombre"],
  ]);
});

test("a list of prices for known products needs no name", async () => {
  await newProduct(owner.business.api, { name: "Arroz", sku: "A-1", base_price: 900 });
  const read = await upload("Código;Precio;Color\nA-1;1000;rojo");
  expect(read).toMatchObject({ unclear: null, import: { summary: { changed: 1, ignored_columns: ["Color"] } } });
});

test("a row tells all that is wrong with it, and nothing twice", async () => {
  const read = await upload(
    "SKU;Nombre;Precio;IVA;Existencias;Unidad\nA;;100;16;;\nB;;mil;16;1,5;und\n1,2E+12;;;;;\nC;;;16;2,5;caneca\n;;;16;;",
  );
  expect(told(read)).toEqual([
    [2, "Impuesto"],
    [2, "Nombre"],
    [3, "Precio"],
    [3, "Impuesto"],
    [3, "Nombre"],
    [3, "Existencias"],
    [4, "SKU"],
    [5, "Impuesto"],
    [5, "Unidad"],
    [5, "Nombre"],
    [5, "Precio"],
    [6, "Impuesto"],
    [6, "Nombre"],
    [6, "Precio"],
  ]);
  expect(read.error_count).toBe(14);
});

test("an IVA of 0 is asked about once, and the answer goes for all such rows", async () => {
  const csv =
    "SKU;Nombre;Precio;IVA %\nA;Arroz;1;0\nB;Leche;2;0 %\nC;Cola;3;IVA 19,00 %\nD;Pan;4;IVA 0%\nE;Miel;5;Exento\nF;Café;6;5.0";
  const asked = await upload(csv);
  expect([asked.import, asked.errors, asked.unclear, asked.zero_tax_rows]).toEqual([null, [], null, 3]);
  const read = await upload(csv, { zero_tax: "excluded" });
  expect(read.zero_tax_rows).toBe(3);
  await apply(read.import.id);
  const classes = await Promise.all(["A", "B", "C", "D", "E", "F"].map(async (sku) => (await find(sku)).tax_class));
  expect(classes).toEqual(["excluded", "excluded", "standard", "excluded", "exempt", "reduced_5"]);
  expect((await upload(csv.replace("D;Pan;4", "Z;Pan;"))).errors).toHaveLength(1);
});
