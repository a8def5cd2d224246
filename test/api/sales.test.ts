import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { sales } from "../../src/business/sales/resource.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { change, saleBody, saleItemBody, store } from "../support/records.ts";
import { refusal, refused } from "../support/refusal.ts";

const [ana, eva, session] = [randomUUID(), randomUUID(), randomUUID()];
const service = sharedService();
const shop = sharedShop(service);
beforeAll(async () => {
  // Registers upload late and in any order, so sales do not arrive in the order in which they occurred.
  const arrivals = [
    { notes: "A", status: "completed", customer_id: ana, occurred_at: "2026-10-01T12:00:00.000Z" },
    { notes: "B", status: "cancelled", customer_id: ana, occurred_at: "2026-10-03T12:00:00.000Z" },
    { notes: "C", status: "completed", customer_id: eva, occurred_at: "2026-10-02T12:00:00.000Z" },
    {
      notes: "D",
      status: "open",
      document_kind: "invoice",
      cash_session_id: session,
      occurred_at: "2026-10-04T12:00:00.000Z",
    },
    { notes: "E", status: "en espera", cash_session_id: session, occurred_at: "2026-10-02T12:00:00.001Z" },
  ] as const;
  for (const fields of arrivals) {
    await store(service.deps, shop.accountId, sales, (at) => [{ body: saleBody(at, fields) }]);
  }
});

test("a sale reads byte by byte as it was stored, with its lines, taxes and documents", async () => {
  const business = await service.business();
  const [stored] = await store(service.deps, business.accountId, sales, (at) => [
    {
      body: saleBody(at, {
        status: "completed",
        document_kind: "invoice",
        payment_method: "CARD",
        customer_id: ana,
        cash_session_id: session,
        subtotal: 10_000,
        discount: 500,
        discount_percent: 5,
        tax: 1517,
        tip_amount: 1000,
        total: 10_500,
        notes: "Mesa del patio: «sin cebolla»",
        table_label: "7",
        items: [
          saleItemBody({ quantity: 0.355, variant_id: randomUUID() }),
          saleItemBody({ item_kind: "free", product_id: null, unit_cost: null, taxes: null, description: null }),
        ],
        invoices: [
          {
            id: randomUUID(),
            document_type: "electronic_invoice",
            status: "issued",
            cufe: "abc",
            prefix: "SETP",
            number: 9,
          },
        ],
        occurred_at: "2026-10-01T17:04:05.678Z",
      }),
    },
  ]);
  const { status, text } = await business.api.get(`/sales/${stored!.id}`);
  expect([status, text]).toEqual([200, JSON.stringify(stored)]);
  expect((await business.api.get("/sales")).text).toContain(JSON.stringify(stored));
});

test.each([
  ["status=completed", ["C", "A"]],
  ["status=en%20espera", ["E"]],
  ["status=COMPLETED", []],
  ["document_kind=invoice", ["D"]],
  ["document_kind=pos", ["E", "C", "B", "A"]],
  [`customer_id=${ana}`, ["B", "A"]],
  [`customer_id=${eva.toUpperCase()}`, ["C"]],
  [`cash_session_id=${session}`, ["E", "D"]],
  ["occurred_since=2026-10-02T12:00:00Z", ["E", "D", "C", "B"]],
  ["occurred_since=2026-10-02T12:00:00.001Z", ["E", "D", "B"]],
  ["occurred_until=2026-10-02T12:00:00Z", ["A"]],
  ["occurred_until=2026-10-02T12:00:00.001Z", ["C", "A"]],
  ["occurred_since=2026-10-02T07:00:00-05:00&occurred_until=2026-10-02T12:00:00.002Z", ["E", "C"]],
  [`status=completed&customer_id=${ana}`, ["A"]],
  [`status=completed&customer_id=${ana}&document_kind=invoice`, []],
])("?%s finds %j", async (query, expected) => {
  const { body } = await shop.api.get(`/sales?${query}`);
  expect(body.data.map((sale: { notes: string }) => sale.notes)).toEqual(expected);
});

test.each([
  ["status", "status="],
  ["status", `status=${"s".repeat(41)}`],
  ["document_kind", "document_kind=factura"],
  ["customer_id", "customer_id=ana"],
  ["cash_session_id", "cash_session_id=1"],
  ["occurred_since", "occurred_since=2026-10-02"],
  ["occurred_until", "occurred_until=2026-10-02T12:00:00"],
  ["payment_method", "payment_method=CASH"],
])("%s is refused in ?%s", async (param, query) => {
  expect(refusal(await shop.api.get(`/sales?${query}`))).toEqual(refused(param));
});

test("a sale that a register changed is found by its new values", async () => {
  const business = await service.business();
  const [sale] = await store(service.deps, business.accountId, sales, (at) => [
    { body: saleBody(at, { status: "open" }) },
  ]);
  const changed = await change(service.deps, business.accountId, sales, sale!.id, () => ({ status: "completed" }));
  const found = async (status: string) => (await business.api.get(`/sales?status=${status}`)).body.data;
  expect([await found("open"), await found("completed")]).toEqual([[], [changed]]);
  expect(changed.created_at).toBe(sale!.created_at);
});

test("a sale that does not exist, or belongs to another account, is not found", async () => {
  const stranger = await service.business();
  const { body } = await shop.api.get("/sales");
  expect(refusal(await stranger.api.get(`/sales/${body.data[0].id}`))).toEqual([404, "NOT_FOUND", "id"]);
  expect(refusal(await shop.api.get(`/sales/${randomUUID()}`))).toEqual([404, "NOT_FOUND", "id"]);
  expect(refusal(await shop.api.get("/sales/1"))).toEqual(refused("id"));
});
