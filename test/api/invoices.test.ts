import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { invoices } from "../../src/business/invoices/resource.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { change, invoiceBody, store } from "../support/records.ts";
import { refusal, refused } from "../support/refusal.ts";

const sale = randomUUID();
const service = sharedService();
const shop = sharedShop(service);
beforeAll(async () => {
  const documents = [
    { prefix: "A", status: "issued", document_type: "pos_document", issued_at: "2026-10-01T12:00:00.000Z" },
    { prefix: "B", status: "rejected", document_type: "electronic_invoice", issued_at: "2026-10-03T12:00:00.000Z" },
    { prefix: "C", status: "pending", document_type: "electronic_invoice", issued_at: "2026-10-02T12:00:00.000Z" },
    { prefix: "D", status: "issued", document_type: "internal_invoice", issued_at: "2026-10-02T12:00:00.001Z" },
  ] as const;
  for (const fields of documents) {
    const sale_id = fields.prefix === "A" || fields.prefix === "C" ? sale : null;
    await store(service.deps, shop.accountId, invoices, (at) => [{ body: invoiceBody(at, { ...fields, sale_id }) }]);
  }
});

test("a document reads byte by byte as it was stored, whatever is null in it", async () => {
  const business = await service.business();
  const stored = await store(service.deps, business.accountId, invoices, (at) =>
    [
      invoiceBody(at, { sale_id: sale, dian_message: "Regla: FAD06, «rechazo»", document_reason: "Devolución" }),
      invoiceBody(at, {
        document_type: "internal_invoice",
        type_document_id: null,
        dian_status: null,
        dian_message: null,
        prefix: null,
        cufe: null,
        number: 0,
      }),
    ].map((body) => ({ body })),
  );
  const list = await business.api.get("/invoices");
  for (const body of stored) {
    expect((await business.api.get(`/invoices/${body.id}`)).text).toBe(JSON.stringify(body));
    expect(list.text).toContain(JSON.stringify(body));
  }
});

test.each([
  ["status=issued", ["D", "A"]],
  ["status=annulled", []],
  ["document_type=electronic_invoice", ["C", "B"]],
  [`sale_id=${sale}`, ["C", "A"]],
  ["issued_since=2026-10-02T12:00:00Z", ["D", "C", "B"]],
  ["issued_since=2026-10-02T12:00:00.001Z", ["D", "B"]],
  ["issued_until=2026-10-02T12:00:00Z", ["A"]],
  ["issued_until=2026-10-02T07:00:00.001-05:00", ["C", "A"]],
  [`status=issued&sale_id=${sale}`, ["A"]],
  ["status=issued&document_type=electronic_invoice", []],
])("?%s finds %j", async (query, expected) => {
  const { body } = await shop.api.get(`/invoices?${query}`);
  expect(body.data.map((one: { prefix: string }) => one.prefix)).toEqual(expected);
});

test.each([
  ["status", "status=emitida"],
  ["document_type", "document_type=01"],
  ["sale_id", "sale_id=1"],
  ["issued_since", "issued_since=ayer"],
  ["issued_until", "issued_until=2026-13-01T00:00:00Z"],
  ["number", "number=1"],
])("%s is refused in ?%s", async (param, query) => {
  expect(refusal(await shop.api.get(`/invoices?${query}`))).toEqual(refused(param));
});

test("the authority's decision changes the status that finds a document", async () => {
  const business = await service.business();
  const { deps } = service;
  const [pending] = await store(deps, business.accountId, invoices, (at) => [
    { body: invoiceBody(at, { status: "pending" }) },
  ]);
  const issued = await change(deps, business.accountId, invoices, pending!.id, () => ({ status: "issued" as const }));
  const found = async (status: string) => (await business.api.get(`/invoices?status=${status}`)).body.data;
  expect([await found("pending"), await found("issued")]).toEqual([[], [issued]]);
});

test("a document that does not exist, or belongs to another account, is not found", async () => {
  const stranger = await service.business();
  const { body } = await shop.api.get("/invoices");
  expect(refusal(await stranger.api.get(`/invoices/${body.data[0].id}`))).toEqual([404, "NOT_FOUND", "id"]);
  expect(refusal(await shop.api.get(`/invoices/${randomUUID()}`))).toEqual([404, "NOT_FOUND", "id"]);
  expect(refusal(await shop.api.get("/invoices/EPOS-1"))).toEqual(refused("id"));
});
