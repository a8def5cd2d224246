import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { warehouses } from "../../src/business/inventory/resource.ts";
import { invalid } from "../support/check-response.ts";
import { sharedService } from "../support/fixtures.ts";
import { store, warehouseBody } from "../support/records.ts";
import { refusal } from "../support/refusal.ts";
import type { Business } from "../support/service.ts";

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is read as data
type Json = any;

const committed = readFileSync(new URL("../../openapi.json", import.meta.url), "utf8");
const document: Json = JSON.parse(committed);

const service = sharedService();

describe("a request body", () => {
  const sent = (path: string): Json =>
    referenced(document.paths[path].post.requestBody.content["application/json"].schema.$ref);
  /** What is received once is not there for a second time: below. */
  const receipts = "/purchases/{id}/receipts";
  const posts = Object.keys(document.paths).filter((path) => document.paths[path].post && path !== receipts);
  const plain = (body: object) =>
    JSON.stringify(body)
      .replace(/"number":\d+/, "")
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…");
  let shop: Business;
  let required: Record<string, object>;
  let varied: string;
  let ordered: string;
  beforeAll(async () => {
    shop = await service.business();
    await store(service.deps, shop.accountId, warehouses, (at) => [{ body: warehouseBody(at) }]);
    const { body } = await shop.api.post("/products", { name: "Gaseosa", base_price: 1 });
    const variants = [{ label: "S" }];
    varied = (await shop.api.post("/products", { name: "Camisa", base_price: 1, variants })).body.id;
    ordered = (await shop.api.post("/orders", { items: [{ product_id: body.id, quantity: 1 }] })).body.id;
    const { body: supplier } = await shop.api.post("/suppliers", { name: "Distribuidora" });
    const supplier_id = supplier.id;
    const bought = { product_id: body.id, quantity: 1000, unit_cost: 900 };
    required = {
      ...Object.fromEntries(posts.map((path) => [path, { name: "Ana" }])),
      "/products": { name: "Camisa", base_price: 1 },
      "/customers/batch": { items: [{ name: "Ana" }] },
      "/products/batch": { items: [{ name: "Camisa", base_price: 1 }] },
      "/products/{id}/variants": { label: "M" },
      "/orders": { items: [{ product_id: body.id, quantity: 1 }] },
      "/orders/preview": { items: [{ product_id: body.id, quantity: 1 }] },
      "/orders/{id}/cancel": {},
      "/purchases": { supplier_id, lines: [bought] },
      "/inventory/movements": { product_id: body.id, type: "in", quantity: 1 },
    };
  });
  const nullsOf = ({ properties, required: needed = [] }: Json) =>
    Object.fromEntries(Object.keys(properties).flatMap((name) => (needed.includes(name) ? [] : [[name, null]])));

  test.each(posts)("with null in an optional field of POST %s means that the field is absent", async (path) => {
    const address = path.replace("{id}", path.startsWith("/orders/") ? ordered : varied);
    const done = /\/(batch|cancel|preview)$/.test(path) ? 200 : 201;
    const key = `null${path.replaceAll(/[/{}]/g, ".")}`;
    const nulls = nullsOf(sent(path));
    for (const name of Object.keys(nulls))
      expect([name, sent(path).properties[name].type]).toEqual([name, expect.arrayContaining(["null"])]);
    const without = await shop.api.post(address, required[path]!, { "idempotency-key": key });
    const withNulls = await shop.api.post(address, { ...required[path], ...nulls });
    expect([withNulls.status, plain(withNulls.body)]).toEqual([done, plain(without.body)]);
    const again = await shop.api.post(address, { ...required[path], ...nulls }, { "idempotency-key": key });
    expect([again.status, again.text]).toEqual([done, without.text]);
    for (const name of Object.keys(required[path]!)) {
      const { status, body } = await shop.api.post(address, { ...required[path], [name]: null });
      expect([status, body.error.param]).toEqual([400, name]);
    }
  });

  test("with null in an optional field of a receipt means that the field is absent", async () => {
    const nulls = nullsOf(sent(receipts));
    const received = async (body: object) => {
      const { body: made } = await shop.api.post("/purchases", required["/purchases"]!);
      return shop.api.post(`/purchases/${made.id}/receipts`, body);
    };
    const [without, withNulls] = [await received({}), await received(nulls)];
    expect([withNulls.status, withNulls.body.lines[0].received]).toEqual([200, 1000]);
    const unlike = (text: string) => text.replaceAll(/"(Compra |number":)\d+/g, "");
    expect(unlike(plain(withNulls.body))).toEqual(unlike(plain(without.body)));
  });

  test("with null in a variant means the same", async () => {
    const { items } = sent("/products").properties.variants;
    const answer = await shop.api.post("/products", {
      ...required["/products"],
      variants: [{ label: "S", ...nullsOf(items) }],
    });
    expect(answer.body.variants).toMatchObject([
      { label: "S", sku: null, base_price: 0, images: [], is_default: true },
    ]);
  });

  test("has no defaults in its schema: generators would treat such a field as always present", () => {
    visit(document.components.schemas, "", (node, at) => expect([at, "default" in node]).toEqual([at, false]));
  });

  test.each([
    ["/customers", "name", { name: "A\u0000" }],
    ["/customers", "phone", { phone: "\u0000" }],
    ["/customers", "name", { name: " \n " }],
    ...["\u200c", "\u200d", "\u061c", "\u180e", "\ufeff", "\ufffa"].flatMap((hidden): [string, string, object][] => [
      ["/customers", "name", { name: `Pa${hidden}n` }],
      ["/products", "sku", { sku: `A${hidden}1` }],
    ]),
    ["/customers", "name", { name: "\u3164" }],
    ["/products", "sku", { sku: "\u2800" }],
    ["/products", "images.0", { images: ["ftp://example.com/a.png"] }],
    [
      "/products",
      "variants.1.is_default",
      {
        variants: [
          { label: "S", is_default: true },
          { label: "M", is_default: true },
        ],
      },
    ],
    ["/inventory/movements", "quantity", { type: "adjustment", quantity: 0 }],
    ["/inventory/movements", "quantity", { quantity: -1 }],
  ])("is refused by the reference as by POST %s: %s in %j", async (path, param, fields) => {
    const body = { ...required[path], ...fields };
    const pointer = document.paths[path].post.requestBody.content["application/json"].schema.$ref.slice(1);
    expect(invalid(pointer, body)).not.toEqual([]);
    expect(refusal(await shop.api.post(path, body))).toEqual([400, "VALIDATION_ERROR", param]);
    expect(invalid(pointer, required[path])).toEqual([]);
  });
});

test("an empty code is none, in the reference as at POST /products", async () => {
  for (const sku of ["", "  ", null]) {
    const body = { name: "Pan", base_price: 1, sku, variants: [{ label: "M", sku }] };
    expect(invalid("/components/schemas/new_product", body)).toEqual([]);
    const answer = await (await service.business()).api.post("/products", body);
    expect([answer.status, answer.body.sku, answer.body.variants[0].sku]).toEqual([201, null, null]);
  }
});

function referenced(pointer: string): Json {
  return pointer
    .split("/")
    .slice(1)
    .reduce((node, step) => node[step], document);
}

/** Every object of the document, except inside examples. */
function visit(node: Json, at: string, see: (node: Json, at: string) => void): void {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) see(node, at);
  for (const [key, value] of Object.entries(node)) {
    if (key === "example" || key === "examples") continue;
    visit(value, `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, see);
  }
}
