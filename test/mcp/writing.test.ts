import { beforeAll, describe, expect, test } from "vitest";
import type { Scope } from "../../src/engine/resources/scopes.ts";
import { minute } from "../../src/lib/clock.ts";
import { type Assistant, assistantOverHttp, assistantOverStdio } from "../support/assistant.ts";
import { advance } from "../support/fiscal.ts";
import { shared, verifiedService } from "../support/fixtures.ts";
import { newborn } from "../support/newborn.ts";
import type { Business } from "../support/service.ts";

const service = verifiedService();
const shop = shared(async (): Promise<Business> => {
  const { accountId } = await newborn(service);
  return { accountId, ...(await service.key(accountId)) };
});
const assistant = shared(() => assistantOverHttp(service.baseUrl, shop.key));
let coffee = "";

beforeAll(async () => {
  const made = await shop.api.post("/products", {
    name: "Café",
    base_price: 18_000,
    initial_stock: 10,
    unit_cost: 9000,
  });
  coffee = made.body.id;
});

const priceOf = async () => (await shop.api.get(`/products/${coffee}`)).body.final_price;
const stockOf = async () => (await shop.api.get(`/products/${coffee}`)).body.stock;
const audited = async () => (await shop.api.get("/audit-log?actor=assistant&order=asc")).body.data;

describe("a price", () => {
  test("is shown first and changed when it is confirmed, with its line in the audit log", async () => {
    const change = { product_id: coffee, price: 20_000 };
    const shown = await assistant.use("change_price", change);
    expect(shown).toMatchObject({
      done: false,
      summary: "Café: de $18.000 a $20.000.",
      before: { final_price: 18_000 },
      after: { final_price: 20_000 },
    });
    expect([await priceOf(), await audited()]).toEqual([18_000, []]);
    const { confirmation } = shown;
    expect(await assistant.use("change_price", { ...change, confirmation })).toMatchObject({ done: true });
    expect(await priceOf()).toBe(20_000);
    const [line, ...rest] = await audited();
    expect(rest).toEqual([]);
    expect(line).toMatchObject({
      action: "assistant.price_changed",
      actor: { type: "assistant", name: "prueba" },
      record: { object: "product", id: coffee },
      details: { before: { final_price: 18_000 }, after: { final_price: 20_000 }, api_key_id: shop.keyId },
    });
    // Said again, as after an answer that was lost, it is done and changes nothing.
    expect(await assistant.use("change_price", { ...change, confirmation })).toMatchObject({ done: true });
    expect((await audited()).length).toBe(1);
  });

  test("is changed although the product sold meanwhile, but not if its price changed", async () => {
    const change = { product_id: coffee, price: 21_000 };
    const { confirmation } = await assistant.use("change_price", change);
    await shop.api.post("/inventory/movements", { product_id: coffee, type: "out", quantity: 1 });
    expect(await assistant.use("change_price", { ...change, confirmation })).toMatchObject({ done: true });
    const other = { product_id: coffee, price: 22_000 };
    const late = await assistant.use("change_price", other);
    await shop.api.patch(`/products/${coffee}`, { base_price: 19_000 });
    const refusal = await assistant.refusal("change_price", { ...other, confirmation: late.confirmation });
    expect(refusal).toMatchObject({ code: "CONFLICT", message: expect.stringContaining("vista previa") });
    expect(await priceOf()).toBe(19_000);
  });

  test("is changed only as it was shown: another price, another key, or ten minutes later it is not", async () => {
    const change = { product_id: coffee, price: 25_000 };
    const { confirmation } = await assistant.use("change_price", change);
    const wrong = { code: "VALIDATION_ERROR", param: "confirmation" };
    expect(await assistant.refusal("change_price", { ...change, price: 2500, confirmation })).toMatchObject(wrong);
    const { key } = await service.key(shop.accountId);
    await using neighbour = await assistantOverHttp(service.baseUrl, key);
    expect(await neighbour.refusal("change_price", { ...change, confirmation })).toMatchObject(wrong);
    expect(await assistant.refusal("change_price", { ...change, confirmation: "sí" })).toMatchObject(wrong);
    advance(service, 11 * minute);
    expect(await assistant.refusal("change_price", { ...change, confirmation })).toMatchObject({
      ...wrong,
      message: expect.stringContaining("10 minutos"),
    });
    expect(await priceOf()).toBe(19_000);
  });

  test("below its cost, or far from what it was, is shown with a warning", async () => {
    const { warnings } = await assistant.use("change_price", { product_id: coffee, price: 4000 });
    expect(warnings).toEqual([expect.stringContaining("costo, $9.000"), expect.stringContaining("menos de la mitad")]);
  });

  test("of a variant is the variant's alone", async () => {
    const { body: shirt } = await shop.api.post("/products", {
      ...{ name: "Camiseta", base_price: 40_000 },
      variants: [
        { label: "M", final_price: 40_000 },
        { label: "L", final_price: 42_000 },
      ],
    });
    const [, large] = shirt.variants;
    const change = { product_id: shirt.id, variant_id: large.id, price: 45_000 };
    const { confirmation, summary } = await assistant.use("change_price", change);
    expect(summary).toBe("Camiseta · L: de $42.000 a $45.000.");
    await assistant.use("change_price", { ...change, confirmation });
    const { body } = await shop.api.get(`/products/${shirt.id}`);
    expect([body.final_price, body.variants.map((one: { final_price: number }) => one.final_price)]).toEqual([
      40_000,
      [40_000, 45_000],
    ]);
  });
});

describe("stock", () => {
  test("moves once, however often it is confirmed", async () => {
    const before = await stockOf();
    const move = { product_id: coffee, type: "in", quantity: 5, reason: "Compra" };
    const shown = await assistant.use("adjust_stock", move);
    expect(shown).toMatchObject({ done: false, stock_before: before, stock_after: before + 5 });
    const sure = { ...move, confirmation: shown.confirmation };
    const all = await Promise.all([1, 2, 3].map(() => assistant.use("adjust_stock", sure).catch(() => undefined)));
    const again = await assistant.use("adjust_stock", sure);
    expect(new Set([...all, again].flatMap((one) => one?.movement.id ?? [])).size).toBe(1);
    expect(await stockOf()).toBe(before + 5);
    const lines = (await audited()).filter(({ action }: { action: string }) => action === "assistant.stock_moved");
    expect(lines).toHaveLength(1);
    expect(lines[0].details).toMatchObject({ movement_id: again.movement.id, quantity: 5, product_id: coffee });
  });

  test("that would go the wrong way is refused before anything is shown", async () => {
    const move = { product_id: coffee, type: "out", quantity: -5, reason: "Daño" };
    expect(await assistant.refusal("adjust_stock", move)).toMatchObject({ param: "quantity" });
  });
});

describe("a customer", () => {
  test("is made once, and its line names no data of the person", async () => {
    const made = { name: "Zoraida", document_number: "10203040", email: "zoraida@example.com" };
    const { confirmation, customer } = await assistant.use("create_customer", made);
    expect(customer).toEqual(made);
    const done = await assistant.use("create_customer", { ...made, confirmation });
    expect(await assistant.use("create_customer", { ...made, confirmation })).toEqual(done);
    const { body } = await shop.api.get("/customers?document_number=10203040");
    expect(body.data).toHaveLength(1);
    const line = (await audited()).at(-1);
    expect(line).toMatchObject({ record: { object: "customer", id: done.customer.id } });
    expect(JSON.stringify(line)).not.toMatch(/Zoraida|10203040|zoraida@/);
    const again = await assistant.use("create_customer", { ...made, name: "Zoraida María" });
    expect(again.alike).toEqual([expect.objectContaining({ id: done.customer.id })]);
  });

  test("is edited where it was shown", async () => {
    const { body: one } = await shop.api.post("/customers", { name: "Ana", phone: "300" });
    const change = { customer_id: one.id, phone: "301" };
    const { confirmation, before, after } = await assistant.use("update_customer", change);
    expect([before, after]).toEqual([{ phone: "300" }, { phone: "301" }]);
    await shop.api.patch(`/customers/${one.id}`, { email: "ana@example.com" });
    await assistant.use("update_customer", { ...change, confirmation });
    const { body } = await shop.api.get(`/customers/${one.id}`);
    expect([body.phone, body.email]).toEqual(["301", "ana@example.com"]);
  });
});

describe("a key without the permission", () => {
  const reader: readonly Scope[] = ["products:read", "sales:read"];
  const ways: [string, typeof assistantOverHttp][] = [
    ["HTTP", assistantOverHttp],
    ["stdio", assistantOverStdio],
  ];

  test.each(ways)("is offered only what it may do, and refused the rest, over %s", async (_way, connect) => {
    const { key } = await service.key(shop.accountId, { scopes: reader });
    await using limited: Assistant = await connect(service.baseUrl, key);
    expect(await limited.toolNames()).toEqual(["sales_summary", "find_product", "find_sale", "search_docs"]);
    const before = await priceOf();
    expect(await limited.refusal("change_price", { product_id: coffee, price: 1 })).toMatchObject({
      code: "INSUFFICIENT_SCOPE",
      required_scope: "products:write",
    });
    expect(await limited.refusal("find_customer", { text: "Zoraida" })).toMatchObject({ code: "INSUFFICIENT_SCOPE" });
    expect(await limited.refusal("find_sale", { document: "1024" })).toMatchObject({ required_scope: "invoices:read" });
    expect(await priceOf()).toBe(before);
  });
});
