import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { categories } from "../../src/categories/store.ts";
import { sql } from "../../src/db/sql.ts";
import { warehouses } from "../../src/inventory/store.ts";
import { newLedger } from "../../src/products/ledger.ts";
import { products } from "../../src/products/store.ts";
import { change, productBody, remove, store, variantBody, warehouseBody } from "../support/records.ts";
import { refusal } from "../support/refusal.ts";
import { type Business, type Service, startService } from "../support/service.ts";

let service: Service;
let shop: Business;
beforeAll(async () => {
  service = await startService();
  shop = await service.business();
});
afterAll(() => service[Symbol.asyncDispose]());

const refused = (param: string) => [400, "VALIDATION_ERROR", param];
const skuTaken = [409, "SKU_ALREADY_EXISTS", "sku"];
const prices = (body: { base_price: number; final_price: number; percent_discount: number }) => [
  body.base_price,
  body.final_price,
  body.percent_discount,
];

async function created(input: object, api = shop.api) {
  const { status, body, text } = await api.post("/products", { name: "Gaseosa", base_price: 1000, ...input });
  expect(status, text).toBe(201);
  return body;
}

async function eventsOf(api: Business["api"]) {
  const { body } = await api.get("/events?order=asc&limit=100");
  return body.data as { type: string; data: { object: { id: string } } }[];
}

describe("POST /products", () => {
  test("a name and a price make a product, with the defaults of the contract", async () => {
    const { status, body, text, headers } = await shop.api.post("/products", { name: "Gaseosa", base_price: 3200 });
    expect(status).toBe(201);
    expect(body).toEqual({
      object: "product",
      id: expect.any(String),
      name: "Gaseosa",
      description: "",
      description_short: "",
      sku: null,
      category_id: null,
      kind: "simple",
      sellable: true,
      active: true,
      tax_class: "standard",
      base_price: 3200,
      final_price: 3200,
      percent_discount: 0,
      base_unit: "und",
      sold_by_weight: false,
      stock: 0,
      unit_cost: 0,
      image_url: null,
      images: [],
      has_variants: false,
      variants: [],
      created_at: expect.any(String),
      updated_at: body.created_at,
      deleted_at: null,
    });
    expect(headers.get("location")).toBe(`/public/v1/products/${body.id}`);
    expect((await shop.api.get(`/products/${body.id}`)).text).toBe(text);
  });

  test("every field is kept as it was sent; the first image is the product's", async () => {
    const { body: category } = await shop.api.post("/categories", { name: "Granos" });
    const sent = {
      name: "Arroz a granel",
      description: "Del Tolima",
      description_short: "Arroz",
      sku: "ARROZ-1",
      category_id: category.id,
      sellable: false,
      active: false,
      tax_class: "excluded",
      base_price: 4000,
      final_price: 3900,
      percent_discount: 2.5,
      base_unit: "kg",
      sold_by_weight: true,
      unit_cost: 2750.25,
      images: ["https://example.com/a.png", "http://example.com/b.png"],
    };
    expect(await created(sent)).toMatchObject({ ...sent, image_url: sent.images[0], stock: 0, has_variants: false });
  });

  test.each([
    ["name", "a".repeat(200), "a".repeat(201)],
    ["description", "a".repeat(5000), "a".repeat(5001)],
    ["description_short", "a".repeat(300), "a".repeat(301)],
    ["sku", "s".repeat(100), "s".repeat(101)],
    ["base_price", 999_999_999_999, 1_000_000_000_000],
    ["final_price", 999_999_999_999, 1_000_000_000_000],
    ["percent_discount", 100, 100.01],
    ["images", Array(10).fill("https://example.com/a.png"), Array(11).fill("https://example.com/a.png")],
  ])("%s keeps its upper limit", async (field, most, more) => {
    expect((await created({ [field]: most }))[field]).toEqual(most);
    const answer = await shop.api.post("/products", { name: "Gaseosa", base_price: 1, [field]: more });
    expect(refusal(answer)).toEqual(refused(field));
  });

  test.each([
    ["name", ""],
    ["name", "  "],
    ["name", undefined],
    ["base_price", undefined],
    ["base_price", -1],
    ["base_price", 10.5],
    ["base_price", "1000"],
    ["base_price", null],
    ["final_price", -1],
    ["percent_discount", -0.01],
    ["unit_cost", -1],
    ["initial_stock", -1],
    ["initial_stock", 1.5],
    ["tax_class", "iva"],
    ["base_unit", "caja"],
    ["sku", ""],
    ["category_id", "bebidas"],
    ["images.0", ["no es una dirección"], "images"],
    ["images.0", ["ftp://example.com/a.png"], "images"],
    ["variants.0.label", [{}], "variants"],
    ["variants.0.label", [{ label: "" }], "variants"],
    ["variants.0.label", [{ label: "a".repeat(121) }], "variants"],
    ["variants.0.stock", [{ label: "M", stock: 3 }], "variants"],
  ])("%s is refused as %j", async (param, value, field = param) => {
    const answer = await shop.api.post("/products", { name: "Gaseosa", base_price: 1, [field]: value });
    expect(refusal(answer)).toEqual(refused(param));
  });

  test("kind and stock are not for clients to set", async () => {
    for (const [field, value] of [
      ["kind", "composite"],
      ["stock", 5],
    ] as const) {
      const answer = await shop.api.post("/products", { name: "Gaseosa", base_price: 1, [field]: value });
      expect(refusal(answer)).toEqual(refused(field));
    }
  });

  test.each([
    [{ base_price: 1000 }, [1000, 1000, 0]],
    [{ base_price: 1000, percent_discount: 10 }, [1000, 900, 10]],
    [{ base_price: 1000, final_price: 800 }, [1000, 800, 20]],
    [{ base_price: 1000, final_price: 800, percent_discount: 10 }, [1000, 800, 10]],
    [{ base_price: 1000, final_price: 1200 }, [1000, 1200, 0]],
    [{ base_price: 1000, final_price: 0 }, [1000, 0, 100]],
    [{ base_price: 0, percent_discount: 50 }, [0, 0, 50]],
    [{ base_price: 3, final_price: 1 }, [3, 1, 66.67]],
    [{ base_price: 999, percent_discount: 12.5 }, [999, 874, 12.5]],
    // Half a peso goes to the even one.
    [{ base_price: 1, percent_discount: 50 }, [1, 0, 50]],
    [{ base_price: 3, percent_discount: 50 }, [3, 2, 50]],
    // Floating point says 28.999999999999996.
    [{ base_price: 100, percent_discount: 71 }, [100, 29, 71]],
    [{ base_price: 999_999_999_999, percent_discount: 33.33 }, [999_999_999_999, 666_699_999_999, 33.33]],
  ])("the prices of %j are %j", async (input, expected) => {
    expect(prices(await created(input))).toEqual(expected);
  });

  test("variants take their defaults, and the first is the default one", async () => {
    const body = await created({ variants: [{ label: "Talla S" }, { label: "Talla M" }] });
    expect(body).toMatchObject({ has_variants: true, stock: null });
    expect(body.variants[0]).toEqual({
      object: "product_variant",
      id: expect.any(String),
      product_id: body.id,
      label: "Talla S",
      sku: null,
      base_price: 0,
      final_price: 0,
      percent_discount: 0,
      images: [],
      is_default: true,
      active: true,
      created_at: body.created_at,
      updated_at: body.created_at,
      deleted_at: null,
    });
    expect(body.variants[1]).toMatchObject({ label: "Talla M", is_default: false });
    expect(body.variants[0].id).not.toBe(body.variants[1].id);
  });

  test("a variant keeps what it was sent, with prices like a product's", async () => {
    const second = {
      label: "Roja",
      sku: "ROJA-1",
      base_price: 2000,
      percent_discount: 5,
      images: ["https://example.com/roja.png"],
      is_default: true,
      active: false,
    };
    const body = await created({ variants: [{ label: "Azul", base_price: 500, final_price: 400 }, second] });
    expect(body.variants[0]).toMatchObject({
      is_default: false,
      base_price: 500,
      final_price: 400,
      percent_discount: 20,
    });
    expect(body.variants[1]).toMatchObject({ ...second, final_price: 1900 });
  });

  test("only one variant is the default one", async () => {
    const variants = [{ label: "S", is_default: true }, { label: "M" }, { label: "L", is_default: true }];
    const answer = await shop.api.post("/products", { name: "Camisa", base_price: 1, variants });
    expect(refusal(answer)).toEqual(refused("variants.2.is_default"));
  });

  test("a product has at most 100 variants", async () => {
    const variants = Array.from({ length: 101 }, (_, i) => ({ label: `Talla ${i}` }));
    expect((await created({ variants: variants.slice(0, 100) })).variants.length).toBe(100);
    const answer = await shop.api.post("/products", { name: "Camisa", base_price: 1, variants });
    expect(refusal(answer)).toEqual(refused("variants"));
  });

  test("a cost is published to four decimals from the first moment", async () => {
    expect((await created({ unit_cost: 1.23456 })).unit_cost).toBe(1.2346);
  });
});

describe("initial stock", () => {
  async function shopWithWarehouse(fields: Parameters<typeof warehouseBody>[1] = {}) {
    const business = await service.business();
    const [warehouse] = await store(service.deps, business.accountId, warehouses, (at) => [
      { body: warehouseBody(at, fields) },
    ]);
    return { ...business, warehouse: warehouse! };
  }

  test("enters by a movement of the default warehouse, and the product is told first", async () => {
    const { api, warehouse } = await shopWithWarehouse();
    const product = await created({ initial_stock: 48, unit_cost: 2100 }, api);
    expect(product).toMatchObject({ stock: 48, unit_cost: 2100, updated_at: product.created_at });
    const { body } = await api.get(`/inventory/movements?product_id=${product.id}`);
    expect(body.data).toEqual([
      {
        object: "stock_movement",
        id: expect.any(String),
        product_id: product.id,
        variant_id: null,
        warehouse_id: warehouse.id,
        type: "in",
        quantity: 48,
        reason: "Inventario inicial",
        reference: null,
        unit_cost: 2100,
        origin_type: "initial_stock",
        sale_id: null,
        created_at: product.created_at,
        updated_at: product.created_at,
      },
    ]);
    expect((await eventsOf(api)).map((event) => [event.type, event.data.object])).toEqual([
      ["product.created", product],
      ["inventory.movement.created", body.data[0]],
    ]);
  });

  test("of 0, or none, moves nothing and needs no warehouse", async () => {
    const { api } = await service.business();
    for (const input of [{}, { initial_stock: 0 }]) expect((await created(input, api)).stock).toBe(0);
    expect((await api.get("/inventory/movements")).body.data).toEqual([]);
    expect((await eventsOf(api)).map((event) => event.type)).toEqual(["product.created", "product.created"]);
  });

  test("enters the warehouse that the body names, which must exist", async () => {
    const { api, accountId, warehouse } = await shopWithWarehouse({ is_default: false });
    const product = await created({ initial_stock: 1, warehouse_id: warehouse.id }, api);
    const { body } = await api.get(`/inventory/movements?product_id=${product.id}`);
    expect(body.data[0].warehouse_id).toBe(warehouse.id);
    const foreign = await shopWithWarehouse();
    expect(foreign.accountId).not.toBe(accountId);
    for (const warehouse_id of [randomUUID(), foreign.warehouse.id]) {
      const answer = await api.post("/products", { name: "A", base_price: 1, initial_stock: 1, warehouse_id });
      expect(refusal(answer)).toEqual([404, "NOT_FOUND", "warehouse_id"]);
    }
  });

  test.each([
    ["no warehouse", undefined],
    ["no default one", { is_default: false }],
    ["an inactive default one", { active: false }],
  ])("with %s is refused, and makes no product", async (_what, fields) => {
    const { api } = fields ? await shopWithWarehouse(fields) : await service.business();
    const answer = await api.post("/products", { name: "A", base_price: 1, initial_stock: 1 });
    expect(refusal(answer)).toEqual([409, "NO_WAREHOUSE", "warehouse_id"]);
    expect((await api.get("/products")).body.data).toEqual([]);
    expect(await eventsOf(api)).toEqual([]);
  });

  test("of a product with variants is refused, and makes no product", async () => {
    const { api } = await shopWithWarehouse();
    const input = { name: "Camisa", base_price: 1, initial_stock: 1, variants: [{ label: "S" }] };
    expect(refusal(await api.post("/products", input))).toEqual([422, "VARIANT_STOCK_UNSUPPORTED", "initial_stock"]);
    expect((await api.get("/products")).body.data).toEqual([]);
  });
});

describe("SKUs", () => {
  let api: Business["api"];
  let accountId: string;
  beforeAll(async () => {
    ({ api, accountId } = await service.business());
    await created({ sku: "PROD" }, api);
    await created(
      {
        variants: [
          { label: "S", sku: "VAR-S" },
          { label: "M", sku: "VAR-M" },
        ],
      },
      api,
    );
  });
  const post = (input: object) => api.post("/products", { name: "Otra", base_price: 1, ...input });

  test.each([
    ["a product's", { sku: "PROD" }],
    ["a variant's", { sku: "VAR-M" }],
    ["a product's, on a variant", { variants: [{ label: "S", sku: "PROD" }] }],
    [
      "a variant's, on a variant",
      {
        variants: [
          { label: "S", sku: "NEW" },
          { label: "M", sku: "VAR-S" },
        ],
      },
    ],
    ["its own variant's", { sku: "TWICE", variants: [{ label: "S", sku: "TWICE" }] }],
    [
      "one of two equal variants",
      {
        variants: [
          { label: "S", sku: "SAME" },
          { label: "M", sku: "SAME" },
        ],
      },
    ],
  ])("a SKU that is %s is taken", async (_whose, input) => {
    expect(refusal(await post(input))).toEqual(skuTaken);
  });

  test("an edit may not take one either, but may keep its own", async () => {
    const mine = await created({ sku: "MINE", variants: [{ label: "S", sku: "MINE-S" }] }, api);
    for (const sku of ["PROD", "VAR-S", "MINE-S"]) {
      expect(refusal(await api.patch(`/products/${mine.id}`, { sku }))).toEqual(skuTaken);
    }
    expect((await api.patch(`/products/${mine.id}`, { sku: "MINE", name: "Otra" })).status).toBe(200);
    expect((await api.get(`/products/${mine.id}`)).body).toMatchObject({ sku: "MINE", name: "Otra" });
  });

  test("a SKU that an edit or a deletion gave up is free again", async () => {
    const first = await created({ sku: "FREE" }, api);
    expect((await api.patch(`/products/${first.id}`, { sku: null })).body.sku).toBe(null);
    const second = await created({ sku: "FREE", variants: [{ label: "S", sku: "FREE-S" }] }, api);
    await remove(service.deps, accountId, products, second.id);
    await created({ sku: "FREE-S", variants: [{ label: "S", sku: "FREE" }] }, api);
  });

  test("a SKU of another account, or in another case, is another one", async () => {
    await created({ sku: "prod" }, api);
    await created({ sku: "PROD" });
  });

  test("of two that want it at once, one gets it", async () => {
    const third = await created({}, api);
    const wanted = await Promise.all([
      post({ sku: "RACE" }),
      post({ variants: [{ label: "S", sku: "RACE" }] }),
      api.patch(`/products/${third.id}`, { sku: "RACE" }),
      post({ sku: "RACE" }),
    ]);
    expect(wanted.filter((answer) => answer.status < 300).length).toBe(1);
    for (const answer of wanted.filter((one) => one.status >= 300)) expect(refusal(answer)).toEqual(skuTaken);
    expect((await api.get("/products?sku=RACE")).body.data.length).toBe(1);
  });
});

describe("the category of a product", () => {
  test("must exist, live and belong to the account", async () => {
    const stranger = await service.business();
    const { body: foreign } = await stranger.api.post("/categories", { name: "Ajena" });
    const { body: gone } = await shop.api.post("/categories", { name: "Eliminada" });
    await remove(service.deps, shop.accountId, categories, gone.id);
    const product = await created({});
    for (const category_id of [randomUUID(), foreign.id, gone.id]) {
      const missing = [404, "NOT_FOUND", "category_id"];
      expect(refusal(await shop.api.post("/products", { name: "A", base_price: 1, category_id }))).toEqual(missing);
      expect(refusal(await shop.api.patch(`/products/${product.id}`, { category_id }))).toEqual(missing);
    }
    expect((await shop.api.get(`/products/${product.id}`)).body).toEqual(product);
  });

  test("is changed and cleared by an edit, and reads as the category's own id", async () => {
    const { body: category } = await shop.api.post("/categories", { name: "Bebidas" });
    const capitals = category.id.toUpperCase();
    const product = await created({ category_id: capitals });
    expect(product.category_id).toBe(category.id);
    const patch = (category_id: string | null) => shop.api.patch(`/products/${product.id}`, { category_id });
    expect((await patch(null)).body.category_id).toBe(null);
    expect((await patch(capitals)).body.category_id).toBe(category.id);
  });
});

describe("PATCH /products/{id}", () => {
  test("changes what it names and nothing else", async () => {
    const before = await created({ sku: "EDIT-1", unit_cost: 500, variants: [{ label: "S", sku: "EDIT-1S" }] });
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
    expect([status, body]).toEqual([200, { ...before, ...changes, updated_at: body.updated_at }]);
    expect(body.updated_at > before.updated_at).toBe(true);
    expect((await shop.api.get(`/products/${before.id}`)).text).toBe(text);
  });

  test.each([
    [{ name: "Otra" }, [1000, 900, 10]],
    [{ base_price: 2000 }, [2000, 2000, 0]],
    [{ base_price: 1000 }, [1000, 1000, 0]],
    [{ final_price: 800 }, [1000, 800, 20]],
    [{ percent_discount: 25 }, [1000, 750, 25]],
    [{ percent_discount: 0 }, [1000, 1000, 0]],
    [{ base_price: 2000, final_price: 1500 }, [2000, 1500, 25]],
    [{ base_price: 2000, percent_discount: 10 }, [2000, 1800, 10]],
    [{ final_price: 700, percent_discount: 5 }, [1000, 700, 5]],
    [{ base_price: 2000, final_price: 1500, percent_discount: 5 }, [2000, 1500, 5]],
    [{ base_price: 0 }, [0, 0, 0]],
  ])("%j leaves the prices %j", async (changes, expected) => {
    const product = await created({ base_price: 1000, percent_discount: 10 });
    expect(prices((await shop.api.patch(`/products/${product.id}`, changes)).body)).toEqual(expected);
  });

  test.each([
    ["stock", 5],
    ["base_unit", "kg"],
    ["sold_by_weight", true],
    ["kind", "composite"],
  ])("refuses %s and points to the inventory movements", async (field, value) => {
    const product = await created({});
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
    ["sku", { sku: "" }],
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
    const product = await created({});
    expect(refusal(await shop.api.patch(`/products/${product.id}`, changes))).toEqual(refused(param));
  });

  test("tells of the product exactly as it was answered", async () => {
    const { api } = await service.business();
    const product = await created({}, api);
    const edited = await api.patch(`/products/${product.id}`, { base_price: 5 });
    const { text } = await api.get("/events?type=product.updated");
    expect(text).toContain(`"data":{"object":${edited.text}}`);
  });

  test("does not touch the stock, however exact", async () => {
    const { api, accountId } = await service.business();
    await store(service.deps, accountId, warehouses, (at) => [{ body: warehouseBody(at) }]);
    const product = await created({ base_unit: "kg" }, api);
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

  test("does not find a deleted product, nor another account's", async () => {
    const product = await created({});
    await remove(service.deps, shop.accountId, products, product.id);
    const foreign = await created({}, (await service.business()).api);
    for (const id of [product.id, foreign.id, randomUUID()]) {
      expect(refusal(await shop.api.patch(`/products/${id}`, { name: "Otra" }))).toEqual([404, "NOT_FOUND", "id"]);
    }
  });
});

describe("registers that cannot take an edit", () => {
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
    const product = await created({}, api);
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
    const product = await created({}, api);
    await enrol(accountId, "Caja 1", { capabilities: ["product.remote_edit.1"] });
    await enrol(accountId, "Vieja", { revoked_at: "2026-09-29T00:00:00Z" });
    await enrol(neighbour.accountId, "Ajena", {});
    expect((await api.patch(`/products/${product.id}`, { name: "Otra" })).status).toBe(200);
  });

  test("do not stand in the way of a new product or a movement", async () => {
    const { accountId, api } = await service.business();
    await store(service.deps, accountId, warehouses, (at) => [{ body: warehouseBody(at) }]);
    await enrol(accountId, "Caja 1", {});
    const product = await created({ initial_stock: 1 }, api);
    const entry = { product_id: product.id, type: "in", quantity: 1 };
    expect((await api.post("/inventory/movements", entry)).status).toBe(201);
  });
});

describe("GET /products", () => {
  let api: Business["api"];
  let accountId: string;
  let drinks: { id: string };
  const names = async (query: string) =>
    (await api.get(`/products?${query}`)).body.data.map((one: { name: string }) => one.name);
  beforeAll(async () => {
    ({ api, accountId } = await service.business());
    drinks = (await api.post("/categories", { name: "Bebidas" })).body;
    await created({ name: "Café molido", sku: "CAFE-1", category_id: drinks.id }, api);
    await created({ name: "Camisa 100%_algodón", variants: [{ label: "S", sku: "CAM-S" }, { label: "M" }] }, api);
    await created({ name: "Té verde", active: false, description: "café" }, api);
    const gone = await created({ name: "Retirado", sku: "GONE", category_id: drinks.id }, api);
    await remove(service.deps, accountId, products, gone.id);
  });

  test.each([
    ["active=true", ["Camisa 100%_algodón", "Café molido"]],
    ["active=false", ["Té verde"]],
    ["sku=CAFE-1", ["Café molido"]],
    ["sku=CAM-S", ["Camisa 100%_algodón"]],
    ["sku=cam-s", []],
    ["sku=CAM", []],
    ["sku=GONE", []],
    ["sku=GONE&include_deleted=true", ["Retirado"]],
    ["q=CAFE", ["Café molido"]],
    ["q=%C3%A1lg", ["Camisa 100%_algodón"]],
    ["q=t%C3%A9", ["Té verde"]],
    ["q=0%25", ["Camisa 100%_algodón"]],
    ["q=_a", ["Camisa 100%_algodón"]],
    ["q=c_f", []],
    ["q=CAM-S", []],
    ["q=ca&active=true", ["Camisa 100%_algodón", "Café molido"]],
    ["q=te&active=true", []],
    ["include_deleted=true&active=true", ["Retirado", "Camisa 100%_algodón", "Café molido"]],
  ])("?%s finds %j", async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test("finds the products of a category", async () => {
    expect(await names(`category_id=${drinks.id}`)).toEqual(["Café molido"]);
    expect(await names(`category_id=${drinks.id.toUpperCase()}&include_deleted=true`)).toEqual([
      "Retirado",
      "Café molido",
    ]);
    expect(await names(`category_id=${randomUUID()}`)).toEqual([]);
  });

  test.each([
    ["sku", `sku=${"s".repeat(101)}`],
    ["sku", "sku="],
    ["q", "q=a"],
    ["q", `q=${"a".repeat(101)}`],
    ["active", "active=si"],
    ["category_id", "category_id=bebidas"],
    ["include_deleted", "include_deleted=quizas"],
    ["name", "name=Caf%C3%A9"],
  ])("refuses %s in ?%s", async (param, query) => {
    expect(refusal(await api.get(`/products?${query}`))).toEqual(refused(param));
  });

  test("a deleted product is read only with include_deleted", async () => {
    const product = await created({}, api);
    const gone = await remove(service.deps, accountId, products, product.id);
    expect(refusal(await api.get(`/products/${product.id}`))).toEqual([404, "NOT_FOUND", "id"]);
    expect((await api.get(`/products/${product.id}?include_deleted=true`)).body).toEqual(gone);
  });

  test("a register's products read as it stored them, the composite without stock", async () => {
    const business = await service.business();
    const stored = await store(service.deps, business.accountId, products, (at) => {
      const id = randomUUID();
      return [
        productBody(at, { kind: "composite", name: "Combo" }),
        productBody(at, { id, variants: [variantBody(at, id, { sku: "CAJA-V" })] }),
      ].map((body) => ({ body, ...newLedger(0) }));
    });
    for (const body of stored) expect((await business.api.get(`/products/${body.id}`)).body).toEqual(body);
    expect(stored.map((body) => body.stock)).toEqual([null, null]);
  });

  test("a variant that a register deleted gives its SKU up and is found no more", async () => {
    const business = await service.business();
    const product = await created(
      {
        variants: [
          { label: "S", sku: "OUT-S" },
          { label: "M", sku: "OUT-M" },
        ],
      },
      business.api,
    );
    await change(service.deps, business.accountId, products, product.id, (body) => ({
      variants: body.variants.filter((variant) => variant.sku !== "OUT-S"),
    }));
    const found = async (sku: string) => (await business.api.get(`/products?sku=${sku}`)).body.data.length;
    expect([await found("OUT-S"), await found("OUT-M")]).toEqual([0, 1]);
    await created({ sku: "OUT-S" }, business.api);
  });
});
