import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { cashSessions } from "../../src/business/cash-sessions/resource.ts";
import { customers } from "../../src/business/customers/resource.ts";
import { newEntry, stockMovements } from "../../src/business/inventory/resource.ts";
import { invoices } from "../../src/business/invoices/resource.ts";
import { sales } from "../../src/business/sales/resource.ts";
import type { Sale } from "../../src/business/sales/schema.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { call, openPortal, type Portal } from "../support/portal.ts";
import { cashSessionBody, customerBody, invoiceBody, movementBody, saleBody, store } from "../support/records.ts";
import { enrol, upload } from "../support/register.ts";

const service = sharedService();
const owner: Portal = shared(() => openPortal(service));
const stranger: Portal = shared(() => openPortal(service));
const ids = { shift: randomUUID(), customer: randomUUID(), invoiced: randomUUID(), atTill: randomUUID(), odd: "" };

/** Five sales of a Monday, one an hour from 8:00 in Colombia. */
beforeAll(async () => {
  const { deps } = service;
  const { accountId } = owner;
  await store(deps, accountId, customers, (at) => [
    { body: customerBody(at, { id: ids.customer, name: "Panadería La Espiga", document_type: "NIT" }) },
  ]);
  await store(deps, accountId, cashSessions, (at) => [
    { body: cashSessionBody(at, { id: ids.shift, register_name: "Caja Rápida", opened_by: "Ana" }) },
  ]);
  const till = await enrol(service, accountId, { name: "Caja 2" });
  const hour = (n: number) => `2026-11-09T${12 + n}:00:00.000Z`;
  const rows: Partial<Sale>[] = [
    { occurred_at: hour(1), total: 10_000, tax: 1_597, cash_session_id: ids.shift },
    { occurred_at: hour(2), total: 20_000, tax: 0, payment_method: "NEQUI", id: ids.atTill },
    { occurred_at: hour(3), total: 40_000, tax: 0, status: "cancelled" },
    {
      occurred_at: hour(4),
      total: 80_000,
      tax: 0,
      tip_amount: 500,
      document_kind: "invoice",
      customer_id: ids.customer,
      id: ids.invoiced,
    },
    { occurred_at: hour(5), total: 160_000, tax: 0, status: "open" },
  ];
  await store(deps, accountId, sales, (at) =>
    rows.map((fields) => ({
      body: saleBody(at, fields),
      ...(fields.id === ids.atTill && { device_id: till.deviceId }),
    })),
  );
  await store(deps, accountId, invoices, (at) => [
    {
      body: invoiceBody(at, {
        sale_id: ids.invoiced,
        document_type: "electronic_invoice",
        prefix: "SETP2",
        number: 71,
      }),
    },
    { body: invoiceBody(at, { sale_id: ids.atTill, prefix: "EPOS", number: 71 }) },
  ]);
  await store(deps, accountId, stockMovements, (at) => [
    newEntry(movementBody(at, { sale_id: ids.invoiced, quantity: 3 }), { from_api: false }),
  ]);
  const odd = saleBody(hour(0), { total: 99 });
  ids.odd = odd.id;
  await till.put("sale", upload(odd));
});

const totalsOf = async (query: string) =>
  (await owner.get(`/sales${query}`)).body.data.map(({ total }: { total: number }) => total);

describe("the list of sales", () => {
  test("has the newest first, by the register's clock, with names instead of ids", async () => {
    expect(await totalsOf("?occurred_since=2026-11-09T12:30:00Z")).toEqual([160_000, 80_000, 40_000, 20_000, 10_000]);
    const [invoiced] = (await owner.get(`/sales?customer_id=${ids.customer}`)).body.data;
    expect(invoiced).toMatchObject({
      id: ids.invoiced,
      customer: { id: ids.customer, name: "Panadería La Espiga" },
      lines: 1,
      tip_amount: 500,
    });
    const [first] = (await owner.get(`/sales?cash_session_id=${ids.shift}`)).body.data;
    expect(first).toMatchObject({ register: "Caja Rápida", cashier: "Ana", customer: null });
  });

  test.each([
    ["status=open", [160_000]],
    ["payment_method=NEQUI", [20_000]],
    ["document_kind=invoice", [80_000]],
    ["register=Caja%20R%C3%A1pida", [10_000]],
    ["total_min=20000&total_max=80000", [80_000, 40_000, 20_000]],
    ["occurred_since=2026-11-09T14:00:00Z&occurred_until=2026-11-09T16:00:00Z", [40_000, 20_000]],
    ["number=71", [80_000, 20_000]],
    ["number=epos-71", [20_000]],
    ["number=SETP2%2071", [80_000]],
    ["number=SETP271", [80_000]],
    ["number=999", []],
  ])("can be filtered: %s", async (filter, totals) => {
    expect(
      await totalsOf(`?occurred_since=2026-11-09T12:30:00Z&${filter}`.replace(/occurred_since=[^&]+&(occurred)/, "$1")),
    ).toEqual(totals);
  });

  test("by the register's device finds its sales outside of a shift", async () => {
    const found = (await owner.get("/sales?register=Caja%202")).body.data;
    expect(found.map(({ id }: { id: string }) => id)).toContain(ids.atTill);
    expect(found.every(({ register }: { register: string }) => register === "Caja 2")).toBe(true);
  });

  test("is paged by a cursor that belongs to its filters", async () => {
    const first = (await owner.get("/sales?limit=2&total_min=1000")).body;
    const second = (await owner.get(`/sales?limit=2&total_min=1000&starting_after=${first.next_cursor}`)).body;
    const all = [...first.data, ...second.data].map(({ total }: { total: number }) => total);
    expect(all).toEqual([160_000, 80_000, 40_000, 20_000]);
    const other = await owner.get(`/sales?limit=2&starting_after=${first.next_cursor}`);
    expect([other.status, other.body.error.code]).toEqual([400, "INVALID_CURSOR"]);
  });

  test("adds up what is filtered and sold: what is open, or was cancelled before it was sold, counts nowhere", async () => {
    const since = "occurred_since=2026-11-09T12:30:00Z";
    expect((await owner.get(`/sales/totals?${since}`)).body).toEqual({
      ...{ tickets: 3, gross: 109_500, returned: 0, net: 109_500, received: 110_000 },
      states: { returned: 0, partly_returned: 0, cancelled: 0 },
      ...{ tax: 1_597, tip: 500, passthrough: 0, means: null },
      uncounted: { count: 2, total: 200_000 },
    });
    expect((await owner.get(`/sales/totals?${since}&status=cancelled`)).body).toMatchObject({
      ...{ tickets: 0, net: 0, uncounted: { count: 1, total: 40_000 } },
    });
    expect((await stranger.get("/sales/totals")).body).toMatchObject({ tickets: 0, net: 0, uncounted: { count: 0 } });
  });

  test("offers the words that the shop's registers use", async () => {
    const { body } = await owner.get("/sales/choices");
    expect(body.registers).toEqual(["Caja 2", "Caja Rápida"]);
    expect(body.payment_methods).toEqual(["CASH", "NEQUI"]);
    expect(body.states).toEqual(["cancelled", "completed", "open"]);
  });

  test.each([
    ["occurred_since=ayer", "occurred_since"],
    ["total_min=mucho", "total_min"],
    ["customer_id=1", "customer_id"],
    ["document_kind=boleta", "document_kind"],
    ["number=sin+cifras", "number"],
    ["sin_sentido=1", "sin_sentido"],
    ["limit=101", "limit"],
  ])("refuses %s and names it", async (filter, param) => {
    const { status, body } = await owner.get(`/sales?${filter}`);
    expect([status, body.error.param]).toEqual([400, param]);
  });

  test("is nobody else's", async () => {
    expect((await stranger.get("/sales")).body.data).toEqual([]);
    expect((await call(service, "GET", "/sales")).status).toBe(401);
  });
});

describe("a sale", () => {
  test("comes with its customer, register, documents and movements", async () => {
    const { body } = await owner.get(`/sales/${ids.invoiced.toUpperCase()}`);
    expect(body).toMatchObject({
      sale: { id: ids.invoiced, total: 80_000 },
      customer: { name: "Panadería La Espiga" },
      documents: [{ prefix: "SETP2", number: 71, corrects: null }],
      movements: [{ quantity: 3, origin_type: "sale" }],
      shift: null,
      findings: [],
    });
  });

  test("shows what did not add up", async () => {
    const { body } = await owner.get(`/sales/${ids.odd}`);
    expect(body.device.name).toBe("Caja 2");
    expect(body.findings).toMatchObject([{ kind: "upload", gravity: "warning" }]);
    expect(body.findings[0].message).toContain("no cuadra");
  });

  test("tells what a return would give back, or why it cannot be", async () => {
    const [sale] = await store(service.deps, owner.accountId, sales, (at) => [{ body: saleBody(at) }]);
    const [item] = sale!.items;
    const plan = (id: string, quantity: number, by = owner) =>
      by.post(`/sales/${id}/return-plan`, { lines: [{ item_id: item!.id, quantity }] });
    expect((await plan(sale!.id, 1)).body).toMatchObject({ kind: "partial", total: 3_200, tax: 511 });
    expect((await plan(sale!.id, 2)).body).toMatchObject({ kind: "full", total: 6_400 });
    const tooMuch = await plan(sale!.id, 3);
    expect([tooMuch.status, tooMuch.body.error.code]).toEqual([409, "RETURN_NOT_POSSIBLE"]);
    expect((await plan(sale!.id, -1)).body.error.param).toBe("lines.0.quantity");
    expect((await plan(sale!.id, 1, stranger)).status).toBe(404);
    const { body } = await owner.get(`/sales/${sale!.id}`);
    expect([body.can_return, body.can_switch, body.returns]).toEqual([true, false, []]);
  });

  test("of another account does not exist, and an id that is none is refused", async () => {
    const foreign = await stranger.get(`/sales/${ids.invoiced}`);
    expect([foreign.status, foreign.body.error.code]).toEqual([404, "NOT_FOUND"]);
    const none = await owner.get("/sales/nada");
    expect([none.status, none.body.error.param]).toEqual([400, "id"]);
  });

  test("with a status longer than an index entry is stored all the same", async () => {
    const till = await enrol(service, owner.accountId, { name: "Caja 3" });
    const status = Array.from({ length: 5000 }, () => randomUUID()[0]).join("");
    const sale = saleBody(new Date("2020-01-01").toISOString(), { status });
    expect((await till.put("sale", upload(sale))).status).toBe("applied");
    expect((await owner.get(`/sales/${sale.id}`)).body.sale.status).toBe(status);
    const { problems } = await verify(service.deps.pool);
    expect(problems.filter((problem) => problem.includes(sale.id))).toEqual([]);
  });
});
