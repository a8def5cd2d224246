import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { newEntry, stockMovements, warehouses } from "../../src/business/inventory/resource.ts";
import type { Warehouse } from "../../src/business/inventory/schema.ts";
import { newLedger } from "../../src/business/products/ledger.ts";
import { products } from "../../src/business/products/resource.ts";
import { shared, sharedService, sharedShop } from "../support/fixtures.ts";
import { movementBody, productBody, remove, store, warehouseBody } from "../support/records.ts";
import { refusal, refused } from "../support/refusal.ts";
import { enrol, upload } from "../support/register.ts";
import type { Business } from "../support/service.ts";

const service = sharedService();
const shop = sharedShop(service);
const warehouse = shared(() => newWarehouse(shop));

async function newWarehouse({ accountId }: Business, fields: Partial<Warehouse> = {}): Promise<Warehouse> {
  const [made] = await store(service.deps, accountId, warehouses, (at) => [{ body: warehouseBody(at, fields) }]);
  return made!;
}

async function newProduct(input: object = {}, { api }: Business = shop) {
  const { status, body, text } = await api.post("/products", {
    name: "Arroz",
    base_price: 1000,
    base_unit: "kg",
    ...input,
  });
  expect(status, text).toBe(201);
  return body;
}

const move = (product_id: string, input: object, { api }: Business = shop) =>
  api.post("/inventory/movements", { product_id, type: "in", quantity: 1, ...input });
const productNow = async (id: string, { api }: Business = shop) => (await api.get(`/products/${id}`)).body;

test("a movement goes to the default warehouse, with the defaults of the contract", async () => {
  const product = await newProduct();
  const { status, body, text, headers } = await move(product.id, { type: "in", quantity: 2.5 });
  expect(status).toBe(201);
  expect(body).toEqual({
    object: "stock_movement",
    id: expect.any(String),
    product_id: product.id,
    variant_id: null,
    warehouse_id: warehouse.id,
    type: "in",
    quantity: 2.5,
    reason: null,
    reference: null,
    unit_cost: null,
    origin_type: null,
    sale_id: null,
    created_at: expect.any(String),
    updated_at: body.created_at,
    version: 1,
    location_id: shop.accountId,
  });
  expect(headers.get("location")).toBe(`/public/v1/inventory/movements/${body.id}`);
  expect((await shop.api.get(`/inventory/movements/${body.id}`)).text).toBe(text);
});

test("every field is kept as it was sent, including an adjustment's origin", async () => {
  const product = await newProduct();
  const other = await newWarehouse(shop, { is_default: false, name: "Bodega 2" });
  const sent = {
    warehouse_id: other.id,
    type: "adjustment",
    quantity: -0.125,
    reason: "Conteo físico",
    reference: "ACTA-7",
    unit_cost: 1800.5,
  };
  expect((await move(product.id, sent)).body).toMatchObject({ ...sent, origin_type: "adjustment" });
});

test("the stock is the exact sum of the movements, published rounded down", async () => {
  const { id } = await newProduct();
  const steps: [type: string, quantity: number, stock: number][] = [
    ["in", 0.1, 0],
    ["in", 0.2, 0],
    ["in", 0.7, 1],
    ["in", 2.5, 3],
    ["out", 0.001, 3],
    ["out", 0.5, 2],
    ["adjustment", -3, -1],
    ["adjustment", 0.001, 0],
    ["out", 1.25, -2],
    ["in", 1.25, 0],
  ];
  for (const [type, quantity, stock] of steps) {
    const { body } = await move(id, { type, quantity });
    const product = await productNow(id);
    expect([type, quantity, product.stock]).toEqual([type, quantity, stock]);
    // The version that the movement made of its product follows it.
    expect(product.updated_at > body.created_at).toBe(true);
  }
});

test("concurrent movements all count", async () => {
  const { id } = await newProduct();
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => move(id, { quantity: i % 2 ? 0.35 : 0.75 })));
  expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(201));
  expect((await productNow(id)).stock).toBe(11);
});

test("the cost is the average of what is there and what comes in with a cost, each time something does", async () => {
  const entries = [
    { type: "in", quantity: 1, unit_cost: 7.8799 },
    { type: "in", quantity: 1, unit_cost: 8.6985 },
    { type: "adjustment", quantity: 4, unit_cost: 9.6868 },
    { type: "in", quantity: 2, unit_cost: 4.433 },
    { type: "in", quantity: 50 },
    { type: "out", quantity: 3, unit_cost: 99 },
    { type: "adjustment", quantity: -2, unit_cost: 99 },
  ];
  const costs: number[] = [];
  const { id } = await newProduct();
  for (const entry of [...entries, { type: "out", quantity: 53 }, { type: "in", quantity: 10, unit_cost: 2000 }]) {
    await move(id, entry);
    costs.push((await productNow(id)).unit_cost);
  }
  // (7.8799 + 8.6985 + 38.7472 + 8.866) / 8 = 8.02395, half to even. What was sold does not weigh.
  expect(costs.map((cost) => Math.round(cost * 10) / 10)).toEqual([7.9, 8.3, 9.2, 8, 8, 8, 8, 8, 2000]);
  expect([costs[3], costs[8]]).toEqual([8.024, 2000]);
});

test("a declared cost stays until a movement comes in with its own", async () => {
  const { id, unit_cost } = await newProduct({ unit_cost: 1500 });
  expect(unit_cost).toBe(1500);
  await move(id, { quantity: 10 });
  expect((await productNow(id)).unit_cost).toBe(1500);
  await move(id, { quantity: 1, unit_cost: 900 });
  expect((await productNow(id)).unit_cost).toBe(900);
});

test("a movement is emitted exactly as the response returned it, without another product event", async () => {
  const business = await service.business();
  await newWarehouse(business);
  const { id } = await newProduct({}, business);
  const moved = await move(id, { quantity: 3 }, business);
  const { body, text } = await business.api.get("/events?order=asc");
  expect(body.data.map((event: { type: string }) => event.type)).toEqual([
    "product.created",
    "inventory.movement.created",
  ]);
  expect(text).toContain(`"data":{"object":${moved.text}}`);
});

test.each([
  ["in", 0],
  ["in", -1],
  ["out", 0],
  ["out", -0.5],
  ["adjustment", 0],
  ["in", 0.0001],
  ["adjustment", -1.2345],
  ["in", 1e-7],
  ["in", 1_000_000_000],
  ["adjustment", -1_000_000_000],
  ["in", "1"],
  ["in", null],
  ["in", undefined],
])("a movement %s of %j is refused", async (type, quantity) => {
  const { id } = await newProduct();
  expect(refusal(await move(id, { type, quantity }))).toEqual(refused("quantity"));
  expect((await productNow(id)).stock).toBe(0);
});

test.each(["und", "doc"])("a product counted in %s moves in whole units", async (base_unit) => {
  const { id } = await newProduct({ base_unit });
  for (const type of ["in", "out", "adjustment"]) {
    expect(refusal(await move(id, { type, quantity: 1.5 }))).toEqual(refused("quantity"));
  }
  expect((await move(id, { quantity: 2 })).status).toBe(201);
});

test.each(["g", "kg", "lb", "oz", "ml", "l"])("a product measured in %s moves in thousandths", async (base_unit) => {
  const { id } = await newProduct({ base_unit });
  expect((await move(id, { quantity: 1.999 })).status).toBe(201);
  expect((await productNow(id)).stock).toBe(1);
});

test.each([
  ["type", { type: "sale" }],
  ["type", { type: undefined }],
  ["product_id", { product_id: undefined }],
  ["product_id", { product_id: "arroz" }],
  ["warehouse_id", { warehouse_id: "principal" }],
  ["reason", { reason: "r".repeat(201) }],
  ["reference", { reference: "r".repeat(101) }],
  ["unit_cost", { unit_cost: -0.01 }],
  ["stock", { stock: 10 }],
])("%s is refused in %j", async (param, input) => {
  const { id } = await newProduct();
  expect(refusal(await move(id, input))).toEqual(refused(param));
});

test("reason and reference may be as long as their limits", async () => {
  const { id } = await newProduct();
  const longest = { reason: "r".repeat(200), reference: "f".repeat(100) };
  expect((await move(id, longest)).body).toMatchObject(longest);
});

test("the product must exist, not be deleted and belong to the account", async () => {
  const gone = await newProduct();
  await remove(service.deps, shop.accountId, products, gone.id);
  const foreign = await newProduct({}, await service.business());
  for (const id of [gone.id, foreign.id, randomUUID()]) {
    expect(refusal(await move(id, {}))).toEqual([404, "NOT_FOUND", "product_id"]);
  }
});

test("the warehouse must exist and belong to the account", async () => {
  const { id } = await newProduct();
  const foreign = await newWarehouse(await service.business());
  for (const warehouse_id of [foreign.id, randomUUID()]) {
    expect(refusal(await move(id, { warehouse_id }))).toEqual([404, "NOT_FOUND", "warehouse_id"]);
  }
});

test("a closed warehouse takes no movement and no initial stock, until it is opened again", async () => {
  const business = await service.business();
  const { api } = business;
  const closed = await newWarehouse(business, { name: "Sur", active: false, is_default: false });
  await newWarehouse(business);
  const { id } = await newProduct({}, business);
  for (const type of ["in", "out", "adjustment"]) {
    const answer = await move(id, { type, warehouse_id: closed.id }, business);
    expect(refusal(answer)).toEqual([409, "CONFLICT", "warehouse_id"]);
    expect(answer.body.error.message).toContain('La bodega "Sur" está cerrada');
  }
  const stocked = { name: "Pan", base_price: 1, initial_stock: 3, warehouse_id: closed.id };
  expect(refusal(await api.post("/products", stocked))).toEqual([409, "CONFLICT", "warehouse_id"]);
  expect((await api.get("/inventory/movements")).body.data).toEqual([]);
  await api.patch(`/warehouses/${closed.id}`, { active: true });
  expect((await move(id, { warehouse_id: closed.id }, business)).body.warehouse_id).toBe(closed.id);
  expect((await api.post("/products", stocked)).body.stock).toBe(3);
});

test("what a register recorded in a closed warehouse stays there", async () => {
  const business = await service.business();
  const closed = await newWarehouse(business, { active: false });
  const { id } = await newProduct({}, business);
  const movement = upload(movementBody(new Date().toISOString(), { product_id: id, warehouse_id: closed.id }));
  const till = await enrol(service, business.accountId);
  const { body } = await till.push([{ type: "stock_movement", id: movement.id, data: movement }]);
  expect(body.results).toMatchObject([{ status: "applied" }]);
  expect((await business.api.get("/inventory/movements")).body.data).toMatchObject([{ warehouse_id: closed.id }]);
});

test("with all warehouses closed nothing takes stock, and the answer says where to open one", async () => {
  const business = await service.business();
  const closed = await newWarehouse(business, { active: false });
  const { id } = await newProduct({}, business);
  const refused = await move(id, {}, business);
  expect(refusal(refused)).toEqual([409, "NO_WAREHOUSE", "warehouse_id"]);
  for (const place of ["Ajustes → Bodegas", "POST /warehouses", "PATCH /warehouses/{id}"])
    expect(refused.body.error.message).toContain(place);
  const stocked = await business.api.post("/products", { name: "Pan", base_price: 1, initial_stock: 1 });
  expect(refusal(stocked)).toEqual([409, "NO_WAREHOUSE", "warehouse_id"]);
  expect(refusal(await move(id, { warehouse_id: closed.id }, business))).toEqual([409, "CONFLICT", "warehouse_id"]);
  expect((await business.api.get("/inventory/movements")).body.data).toEqual([]);
});

test("of open warehouses of which none is the default, the oldest takes what names none", async () => {
  const business = await service.business();
  await newWarehouse(business, { active: false });
  const oldest = await newWarehouse(business, { is_default: false });
  await newWarehouse(business, { is_default: false });
  const { id } = await newProduct({}, business);
  expect((await move(id, {}, business)).body.warehouse_id).toBe(oldest.id);
});

test("an account from before warehouses were born with it gets its own with the first movement, once", async () => {
  const business = await service.business();
  const { id } = await newProduct({}, business);
  const moved = await Promise.all([1, 2, 3].map(() => move(id, {}, business)));
  const { data } = (await business.api.get("/warehouses")).body;
  expect(data).toMatchObject([{ name: "Principal", is_default: true, active: true }]);
  expect(moved.map(({ body }) => body.warehouse_id)).toEqual(Array(3).fill(data[0].id));
});

test("ids in capitals are stored as the records write them", async () => {
  const { id } = await newProduct();
  const { body } = await move(id.toUpperCase(), { warehouse_id: warehouse.id.toUpperCase() });
  expect(body).toMatchObject({ product_id: id, warehouse_id: warehouse.id });
});

test("variants and composite products keep no stock", async () => {
  const withVariants = await newProduct({ variants: [{ label: "S" }] });
  const plain = await newProduct();
  const [composite] = await store(service.deps, shop.accountId, products, (at) => [
    { body: productBody(at, { kind: "composite" }), ...newLedger(0) },
  ]);
  const variant_id = withVariants.variants[0].id;
  const unsupported = [422, "VARIANT_STOCK_UNSUPPORTED"];
  expect(refusal(await move(withVariants.id, {}))).toEqual([...unsupported, "product_id"]);
  expect(refusal(await move(withVariants.id, { variant_id }))).toEqual([...unsupported, "variant_id"]);
  expect(refusal(await move(plain.id, { variant_id }))).toEqual([...unsupported, "variant_id"]);
  expect(refusal(await move(composite!.id, {}))).toEqual([422, "COMPOSITE_STOCK_UNSUPPORTED", "product_id"]);
});

test("movements are listed by product, warehouse and exact type", async () => {
  const business = await service.business();
  const main = await newWarehouse(business);
  const second = await newWarehouse(business, { is_default: false });
  const [one, two] = [await newProduct({}, business), await newProduct({}, business)];
  await move(one.id, { reference: "A" }, business);
  await move(one.id, { reference: "B", type: "out", warehouse_id: second.id }, business);
  await move(two.id, { reference: "C" }, business);
  await store(service.deps, business.accountId, stockMovements, (at) => [
    newEntry(movementBody(at, { product_id: two.id, reference: "D", type: "recipe explosion" }), { from_api: false }),
  ]);
  const references = async (query: string) =>
    (await business.api.get(`/inventory/movements?${query}`)).body.data.map(
      (one: { reference: string }) => one.reference,
    );
  expect(await references(`product_id=${one.id}`)).toEqual(["B", "A"]);
  expect(await references(`warehouse_id=${second.id}`)).toEqual(["B"]);
  expect(await references(`warehouse_id=${main.id}`)).toEqual(["C", "A"]);
  expect(await references("type=in")).toEqual(["C", "A"]);
  expect(await references("type=recipe%20explosion")).toEqual(["D"]);
  expect(await references("type=IN")).toEqual([]);
  expect(await references(`type=in&product_id=${two.id}`)).toEqual(["C"]);
  expect(refusal(await business.api.get(`/inventory/movements?type=${"t".repeat(41)}`))).toEqual(refused("type"));
  expect(refusal(await business.api.get("/inventory/movements?product_id=arroz"))).toEqual(refused("product_id"));
  expect(refusal(await business.api.get("/inventory/movements?sale_id=x"))).toEqual(refused("sale_id"));
});

test("a register's movement reads as it was stored, without a warehouse while that has not arrived", async () => {
  const [stored] = await store(service.deps, shop.accountId, stockMovements, (at) => [
    newEntry(movementBody(at, { warehouse_id: null, quantity: 0.355, type: "sale" }), { from_api: false }),
  ]);
  expect((await shop.api.get(`/inventory/movements/${stored!.id}`)).body).toEqual(stored);
  const stranger = await service.business();
  for (const [api, id] of [
    [stranger.api, stored!.id],
    [shop.api, randomUUID()],
  ] as const) {
    expect(refusal(await api.get(`/inventory/movements/${id}`))).toEqual([404, "NOT_FOUND", "id"]);
  }
});
