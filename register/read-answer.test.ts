import { describe, expect, test } from "vitest";
import { newCatalog } from "./catalog.ts";
import { type Fetch, Refusal, UnreadableAnswer } from "./protocol.ts";
import { readChangesResponse, readPushResponse, readStockPage } from "./read-answer.ts";
import { isReadable } from "./readable.ts";
import { syncClient } from "./sync-client.ts";

const push = { epoch: "e", acked_seq: 3, results: [{ device_seq: 3, status: "applied", code: null, record: null }] };
const change = { seq: 1, type: "category", id: "c", deleted: false, data: { name: "Panadería" } };
const changes = { changes: [change], cursor: "b", has_more: true, epoch: "e", acked_seq: 3 };
const stock = { levels: [["p", null, 2.5]], cursor: "b", has_more: false, acked_seq: 3, as_of: "2026-11-16T00:00:00Z" };

test("the service's answers are read as they are", () => {
  expect(readPushResponse({ ...push, server_time: "…" })).toEqual(push);
  expect(readChangesResponse(changes, "a")).toEqual(changes);
  expect(readStockPage(stock, "a")).toEqual(stock);
});

test.each([
  ["a push", () => readPushResponse({ ...push, acked_seq: "3" })],
  ["a push", () => readPushResponse({ ...push, acked_seq: -1 })],
  ["a push", () => readPushResponse({ ...push, acked_seq: 1e300 })],
  ["a push", () => readPushResponse({ ...push, epoch: null })],
  ["a push", () => readPushResponse({ ...push, results: {} })],
  ["a push", () => readPushResponse([])],
  ["a page of changes", () => readChangesResponse({ ...changes, changes: "none" }, "a")],
  ["a page of changes", () => readChangesResponse({ ...changes, changes: [null] }, "a")],
  ["a page of changes", () => readChangesResponse({ ...changes, cursor: 7 }, "a")],
  ["a page that promises more of the same", () => readChangesResponse(changes, "b")],
  ["a page of stock", () => readStockPage({ ...stock, levels: [["p", null, "2"]] }, "a")],
  ["a page of stock", () => readStockPage({ ...stock, levels: [["p", {}, 2]] }, "a")],
])("%s in another shape is not the service's", (_, read) => {
  expect(read).toThrow(UnreadableAnswer);
});

describe("a record that came down is left out", () => {
  const product = {
    set: {
      name: "Pan",
      base_price: 900,
      final_price: 900,
      tax_class: "exempt",
      active: true,
      sellable: true,
      variants: [],
    },
    init: { base_unit: "und", sold_by_weight: false },
  };
  const set = (fields: object) => ({ ...product, set: { ...product.set, ...fields } });
  const read = (type: string, data: unknown) => isReadable({ type, deleted: false, data });

  test("only when something in it has the wrong type", () => {
    expect(read("product", product)).toBe(true);
    expect(read("product", set({ variants: [{ id: "v", label: "L", final_price: 0 }], more: {} }))).toBe(true);
    expect(read("kind of a later version", { anything: 1 })).toBe(true);
    expect(isReadable({ type: "product", deleted: true, data: null })).toBe(true);
  });

  test.each([
    ["product", null],
    ["product", { set: product.set }],
    ["product", set({ name: { toString: 1 } })],
    ["product", set({ name: "x".repeat(20_001) })],
    ["product", set({ final_price: "900" })],
    ["product", set({ final_price: -1 })],
    ["product", set({ final_price: 1e300 })],
    ["product", set({ variants: [{ id: "v", label: null }] })],
    ["category", { name: ["a"] }],
    ["cashier", { name: "Ana", pin_hash: "x", permissions: "all" }],
    ["business", { name: "Tienda", regime: "__proto__" }],
    ["business", { name: "Tienda", cash_rounding: "50" }],
    ["invoice", { document_type: "pos_document", status: "issued", qr: { href: "javascript:1" } }],
    ["quote", { status: "sent", total: 1, items: [{}], issued_at: "2026-11-16" }],
  ])("%s %j", (type, data) => {
    expect(read(type, data)).toBe(false);
  });
});

test("a product is sold without a code that cannot be read", () => {
  const catalog = newCatalog();
  const set = { name: "Cerveza", base_price: 1, final_price: 1, tax_class: "standard", active: true, sellable: true };
  const codes = [
    { code: "1", units: 24, name: null, price: 1e13, variant_id: null },
    { code: "2", units: 1, name: null, price: null, variant_id: null },
  ];
  const data = { set: { ...set, barcodes: codes }, init: { base_unit: "und", sold_by_weight: false } };
  expect(isReadable({ type: "product", deleted: false, data })).toBe(true);
  catalog.take({ seq: 1, type: "product", id: "p", deleted: false, data });
  expect([catalog.byCode("1"), catalog.byCode("2")?.product.name]).toEqual([undefined, "Cerveza"]);
  expect(catalog.search("cerveza")).toHaveLength(1);
});

test("a redirect is not followed, an error page is a refusal, and nobody waits for days", async () => {
  const answering = (body: string, init: ResponseInit) =>
    syncClient("https://caja.test", (async () => new Response(body, init)) as Fetch).push("t", "now", []);
  await expect(answering("", { status: 302, headers: { location: "https://example.com" } })).rejects.toThrow(
    UnreadableAnswer,
  );
  const page = { status: 503, headers: { "retry-after": "99999999999" } };
  const refused = await answering("<html>", page).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refusal);
  expect(refused).toMatchObject({ status: 503, code: "UNREADABLE", retryAfterMs: 600_000 });
  const odd = await answering(JSON.stringify({ error: { code: {}, message: 7 } }), { status: 400 }).catch((e) => e);
  expect(odd).toMatchObject({ code: "UNREADABLE" });
});
