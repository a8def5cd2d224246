import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { warehouses } from "../../../src/business/inventory/resource.ts";
import { sql } from "../../../src/db/sql.ts";
import { expectError } from "../../support/expect-error.ts";
import { verifiedService } from "../../support/fixtures.ts";
import { openPortal, type Portal } from "../../support/portal.ts";
import { newProduct } from "../../support/product.ts";
import { store, warehouseBody } from "../../support/records.ts";
import { enrol } from "../../support/register.ts";

const service = verifiedService();
let owner: Portal;
let back: { id: string };
beforeEach(async () => {
  owner = await openPortal(service);
  const stored = await store(service.deps, owner.accountId, warehouses, (at) => [
    { body: warehouseBody(at, { name: "Local" }) },
    { body: warehouseBody(at, { name: "Bodega", is_default: false }) },
  ]);
  back = stored[1]!;
});

const key = () => ({ "idempotency-key": randomUUID() });
const product = (input: object = {}) => newProduct(owner.business.api, { base_unit: "kg", ...input });
const move = (body: object, headers = key()) => owner.post("/stock-movements", body, headers);
const levels = async (id: string) =>
  (await owner.get(`/products/${id}`)).body.warehouses.map((one: { name: string; stock: number }) => [
    one.name,
    one.stock,
  ]);

test("the stock of each warehouse follows the ledger, and adds up to the product's", async () => {
  const { id } = await product({ initial_stock: 10, unit_cost: 2_000 });
  await move({ product_id: id, type: "in", quantity: 4.5, warehouse_id: back.id, unit_cost: 2_000 });
  expect(await levels(id)).toEqual([
    ["Bodega", 4.5],
    ["Local", 10],
  ]);
  await move({ product_id: id, type: "adjustment", quantity: -1.25, reason: "Merma" });
  expect(await levels(id)).toEqual([
    ["Bodega", 4.5],
    ["Local", 8.75],
  ]);
  expect((await owner.get(`/products/${id}`)).body.stock).toBe(13.25);
  const inBack = (await owner.get(`/products?warehouse_id=${back.id}&stock=some`)).body.data;
  expect(inBack.map((one: { stock: number; value: number }) => [one.stock, one.value])).toEqual([[4.5, 9_000]]);
  expect((await owner.get("/products/totals")).body).toMatchObject({ products: 1, value: 26_500, negative: 0 });
  expect((await owner.get(`/products/totals?warehouse_id=${back.id}`)).body.value).toBe(9_000);
});

test("a movement whose warehouse arrives later moves there, and is not counted twice", async () => {
  const { id } = await product();
  const till = await enrol(service, owner.accountId);
  const warehouse = randomUUID();
  const entry = { product_id: id, warehouse_id: warehouse, type: "purchase", quantity: 7 };
  await till.put("stock_movement", entry);
  expect(await levels(id)).toEqual([[null, 7]]);
  await till.put("warehouse", { id: warehouse, name: "Nueva" });
  await till.put("stock_movement", { ...entry, quantity: 1 });
  expect(await levels(id)).toEqual([["Nueva", 8]]);
  const { rows } = await service.deps.pool.query(sql`
    select sum(stock_milli)::int as sum from stock_levels where account_id = ${owner.accountId} and product_id = ${id}`);
  expect(rows[0].sum).toBe(8_000);
});

test("many readers at once count each movement once", async () => {
  const { id } = await product();
  const moved = Array.from({ length: 8 }, () => move({ product_id: id, type: "in", quantity: 1 }));
  await Promise.all([...moved, ...Array.from({ length: 8 }, () => owner.get(`/products/${id}`))]);
  expect(await levels(id)).toEqual([["Local", 8]]);
});

test("movements are listed with their names and filters, newest first", async () => {
  const { id } = await product({ name: "Queso", initial_stock: 2 });
  await move({ product_id: id, type: "out", quantity: 1, reason: "Vencido" });
  const { body } = await owner.get(`/stock-movements?product_id=${id}`);
  expect(
    body.data.map((one: Record<string, unknown>) => [one.product_name, one.warehouse_name, one.change, one.reason]),
  ).toEqual([
    ["Queso", "Local", -1, "Vencido"],
    ["Queso", "Local", 2, "Inventario inicial"],
  ]);
  const first = await owner.get("/stock-movements?limit=1");
  const second = await owner.get(`/stock-movements?limit=1&starting_after=${first.body.next_cursor}`);
  expect([first.body.data[0].change, second.body.data[0].change]).toEqual([-1, 2]);
  expect((await owner.get("/stock-movements?type=out")).body.data).toHaveLength(1);
  const other = await openPortal(service);
  expect((await other.get(`/stock-movements?product_id=${id}`)).body.data).toEqual([]);
  expectError(await owner.get("/stock-movements?created_since=ayer"), "VALIDATION_ERROR", { param: "created_since" });
});

test("an adjustment is refused as the API refuses it, and recorded once however often it is sent", async () => {
  const { id } = await product({ base_unit: "und" });
  const once = key();
  const body = { product_id: id, type: "adjustment", quantity: 3, reason: "Conteo" };
  await Promise.all([move(body, once), move(body, once), move(body, once)]);
  expect((await owner.get(`/products/${id}`)).body.stock).toBe(3);
  expectError(await move({ ...body, quantity: 0 }), "VALIDATION_ERROR", { param: "quantity" });
  expectError(await move({ ...body, quantity: 0.5 }), "VALIDATION_ERROR", { param: "quantity" });
  expectError(await move({ ...body, product_id: randomUUID() }), "NOT_FOUND", { param: "product_id" });
  const other = await openPortal(service);
  expectError(await other.post("/stock-movements", body, key()), "NOT_FOUND", { param: "product_id" });
});

test("a count becomes one adjustment per difference, all or none, and once", async () => {
  const [rice, beans, lentils] = [
    await product({ initial_stock: 10, unit_cost: 100 }),
    await product({ initial_stock: 5 }),
    await product(),
  ];
  const line = ({ id }: { id: string }, expected: number, counted: number) => ({ product_id: id, expected, counted });
  const count = { reason: "Conteo de noviembre", lines: [line(rice, 10, 8.5), line(beans, 5, 5), line(lentils, 0, 2)] };
  // Sold after it was counted: the shelf held 8.5, and one more has left it.
  await move({ product_id: rice.id, type: "out", quantity: 1 });
  const preview = (await owner.post("/stock-counts/preview", count)).body.data;
  expect(preview.map((one: Record<string, number>) => [one.stock, one.difference, one.value])).toEqual([
    [9, -1.5, -150],
    [5, 0, 0],
    [0, 2, 0],
  ]);
  const once = key();
  const done = await owner.post("/stock-counts", count, once);
  expect([done.status, done.body.adjusted]).toEqual([201, 2]);
  expect((await owner.post("/stock-counts", count, once)).text).toBe(done.text);
  const stock = async ({ id }: { id: string }) => (await owner.get(`/products/${id}`)).body.stock;
  expect([await stock(rice), await stock(beans), await stock(lentils)]).toEqual([7.5, 5, 2]);

  const twice = { ...count, lines: [line(beans, 5, 9), line(beans, 5, 9)] };
  for (const path of ["/stock-counts", "/stock-counts/preview"])
    expectError(await owner.post(path, twice, key()), "VALIDATION_ERROR", { param: "lines.1.product_id" });
  const whole = await product({ base_unit: "und" });
  const half = { ...count, lines: [line(beans, 5, 9), line(whole, 0, 0.5)] };
  expectError(await owner.post("/stock-counts", half, key()), "VALIDATION_ERROR", { param: "lines.1.counted" });
  expect(await stock(beans)).toBe(5);
  const other = await openPortal(service);
  await store(service.deps, other.accountId, warehouses, (at) => [{ body: warehouseBody(at) }]);
  for (const path of ["/stock-counts", "/stock-counts/preview"])
    expectError(await other.post(path, count, key()), "NOT_FOUND", { param: "lines.0.product_id" });
  expectError(await owner.post("/stock-counts", { ...count, lines: [] }, key()), "VALIDATION_ERROR", {
    param: "lines",
  });
});

test("every table can be downloaded as CSV and Excel, by its own account only", async () => {
  const { id } = await product({ name: "Café; molido", sku: "=1+1", initial_stock: 2, unit_cost: 1_500 });
  const file = async (path: string) => {
    const response = await fetch(`${service.baseUrl}/portal/api/tables/${path}`, { headers: { cookie: owner.cookie } });
    expect([path, response.status]).toEqual([path, 200]);
    return response;
  };
  expect(await (await file("products.csv")).text()).toContain(
    `${id};'=1+1;;"Café; molido";;1000;0;1000;General;kg;Sí;Sí;2;0`,
  );
  expect(await (await file("inventory.csv?counted=true")).text()).toContain("2;kg;1500;3000;5;Sí");
  expect(await (await file(`count-sheet.csv?warehouse_id=${back.id}`)).text()).toContain(";kg;0;\r\n");
  expect(await (await file(`stock-movements.csv?product_id=${id}`)).text()).toMatch(
    /Entrada;2;kg;Local;1500;Inventario inicial/,
  );
  for (const name of ["products", "inventory", "count-sheet", "stock-movements"])
    expect((await (await file(`${name}.xlsx`)).bytes()).subarray(0, 2).toString()).toBe("80,75");
  const other = await openPortal(service);
  const foreign = await fetch(`${service.baseUrl}/portal/api/tables/products.csv`, {
    headers: { cookie: other.cookie },
  });
  expect(await foreign.text()).not.toContain(id);
  expectError(await owner.get("/tables/products.csv?stock=poco"), "VALIDATION_ERROR", { param: "stock" });
});
