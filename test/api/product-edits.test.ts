import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { warehouses } from "../../src/business/inventory/resource.ts";
import { newLedger } from "../../src/business/products/ledger.ts";
import { products } from "../../src/business/products/resource.ts";
import { sql } from "../../src/db/sql.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { eventsOf, newProduct, prices } from "../support/product.ts";
import { productBody, remove, store, warehouseBody } from "../support/records.ts";
import { refusal, refused } from "../support/refusal.ts";

const service = sharedService();
const shop = sharedShop(service);

describe("PATCH /products/{id}", () => {
  test("changes the fields it names and nothing else", async () => {
    const before = await newProduct(shop.api, {
      sku: "EDIT-1",
      unit_cost: 500,
      variants: [{ label: "S", sku: "EDIT-1S" }],
    });
    const changes = {
      name: "Otra",
      description: "Larga",
      description_short: "Corta",
      sku: "EDIT-2",
      tax_class: "exempt",
      active: false,
      sellable: false,
    };
    const { status, body, text } = await shop.api.patch(`/products/${before.id}`, changes);
    expect([status, body]).toEqual([200, { ...before, ...changes, updated_at: body.updated_at, version: 2 }]);
    expect(body.updated_at > before.updated_at).toBe(true);
    expect((await shop.api.get(`/products/${before.id}`)).text).toBe(text);
  });

  test.each([
    [{ name: "Otra" }, [1000, 900, 10]],
    [{ base_price: 2000 }, [2000, 2000, 0]],
    [{ base_price: 1000 }, [1000, 900, 10]],
    [{ base_price: 1000, percent_discount: 10 }, [1000, 900, 10]],
    [{ base_price: 1000, final_price: 900, percent_discount: 10 }, [1000, 900, 10]],
    [{ final_price: 899, percent_discount: 10 }, [1000, 899, 10]],
    [{ final_price: 800 }, [1000, 800, 20]],
    [{ percent_discount: 25 }, [1000, 750, 25]],
    [{ percent_discount: 0 }, [1000, 1000, 0]],
    [{ base_price: 2000, final_price: 1500 }, [2000, 1500, 25]],
    [{ base_price: 2000, percent_discount: 10 }, [2000, 1800, 10]],
    [{ base_price: 2000, final_price: 1500, percent_discount: 25 }, [2000, 1500, 25]],
    [{ base_price: 0 }, [0, 0, 0]],
  ])("%j leaves the prices %j", async (changes, expected) => {
    const product = await newProduct(shop.api, { base_price: 1000, percent_discount: 10 });
    expect(prices((await shop.api.patch(`/products/${product.id}`, changes)).body)).toEqual(expected);
  });

  test.each(["base_price", "final_price", "percent_discount"] as const)(
    "%s, sent back as it was read, changes no price",
    async (field) => {
      // The discount is published with two decimals: 66.67 % off a million would leave 333 300.
      const product = await newProduct(shop.api, { base_price: 1_000_000, final_price: 333_333 });
      const { body } = await shop.api.patch(`/products/${product.id}`, { name: "Otra", [field]: product[field] });
      expect(prices(body)).toEqual([1_000_000, 333_333, 66.67]);
      const { base_price, final_price, percent_discount } = product;
      const all = { base_price, final_price, percent_discount };
      expect(prices((await shop.api.patch(`/products/${product.id}`, all)).body)).toEqual(prices(product));
    },
  );

  test.each([
    ["percent_discount", { base_price: 3000, final_price: 3000, percent_discount: 50 }],
    ["percent_discount", { final_price: 700, percent_discount: 5 }],
    ["percent_discount", { final_price: 1000, percent_discount: 10 }],
    ["final_price", { final_price: 1001 }],
    ["final_price", { base_price: 500, final_price: 900 }],
    ["final_price", { base_price: 500, final_price: 900, percent_discount: 10 }],
  ])("refuses %s in %j, which contradicts the resulting prices", async (param, changes) => {
    const product = await newProduct(shop.api, { base_price: 1000, percent_discount: 10 });
    expect(refusal(await shop.api.patch(`/products/${product.id}`, changes))).toEqual(refused(param));
    expect((await shop.api.get(`/products/${product.id}`)).body).toEqual(product);
  });

  test("contradictory prices from a register do not block other edits", async () => {
    const id = randomUUID();
    const odd = { base_price: 3000, final_price: 3500, percent_discount: 50 };
    await store(service.deps, shop.accountId, products, (at) => [
      { body: productBody(at, { id, ...odd }), ...newLedger(0) },
    ]);
    const { body } = await shop.api.patch(`/products/${id}`, { name: "Otra", base_price: 3000 });
    expect([body.name, ...prices(body)]).toEqual(["Otra", 3000, 3500, 50]);
    expect(prices((await shop.api.patch(`/products/${id}`, { percent_discount: 50 })).body)).toEqual([3000, 1500, 50]);
  });

  test.each([
    ["stock", 5],
    ["base_unit", "kg"],
    ["sold_by_weight", true],
    ["kind", "composite"],
  ])("refuses %s and points to the inventory movements", async (field, value) => {
    const product = await newProduct(shop.api);
    const answer = await shop.api.patch(`/products/${product.id}`, { name: "Otra", [field]: value });
    expect(refusal(answer)).toEqual(refused(field));
    expect(answer.body.error.message).toContain("POST /inventory/movements");
    expect((await shop.api.get(`/products/${product.id}`)).body).toEqual(product);
  });

  test.each([
    ["body", {}],
    ["name", { name: "" }],
    ["name", { name: null }],
    ["name", { name: "a".repeat(201) }],
    ["description", { description: "a".repeat(5001) }],
    ["description_short", { description_short: "a".repeat(301) }],
    ["sku", { sku: "a\u200bb" }],
    ["sku", { sku: "s".repeat(101) }],
    ["base_price", { base_price: -1 }],
    ["base_price", { base_price: 1_000_000_000_000 }],
    ["base_price", { base_price: null }],
    ["final_price", { final_price: 1.5 }],
    ["percent_discount", { percent_discount: 101 }],
    ["tax_class", { tax_class: "iva" }],
    ["active", { active: "true" }],
    ["unit_cost", { unit_cost: 5 }],
    ["images", { images: [] }],
    ["variants", { variants: [] }],
    ["initial_stock", { initial_stock: 1 }],
  ])("refuses %s of %j", async (param, changes) => {
    const product = await newProduct(shop.api);
    expect(refusal(await shop.api.patch(`/products/${product.id}`, changes))).toEqual(refused(param));
  });

  test("emits the product exactly as the response returned it", async () => {
    const { api } = await service.business();
    const product = await newProduct(api);
    const edited = await api.patch(`/products/${product.id}`, { base_price: 5 });
    const { text } = await api.get("/events?type=product.updated");
    expect(text).toContain(`"data":{"object":${edited.text}}`);
  });

  test("leaves the exact stock as it was", async () => {
    const { api, accountId } = await service.business();
    await store(service.deps, accountId, warehouses, (at) => [{ body: warehouseBody(at) }]);
    const product = await newProduct(api, { base_unit: "kg" });
    const move = (type: string, quantity: number) =>
      api.post("/inventory/movements", { product_id: product.id, type, quantity, unit_cost: 100 });
    await move("in", 2.75);
    expect((await api.patch(`/products/${product.id}`, { name: "Otra" })).body).toMatchObject({
      stock: 2,
      unit_cost: 100,
    });
    await move("in", 0.25);
    expect((await api.get(`/products/${product.id}`)).body.stock).toBe(3);
  });

  test("does not find a deleted product or one of another account", async () => {
    const product = await newProduct(shop.api);
    await remove(service.deps, shop.accountId, products, product.id);
    const foreign = await newProduct((await service.business()).api);
    for (const id of [product.id, foreign.id, randomUUID()]) {
      expect(refusal(await shop.api.patch(`/products/${id}`, { name: "Otra" }))).toEqual([404, "NOT_FOUND", "id"]);
    }
  });
});

describe("registers that cannot receive an edit", () => {
  interface DeviceFields {
    capabilities?: string[] | null;
    revoked_at?: string | null;
  }
  async function enrol(accountId: string, name: string, { capabilities = null, revoked_at = null }: DeviceFields) {
    const id = randomUUID();
    const at = "2026-09-28T19:05:09.120Z";
    const reported = capabilities !== null;
    await service.deps.pool.query(sql`
      insert into devices (id, account_id, name, app_version, capabilities, created_at, last_seen_at, revoked_at)
      values (${id}, ${accountId}, ${name}, ${reported ? "3.7.0" : null}, ${capabilities}, ${at}, ${reported ? at : null}, ${revoked_at})`);
    return { id, name, app_version: reported ? "3.7.0" : null, last_seen_at: reported ? at : null };
  }

  test("are listed, and nothing is modified", async () => {
    const { accountId, api } = await service.business();
    const product = await newProduct(api);
    await enrol(accountId, "Caja 1", { capabilities: ["otra", "product.remote_edit.1"] });
    const old = await enrol(accountId, "Caja 2", { capabilities: ["otra"] });
    const silent = await enrol(accountId, "Caja 3", {});
    const bare = await enrol(accountId, "Caja 4", { capabilities: [] });
    const answer = await api.patch(`/products/${product.id}`, { name: "Otra" });
    expect(refusal(answer)).toEqual([409, "DEVICES_OUTDATED", undefined]);
    expect(answer.body.error.devices).toEqual([old, silent, bare]);
    expect((await api.get(`/products/${product.id}`)).body).toEqual(product);
    expect((await eventsOf(api)).map((event) => event.type)).toEqual(["product.created"]);
  });

  test("do not count once revoked, nor in another account", async () => {
    const { accountId, api } = await service.business();
    const neighbour = await service.business();
    const product = await newProduct(api);
    await enrol(accountId, "Caja 1", { capabilities: ["product.remote_edit.1"] });
    await enrol(accountId, "Vieja", { revoked_at: "2026-09-29T00:00:00Z" });
    await enrol(neighbour.accountId, "Ajena", {});
    expect((await api.patch(`/products/${product.id}`, { name: "Otra" })).status).toBe(200);
  });

  test("do not prevent a new product or a movement", async () => {
    const { accountId, api } = await service.business();
    await store(service.deps, accountId, warehouses, (at) => [{ body: warehouseBody(at) }]);
    await enrol(accountId, "Caja 1", {});
    const product = await newProduct(api, { initial_stock: 1 });
    const entry = { product_id: product.id, type: "in", quantity: 1 };
    expect((await api.post("/inventory/movements", entry)).status).toBe(201);
  });
});
