import { expect, test } from "vitest";
import { customerBody, movementBody, productBody, quoteBody, variantBody, warehouseBody } from "../support/records.ts";
import { enrol, upload } from "../support/register.ts";
import { now, registerPerTest } from "../support/registered-shop.ts";

const { eventTypes, rows, service, shop, till } = registerPerTest();

test("a movement changes the stock of its product, whichever of the two arrives first", async () => {
  const product = upload(productBody(now(), { base_unit: "kg" }));
  const entries = [
    { type: "in", quantity: 10, unit_cost: 2000 },
    { type: "sale", quantity: 0.25 },
    { type: "in", quantity: 30, unit_cost: 4000 },
  ].map((fields) => upload(movementBody(now(), { unit_cost: null, ...fields, product_id: product.id })));
  // A register uploads in the order in which it did things: 9.75 at 2 000 and 30 at 4 000, or 10 and 30.
  const orders = [
    { cost: 3509.434, order: [product, ...entries] },
    { cost: 3509.434, order: [...entries, product] },
    { cost: 3500, order: [entries[2]!, entries[0]!, product, entries[1]!] },
  ];
  for (const { order, cost } of orders) {
    for (const together of [true, false]) {
      const business = await service.business();
      const one = await enrol(service, business.accountId);
      const records = order.map((data) => ({
        type: data === product ? "product" : "stock_movement",
        id: data.id,
        data,
      }));
      for (const group of together ? [records] : records.map((record) => [record])) await one.push(group);
      const read = (await business.api.get(`/products/${product.id}`)).body;
      expect([read.stock, read.unit_cost]).toEqual([39, cost]);
      const types = await eventTypes(business);
      expect(types.filter((type) => type === "inventory.movement.created")).toHaveLength(3);
      expect(types.filter((type) => type !== "inventory.movement.created")).toEqual(["product.created"]);
    }
  }
});

test("a movement is appended once: the same id with other content changes nothing", async () => {
  const product = upload(productBody(now()));
  await till.put("product", product);
  const movement = upload(movementBody(now(), { product_id: product.id, type: "in", quantity: 5 }));
  await till.put("stock_movement", movement);
  expect(await till.put("stock_movement", movement)).toMatchObject({ status: "duplicate" });
  expect(await till.put("stock_movement", { ...movement, quantity: 50 })).toMatchObject({
    status: "merged",
    record: { quantity: 5 },
  });
  expect((await shop.api.get(`/products/${product.id}`)).body.stock).toBe(5);
});

test("a movement that arrives before its warehouse is linked to it later, without a second event", async () => {
  const product = upload(productBody(now()));
  const warehouse = upload(warehouseBody(now()));
  const movement = upload(movementBody(now(), { product_id: product.id, warehouse_id: warehouse.id }));
  await till.put("product", product);
  expect(await till.put("stock_movement", movement)).toMatchObject({ status: "parked" });
  const early = (await shop.api.get(`/inventory/movements/${movement.id}`)).body;
  expect(early.warehouse_id).toBeNull();
  await till.put("warehouse", warehouse);
  const bound = (await shop.api.get(`/inventory/movements/${movement.id}`)).body;
  expect(bound.warehouse_id).toBe(warehouse.id);
  expect(bound.updated_at > early.updated_at).toBe(true);
  expect(bound.created_at).toBe(early.created_at);
  expect(await till.put("stock_movement", movement)).toMatchObject({ status: "duplicate" });
  expect(await eventTypes()).toEqual(["product.created", "inventory.movement.created"]);
});

test("a customer created on a register is announced, edited and deleted as the contract says", async () => {
  const customer = upload(customerBody(now(), { name: "Ana" }));
  await till.put("customer", customer);
  await till.put("customer", { ...customer, phone: "300" }, { changed: ["phone"] });
  await till.put("customer", {}, { id: customer.id, op: "delete" });
  expect((await shop.api.get(`/customers/${customer.id}`)).status).toBe(404);
  const deleted = (await shop.api.get(`/customers/${customer.id}?include_deleted=true`)).body;
  expect(deleted).toMatchObject({ phone: "300", deleted_at: expect.any(String) });
  expect(await till.put("customer", { ...customer, phone: "301" }, { changed: ["phone"] })).toMatchObject({
    status: "merged",
  });
  expect((await eventTypes()).slice(0, 2)).toEqual(["customer.created", "customer.updated"]);
  expect((await shop.api.get(`/customers/${customer.id}`)).status).toBe(404);
});

test("a deleted quote is gone from the API and stays a tombstone for registers", async () => {
  const quote = upload(quoteBody(now()));
  await till.put("quote", quote);
  await till.put("quote", { status: "accepted", accepted_at: now() }, { id: quote.id, changed: ["status"] });
  expect((await shop.api.get(`/quotes/${quote.id}`)).body).toMatchObject({ status: "accepted", total: 6400 });
  await till.put("quote", {}, { id: quote.id, op: "delete" });
  expect((await shop.api.get(`/quotes/${quote.id}`)).status).toBe(404);
  expect((await shop.api.get("/quotes")).body.data).toEqual([]);
  expect((await till.pull()).body.changes).toMatchObject([{ type: "quote", id: quote.id, deleted: true, data: null }]);
  expect(await eventTypes()).toEqual(["quote.created", "quote.updated"]);
});

test("a variant is removed by leaving it out of its product, or by deleting it on its own", async () => {
  const product = upload(productBody(now()));
  const variants = ["S", "M", "L"].map((label) => upload(variantBody(now(), product.id, { label })));
  await till.put("product", { ...product, variants });
  const labels = async () =>
    (await shop.api.get(`/products/${product.id}`)).body.variants.map((one: { label: string }) => one.label);
  await till.put("product", { ...product, variants: variants.slice(1) }, { changed: ["variants"] });
  expect(await labels()).toEqual(["M", "L"]);
  await till.put("product_variant", { product_id: product.id }, { id: variants[1]!.id, op: "delete" });
  expect(await labels()).toEqual(["L"]);
  const other = await enrol(service, shop.accountId);
  await other.put("product", { ...product, variants }, { changed: ["variants"] });
  expect(await labels()).toEqual(["L"]);
});

test("a product whose SKU is taken is stored, and the SKU is a conflict", async () => {
  await shop.api.post("/products", { name: "Pan", base_price: 500, sku: "PAN" });
  const product = upload(productBody(now(), { sku: "PAN" }));
  expect(await till.put("product", product)).toMatchObject({ status: "applied" });
  expect((await shop.api.get("/products?sku=PAN")).body.data).toHaveLength(2);
  expect(await rows("select field, record_id from conflicts where account_id = $1")).toEqual([
    { field: "sku", record_id: product.id },
  ]);
});

test("a shared SKU is one conflict, however often its products are edited", async () => {
  const first = await shop.api.post("/products", { name: "Pan", base_price: 500, sku: "PAN" });
  const product = upload(productBody(now(), { sku: "PAN" }));
  await till.put("product", product);
  const conflicts = () => rows("select record_id from conflicts where account_id = $1 and field = 'sku'");
  const once = [{ record_id: product.id }];
  expect(await conflicts()).toEqual(once);
  await till.put("product", { name: "Pan de yuca" }, { id: product.id, changed: ["name"] });
  await till.put("product", { name: "Pan de queso" }, { id: first.body.id, changed: ["name"] });
  expect(await conflicts()).toEqual(once);
  await till.put("product", { sku: "YUCA" }, { id: product.id, changed: ["sku"] });
  await till.put("product", { sku: "PAN" }, { id: product.id, changed: ["sku"] });
  expect(await conflicts()).toEqual([...once, ...once]);
});

test("a register that sends the list price unchanged keeps the discount", async () => {
  const product = upload(productBody(now(), { base_price: 1000, final_price: 900, percent_discount: 10 }));
  await till.put("product", product);
  const send = (base_price: number) => till.put("product", { base_price }, { id: product.id, changed: ["base_price"] });
  await send(1000);
  const read = async () => (await shop.api.get(`/products/${product.id}`)).body;
  expect(await read()).toMatchObject({ base_price: 1000, final_price: 900, percent_discount: 10 });
  await send(1200);
  expect(await read()).toMatchObject({ base_price: 1200, final_price: 1200, percent_discount: 0 });
});

test("an upload cannot write a product's stock, but it sets the first cost", async () => {
  const product = upload(productBody(now()));
  await till.put("product", { ...product, stock: 99, unit_cost: 1500 });
  expect((await shop.api.get(`/products/${product.id}`)).body).toMatchObject({ stock: 0, unit_cost: 1500 });
});
