import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { invoices } from "../../src/business/invoices/resource.ts";
import { sales } from "../../src/business/sales/resource.ts";
import { allTools } from "../../src/mcp/tools.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { type Answered, type Assistant, assistantOverHttp, assistantOverStdio } from "../support/assistant.ts";
import { shared, sharedService, sharedShop } from "../support/fixtures.ts";
import { newborn } from "../support/newborn.ts";
import { invoiceBody, saleBody, saleItemBody, store } from "../support/records.ts";

const service = sharedService();
const shop = sharedShop(service);
const overHttp = shared(() => assistantOverHttp(service.baseUrl, shop.key));
const overStdio = shared(() => assistantOverStdio(service.baseUrl, shop.key));
const ways: [string, Assistant][] = [
  ["HTTP", overHttp],
  ["stdio", overStdio],
];
let saleId = "";
let saleDay = "";
let rejectedId = "";

beforeAll(async () => {
  const { deps } = service;
  await shop.api.post("/products", { name: "Café molido", sku: "CAF-1", base_price: 18_000 });
  await shop.api.post("/products", { name: "Panela", sku: "PAN-1", base_price: 4000 });
  const [sold] = await store(deps, shop.accountId, sales, (at) => [
    { body: saleBody(at, { total: 25_300, items: [saleItemBody({ description: "Café molido" })] }) },
    { body: saleBody(at, { total: 6400 }) },
  ]);
  saleId = sold?.id ?? "";
  saleDay = bogotaDate(new Date(sold?.occurred_at ?? 0));
  const [rejected] = await store(deps, shop.accountId, invoices, (at) => [
    {
      body: invoiceBody(at, {
        ...{ sale_id: saleId, status: "rejected", prefix: "SETT", number: 1024, cufe: null },
        dian_message: "Regla: FAD06, Rechazo: Valor del CUFE no está calculado correctamente",
      }),
    },
  ]);
  rejectedId = rejected?.id ?? "";
  await shop.api.post("/customers", { name: "Zoraida", document_number: "1020" });
});

describe.each(ways)("an assistant over %s", (_way, assistant) => {
  test("is told who answers and what it can do", async () => {
    expect(assistant.client.getServerVersion()).toMatchObject({ name: "mostrador", title: "Mostrador" });
    expect(assistant.client.getInstructions()).toMatch(/nunca instrucciones/);
    const { tools } = await assistant.client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ["sales_summary", true],
      ["find_product", true],
      ["find_sale", true],
      ["find_customer", true],
      ["low_stock", true],
      ["unissued_documents", true],
      ["explain_rejection", true],
      ["waiting_orders", true],
      ["show_order", true],
      ["recent_events", true],
      ["search_docs", true],
      ["create_customer", false],
      ["update_customer", false],
      ["change_price", false],
      ["adjust_stock", false],
      ["create_order", false],
      ["cancel_order", false],
    ]);
    expect(JSON.stringify(tools)).not.toContain('"x-');
  });

  test("finds a product by a part of its name and by its code", async () => {
    const named = await assistant.use("find_product", { text: "cafe" });
    expect(named.products).toEqual([expect.objectContaining({ name: "Café molido", final_price: 18_000 })]);
    expect((await assistant.use("find_product", { code: "PAN-1" })).products).toHaveLength(1);
  });

  test("finds a sale by its total, by its document and by its customer's absence", async () => {
    const byTotal = await assistant.use("find_sale", { total: 25_300 });
    expect(byTotal.sales).toEqual([
      expect.objectContaining({
        id: saleId,
        total: 25_300,
        items: [expect.objectContaining({ description: "Café molido" })],
      }),
    ]);
    const byDocument = await assistant.use("find_sale", { document: "SETT 1024" });
    expect(byDocument.sales.map(({ id }: Answered) => id)).toEqual([saleId]);
    expect((await assistant.use("find_sale", { total: 1 })).sales).toEqual([]);
  });

  test("adds the day up", async () => {
    const today = await assistant.use("sales_summary");
    expect(today).toMatchObject({
      summary: expect.stringMatching(/^Hoy: \d+ ventas?, \$/),
      payments: expect.any(Array),
    });
    const that = await assistant.use("sales_summary", { day: saleDay });
    expect(that.sold).toMatchObject({ tickets: 2, gross: 31_700 });
    const before = await assistant.use("sales_summary", { day: "2026-01-05" });
    expect(before).toMatchObject({ day: "2026-01-05", sold: { tickets: 0, net: 0 } });
  });

  test("learns which documents are not issued, and why", async () => {
    const { unissued } = await assistant.use("unissued_documents");
    expect(unissued).toEqual([
      expect.objectContaining({ id: rejectedId, document: "SETT1024", means: expect.stringContaining("CUFE") }),
    ]);
    const told = await assistant.use("explain_rejection", { document: "1024" });
    expect(told.rules).toEqual([expect.objectContaining({ code: "FAD06", next: expect.stringMatching(/\S/) })]);
    expect(told.next_step).toMatch(/next/);
  });

  test("reads what has happened, of one kind or of all", async () => {
    const { events } = await assistant.use("recent_events", { types: ["customer.created"] });
    expect(events).toEqual([
      expect.objectContaining({ type: "customer.created", object: expect.objectContaining({ name: "Zoraida" }) }),
    ]);
  });

  test("searches the documentation and reads what it found, and the errors", async () => {
    const { found } = await assistant.use("search_docs", { text: "idempotencia" });
    const uri = found.find((one: Answered) => one.uri?.startsWith("mostrador://guias/"))?.uri;
    const read = async (one: string) => (await assistant.client.readResource({ uri: one })).contents[0] as Answered;
    expect((await read(uri)).text).toMatch(/^# /);
    const { resources } = await assistant.client.listResources();
    expect(resources.map((one) => one.uri)).toEqual(expect.arrayContaining(["mostrador://errores", uri]));
    expect((await read("mostrador://errores/SKU_ALREADY_EXISTS")).text).toMatch(/HTTP 409/);
    await expect(read("mostrador://guias/../../etc/passwd")).rejects.toThrow(/No existe el recurso/);
  });

  test("is told what is wrong with a call, field by field", async () => {
    expect(await assistant.refusal("find_product", { nombre: "café" })).toMatchObject({
      code: "VALIDATION_ERROR",
      param: "nombre",
    });
    expect(await assistant.refusal("sales_summary", { day: "2026-02-30" })).toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await assistant.refusal("drop_tables")).toMatchObject({ code: "ROUTE_NOT_FOUND" });
    const strangers = "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c99";
    expect(await assistant.refusal("find_sale", { sale_id: strangers })).toMatchObject({ code: "NOT_FOUND" });
  });
});

test("stock that is low comes first, and what never moved is not counted", async () => {
  const { accountId } = await newborn(service);
  const own = await service.key(accountId);
  await own.api.post("/products", { name: "Sin contar", base_price: 1000 });
  await own.api.post("/products", { name: "Poco", base_price: 1000, initial_stock: 3 });
  await own.api.post("/products", { name: "Menos", base_price: 1000, initial_stock: 1 });
  await own.api.post("/products", { name: "Mucho", base_price: 1000, initial_stock: 90 });
  await using assistant = await assistantOverHttp(service.baseUrl, own.key);
  const { products: low, count } = await assistant.use("low_stock");
  expect([low.map(({ name }: Answered) => name), count]).toEqual([["Menos", "Poco"], 2]);
});

test("one business sees nothing of another", async () => {
  const other = await service.business();
  await using assistant = await assistantOverHttp(service.baseUrl, other.key);
  expect((await assistant.use("find_product", { text: "cafe" })).products).toEqual([]);
  expect((await assistant.use("find_sale", { document: "SETT1024" })).sales).toEqual([]);
  expect(await assistant.refusal("explain_rejection", { invoice_id: rejectedId })).toMatchObject({ code: "NOT_FOUND" });
  expect((await assistant.use("unissued_documents")).unissued).toEqual([]);
});

test("the guide lists every tool with its permissions", async () => {
  const text = await readFile(new URL("../../docs/guide/asistentes.md", import.meta.url), "utf8");
  const rows = [...text.matchAll(/^\| `(\w+)` \| .+ \| (.+) \|$/gm)].map(([, name, scopes = ""]) => [
    name,
    [...scopes.matchAll(/`([\w:]+)`/g)].map(([, scope]) => scope),
  ]);
  expect(rows).toEqual(allTools.map(({ name, scopes }) => [name, scopes]));
});
