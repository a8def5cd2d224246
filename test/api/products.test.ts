import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { warehouses } from "../../src/business/inventory/resource.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { eventsOf, newProduct, prices } from "../support/product.ts";
import { productBody, store, warehouseBody } from "../support/records.ts";
import { refusal, refused } from "../support/refusal.ts";

const service = sharedService();
const shop = sharedShop(service);

describe("POST /products", () => {
  test("a name and a price create a product, with the defaults of the contract", async () => {
    const { status, body, text, headers } = await shop.api.post("/products", { name: "Gaseosa", base_price: 3200 });
    expect(status).toBe(201);
    const generated = { id: expect.any(String), created_at: expect.any(String), version: 1 };
    expect(body).toEqual({ ...productBody(body.created_at, { name: "Gaseosa" }), ...generated });
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
    expect(await newProduct(shop.api, sent)).toMatchObject({
      ...sent,
      image_url: sent.images[0],
      stock: 0,
      has_variants: false,
    });
  });

  test.each([
    ["name", "a".repeat(200), "a".repeat(201)],
    ["description", "a".repeat(5000), "a".repeat(5001)],
    ["description_short", "a".repeat(300), "a".repeat(301)],
    ["sku", "s".repeat(100), "s".repeat(101)],
    ["base_price", 999_999_999_999, 1_000_000_000_000],
    ["percent_discount", 100, 100.01],
    ["images", Array(10).fill("https://example.com/a.png"), Array(11).fill("https://example.com/a.png")],
  ])("%s has an upper limit", async (field, most, more) => {
    expect((await newProduct(shop.api, { [field]: most }))[field]).toEqual(most);
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
    ["final_price", 1_000_000_000_000],
    ["percent_discount", -0.01],
    ["unit_cost", -1],
    ["initial_stock", -1],
    ["initial_stock", 1.5],
    ["tax_class", "iva"],
    ["base_unit", "caja"],
    ["sku", "\u202e"],
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

  test("clients cannot set kind and stock", async () => {
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
    [{ base_price: 1000, final_price: 800, percent_discount: 20 }, [1000, 800, 20]],
    [{ base_price: 999_999_999_999, final_price: 999_999_999_999 }, [999_999_999_999, 999_999_999_999, 0]],
    [{ base_price: 1000, final_price: 0 }, [1000, 0, 100]],
    [{ base_price: 0, percent_discount: 50 }, [0, 0, 50]],
    [{ base_price: 3, final_price: 1 }, [3, 1, 66.67]],
    [{ base_price: 999, percent_discount: 12.5 }, [999, 874, 12.5]],
    // Half a peso is rounded to the even peso.
    [{ base_price: 1, percent_discount: 50 }, [1, 0, 50]],
    [{ base_price: 3, percent_discount: 50 }, [3, 2, 50]],
    // In floating point this is 28.999999999999996.
    [{ base_price: 100, percent_discount: 71 }, [100, 29, 71]],
    [{ base_price: 999_999_999_999, percent_discount: 33.33 }, [999_999_999_999, 666_699_999_999, 33.33]],
    // A peso of rounding, and a discount with the two decimals that the API publishes.
    [{ base_price: 999, final_price: 875, percent_discount: 12.5 }, [999, 875, 12.5]],
    [{ base_price: 1_000_000, final_price: 333_333, percent_discount: 66.67 }, [1_000_000, 333_333, 66.67]],
  ])("the prices of %j are %j", async (input, expected) => {
    expect(prices(await newProduct(shop.api, input))).toEqual(expected);
  });

  test.each([
    ["percent_discount", { base_price: 3000, final_price: 3000, percent_discount: 50 }],
    ["percent_discount", { base_price: 1000, final_price: 800, percent_discount: 0 }],
    ["percent_discount", { base_price: 999, final_price: 876, percent_discount: 12.5 }],
    ["percent_discount", { base_price: 1_000_000, final_price: 333_333, percent_discount: 66.66 }],
    ["final_price", { base_price: 1000, final_price: 1001 }],
    ["final_price", { base_price: 0, final_price: 1 }],
    ["variants.1.final_price", { variants: [{ label: "S" }, { label: "M", base_price: 500, final_price: 501 }] }],
    ["variants.0.final_price", { variants: [{ label: "S", base_price: 0, final_price: 500 }] }],
    [
      "variants.0.percent_discount",
      { variants: [{ label: "S", base_price: 500, final_price: 500, percent_discount: 5 }] },
    ],
    ["variants.0.percent_discount", { variants: [{ label: "S", final_price: 500, percent_discount: 5 }] }],
  ])("%s contradicts the other prices of %j", async (param, input) => {
    const answer = await shop.api.post("/products", { name: "Gaseosa", base_price: 1000, ...input });
    expect(refusal(answer)).toEqual(refused(param));
  });

  test("all contradictions in a product and its variants are reported together", async () => {
    const variants = [
      { label: "S", base_price: 1, final_price: 2, is_default: true },
      { label: "M", is_default: true },
    ];
    const answer = await shop.api.post("/products", { name: "Camisa", base_price: 1, final_price: 2, variants });
    expect(answer.body.error.errors.map((error: { param: string }) => error.param)).toEqual([
      "final_price",
      "variants.0.final_price",
      "variants.1.is_default",
    ]);
  });

  test("variants get their defaults, and the first is the default variant", async () => {
    const body = await newProduct(shop.api, { variants: [{ label: "Talla S" }, { label: "Talla M" }] });
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

  test("a variant keeps the fields it was sent, and its prices work like a product's", async () => {
    const second = {
      label: "Roja",
      sku: "ROJA-1",
      base_price: 2000,
      percent_discount: 5,
      images: ["https://example.com/roja.png"],
      is_default: true,
      active: false,
    };
    const body = await newProduct(shop.api, {
      variants: [{ label: "Azul", base_price: 500, final_price: 400 }, second],
    });
    expect(body.variants[0]).toMatchObject({
      is_default: false,
      base_price: 500,
      final_price: 400,
      percent_discount: 20,
    });
    expect(body.variants[1]).toMatchObject({ ...second, final_price: 1900 });
    const [plain] = (await newProduct(shop.api, { variants: [{ label: "Verde", final_price: 700 }] })).variants;
    expect(prices(plain)).toEqual([700, 700, 0]);
  });

  test("only one variant can be the default", async () => {
    const variants = [{ label: "S", is_default: true }, { label: "M" }, { label: "L", is_default: true }];
    const answer = await shop.api.post("/products", { name: "Camisa", base_price: 1, variants });
    expect(refusal(answer)).toEqual(refused("variants.2.is_default"));
  });

  test("a product has at most 100 variants", async () => {
    const variants = Array.from({ length: 101 }, (_, i) => ({ label: `Talla ${i}` }));
    expect((await newProduct(shop.api, { variants: variants.slice(0, 100) })).variants.length).toBe(100);
    const answer = await shop.api.post("/products", { name: "Camisa", base_price: 1, variants });
    expect(refusal(answer)).toEqual(refused("variants"));
  });

  test("a cost is published with four decimals from the start", async () => {
    expect((await newProduct(shop.api, { unit_cost: 1.23456 })).unit_cost).toBe(1.2346);
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

  test("is a movement in the default warehouse, and the product's event comes first", async () => {
    const { api, warehouse, accountId } = await shopWithWarehouse();
    const product = await newProduct(api, { initial_stock: 48, unit_cost: 2100 });
    expect(product).toMatchObject({ stock: 48, unit_cost: 2100, updated_at: product.created_at });
    const { body } = await api.get(`/inventory/movements?product_id=${product.id}`);
    const next = new Date(Date.parse(product.created_at) + 1).toISOString();
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
        created_at: next,
        updated_at: next,
        version: 1,
        location_id: accountId,
      },
    ]);
    expect((await eventsOf(api)).map((event) => [event.type, event.data.object])).toEqual([
      ["product.created", product],
      ["inventory.movement.created", body.data[0]],
    ]);
  });

  test("of 0, or omitted, creates no movement and needs no warehouse", async () => {
    const { api } = await service.business();
    for (const input of [{}, { initial_stock: 0 }]) expect((await newProduct(api, input)).stock).toBe(0);
    expect((await api.get("/inventory/movements")).body.data).toEqual([]);
    expect((await eventsOf(api)).map((event) => event.type)).toEqual(["product.created", "product.created"]);
  });

  test("goes to the warehouse that the body names, which must exist", async () => {
    const { api, accountId, warehouse } = await shopWithWarehouse({ is_default: false });
    const product = await newProduct(api, { initial_stock: 1, warehouse_id: warehouse.id });
    const { body } = await api.get(`/inventory/movements?product_id=${product.id}`);
    expect(body.data[0].warehouse_id).toBe(warehouse.id);
    const foreign = await shopWithWarehouse();
    expect(foreign.accountId).not.toBe(accountId);
    for (const warehouse_id of [randomUUID(), foreign.warehouse.id]) {
      const answer = await api.post("/products", { name: "A", base_price: 1, initial_stock: 1, warehouse_id });
      expect(refusal(answer)).toEqual([404, "NOT_FOUND", "warehouse_id"]);
    }
  });

  test("of an account without a warehouse opens its first", async () => {
    const { api } = await service.business();
    const product = await newProduct(api, { initial_stock: 3 });
    expect(product.stock).toBe(3);
    const { data } = (await api.get("/warehouses")).body;
    expect(data).toMatchObject([{ name: "Principal", is_default: true, active: true }]);
    const moved = await api.get(`/inventory/movements?warehouse_id=${data[0].id}`);
    expect(moved.body.data).toMatchObject([{ product_id: product.id, quantity: 3 }]);
  });

  test("with all warehouses closed is refused and creates no product", async () => {
    const { api } = await shopWithWarehouse({ active: false });
    const answer = await api.post("/products", { name: "A", base_price: 1, initial_stock: 1 });
    expect(refusal(answer)).toEqual([409, "NO_WAREHOUSE", "warehouse_id"]);
    expect((await api.get("/products")).body.data).toEqual([]);
    expect(await eventsOf(api)).toEqual([]);
  });

  test("of a product with variants is refused and creates no product", async () => {
    const { api } = await shopWithWarehouse();
    const input = { name: "Camisa", base_price: 1, initial_stock: 1, variants: [{ label: "S" }] };
    expect(refusal(await api.post("/products", input))).toEqual([422, "VARIANT_STOCK_UNSUPPORTED", "initial_stock"]);
    expect((await api.get("/products")).body.data).toEqual([]);
  });
});
