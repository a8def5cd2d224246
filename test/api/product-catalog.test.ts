import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { categories } from "../../src/business/categories/resource.ts";
import { newLedger } from "../../src/business/products/ledger.ts";
import { products } from "../../src/business/products/resource.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { newProduct } from "../support/product.ts";
import { change, productBody, remove, store, variantBody } from "../support/records.ts";
import { refusal, refused } from "../support/refusal.ts";
import type { Business } from "../support/service.ts";

const service = sharedService();
const shop = sharedShop(service);

const skuTaken = [409, "SKU_ALREADY_EXISTS", "sku"];

describe("SKUs", () => {
  let api: Business["api"];
  let accountId: string;
  beforeAll(async () => {
    ({ api, accountId } = await service.business());
    await newProduct(api, { sku: "PROD" });
    await newProduct(api, {
      variants: [
        { label: "S", sku: "VAR-S" },
        { label: "M", sku: "VAR-M" },
      ],
    });
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

  test("an edit cannot take another's SKU, but may keep its own", async () => {
    const mine = await newProduct(api, { sku: "MINE", variants: [{ label: "S", sku: "MINE-S" }] });
    for (const sku of ["PROD", "VAR-S", "MINE-S"]) {
      expect(refusal(await api.patch(`/products/${mine.id}`, { sku }))).toEqual(skuTaken);
    }
    expect((await api.patch(`/products/${mine.id}`, { sku: "MINE", name: "Otra" })).status).toBe(200);
    expect((await api.get(`/products/${mine.id}`)).body).toMatchObject({ sku: "MINE", name: "Otra" });
  });

  test("a SKU that two registers both used does not block other edits", async () => {
    const id = randomUUID();
    const stored = (at: string) =>
      productBody(at, { id, sku: "PROD", variants: [variantBody(at, id, { sku: "VAR-S" })] });
    await store(service.deps, accountId, products, (at) => [{ body: stored(at), ...newLedger(0) }]);
    for (const changes of [{ sku: "OWN" }, { sku: "OWN", name: "Otra" }, { sku: null }]) {
      expect((await api.patch(`/products/${id}`, changes)).body).toMatchObject(changes);
    }
    expect(refusal(await api.patch(`/products/${id}`, { sku: "PROD" }))).toEqual(skuTaken);
    expect(refusal(await api.patch(`/products/${id}`, { sku: "VAR-S" }))).toEqual(skuTaken);
    await change(service.deps, accountId, products, id, (body) => ({ ...body, sku: "PROD" }));
    expect((await api.patch(`/products/${id}`, { sku: "PROD", name: "Igual" })).body.name).toBe("Igual");
    await remove(service.deps, accountId, products, id);
  });

  test("a SKU released by an edit or a deletion is free again", async () => {
    const first = await newProduct(api, { sku: "FREE" });
    expect((await api.patch(`/products/${first.id}`, { sku: null })).body.sku).toBe(null);
    const second = await newProduct(api, { sku: "FREE", variants: [{ label: "S", sku: "FREE-S" }] });
    await remove(service.deps, accountId, products, second.id);
    await newProduct(api, { sku: "FREE-S", variants: [{ label: "S", sku: "FREE" }] });
  });

  test("the same SKU in another account, or in another case, is a different one", async () => {
    await newProduct(api, { sku: "prod" });
    await newProduct(shop.api, { sku: "PROD" });
  });

  test("of two concurrent requests for a SKU, one gets it", async () => {
    const third = await newProduct(api);
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
  test("must exist, not be deleted and belong to the account", async () => {
    const stranger = await service.business();
    const { body: foreign } = await stranger.api.post("/categories", { name: "Ajena" });
    const { body: gone } = await shop.api.post("/categories", { name: "Eliminada" });
    await remove(service.deps, shop.accountId, categories, gone.id);
    const product = await newProduct(shop.api);
    for (const category_id of [randomUUID(), foreign.id, gone.id]) {
      const missing = [404, "NOT_FOUND", "category_id"];
      expect(refusal(await shop.api.post("/products", { name: "A", base_price: 1, category_id }))).toEqual(missing);
      expect(refusal(await shop.api.patch(`/products/${product.id}`, { category_id }))).toEqual(missing);
    }
    expect((await shop.api.get(`/products/${product.id}`)).body).toEqual(product);
  });

  test("is changed and cleared by an edit, and reads as the id the category itself has", async () => {
    const { body: category } = await shop.api.post("/categories", { name: "Bebidas" });
    const capitals = category.id.toUpperCase();
    const product = await newProduct(shop.api, { category_id: capitals });
    expect(product.category_id).toBe(category.id);
    const patch = (category_id: string | null) => shop.api.patch(`/products/${product.id}`, { category_id });
    expect((await patch(null)).body.category_id).toBe(null);
    expect((await patch(capitals)).body.category_id).toBe(category.id);
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
    await newProduct(api, { name: "Café molido", sku: "CAFE-1", category_id: drinks.id });
    await newProduct(api, { name: "Camisa 100%_algodón", variants: [{ label: "S", sku: "CAM-S" }, { label: "M" }] });
    await newProduct(api, { name: "Té verde", active: false, description: "café" });
    const gone = await newProduct(api, { name: "Retirado", sku: "GONE", category_id: drinks.id });
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
    const product = await newProduct(api);
    const gone = await remove(service.deps, accountId, products, product.id);
    expect(refusal(await api.get(`/products/${product.id}`))).toEqual([404, "NOT_FOUND", "id"]);
    expect((await api.get(`/products/${product.id}?include_deleted=true`)).body).toEqual(gone);
  });

  test("a register's products read as it stored them, composites without stock", async () => {
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

  test("a variant that a register deleted releases its SKU and is no longer found", async () => {
    const business = await service.business();
    const product = await newProduct(business.api, {
      variants: [
        { label: "S", sku: "OUT-S" },
        { label: "M", sku: "OUT-M" },
      ],
    });
    await change(service.deps, business.accountId, products, product.id, (body) => ({
      variants: body.variants.filter((variant) => variant.sku !== "OUT-S"),
    }));
    const found = async (sku: string) => (await business.api.get(`/products?sku=${sku}`)).body.data.length;
    expect([await found("OUT-S"), await found("OUT-M")]).toEqual([0, 1]);
    await newProduct(business.api, { sku: "OUT-S" });
  });
});
