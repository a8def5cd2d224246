import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import type { SaleRow } from "../../src/api/portal/lists/sales.ts";
import type { CashSession } from "../../src/business/cash-sessions/schema.ts";
import type { Sale } from "../../src/business/sales/schema.ts";
import { cashSessionBody } from "../support/records.ts";
import { refusal } from "../support/refusal.ts";
import { type Till, upload } from "../support/register.ts";
import { returningShop, saleOf } from "../support/returning.ts";
import { sharedBrowser, type Visitor, visit } from "../support/visitor.ts";

const { service, owner, till, other, decide, sell, read, returnsOf } = returningShop();
const browser = sharedBrowser();

const three = (fields: Partial<Sale> = {}) =>
  saleOf(
    [
      { quantity: 3, unit_price: 3200 },
      { quantity: 1, unit_price: 5000 },
    ],
    fields,
    0,
    1000,
  );

async function giveBack(sale: Sale, quantities: number[], fields: object = {}) {
  const lines = quantities.flatMap((quantity, i) => (quantity > 0 ? [{ item_id: sale.items[i]!.id, quantity }] : []));
  return owner.post(`/sales/${sale.id}/returns`, { id: randomUUID(), lines, payment_method: "CARD", ...fields });
}

async function openShift(at: Till, fields: Partial<CashSession> = {}): Promise<CashSession> {
  const shift = cashSessionBody(new Date().toISOString(), fields);
  await at.put("cash_session", upload(shift));
  return shift;
}

describe("a sale says what came back of it", () => {
  let sales: Record<"whole" | "part" | "bits" | "none" | "cancelled", Sale>;
  beforeEach(async () => {
    const [whole, part, bits, none, cancelled] = [three(), three(), three(), three(), three()];
    sales = { whole, part, bits, none, cancelled };
    for (const sale of Object.values(sales)) await sell(sale);
    await decide();
    await giveBack(whole, [3, 1]);
    await giveBack(part, [1]);
    for (const some of [[1], [2], [0, 1]]) await giveBack(bits, some);
    await giveBack(cancelled, [1]);
    await till.put("sale", upload({ ...cancelled, status: "cancelled" }));
    await decide();
  });
  const states = {
    whole: "returned",
    part: "partly_returned",
    // Bit by bit: all but the tip.
    bits: "returned",
    none: "completed",
    cancelled: "cancelled",
  } as const;

  test("in the list, on its page, in the filter, in the totals and in the file", async () => {
    const listed = (await owner.get("/sales")).body.data as SaleRow[];
    for (const [name, state] of Object.entries(states)) {
      const { id } = sales[name as keyof typeof sales];
      expect([name, listed.find((one) => one.id === id)?.state]).toEqual([name, state]);
      expect((await owner.get(`/sales/${id}`)).body.state).toBe(state);
    }
    for (const state of new Set(Object.values(states))) {
      const { data } = (await owner.get(`/sales?state=${state}`)).body as { data: SaleRow[] };
      const expected = Object.entries(states)
        .filter(([, one]) => one === state)
        .map(([name]) => sales[name as keyof typeof sales].id);
      expect(data.flatMap(({ kind, id }) => (kind === "sale" ? id : [])).sort()).toEqual(expected.toSorted());
      // What took them back stands in rows of its own, and the totals are those of all of it.
      expect(data.every((row) => row.state === state && expected.includes(row.sale_id))).toBe(true);
      const { net } = (await owner.get(`/sales/totals?state=${state}`)).body;
      expect(net).toBe(data.reduce((sum, row) => sum + row.net, 0));
    }
    // A sale counts on its day whatever becomes of it.
    const none = { returned: 0, partly_returned: 0, cancelled: 0 };
    const sums = { tickets: 5, gross: 5 * 14_600, returned: 3 * 14_600 + 3_200, net: 14_600 + 11_400 };
    expect((await owner.get("/sales/totals")).body).toMatchObject({
      ...sums,
      states: { returned: 2, partly_returned: 1, cancelled: 1 },
    });
    expect((await owner.get("/sales/totals?state=partly_returned")).body).toMatchObject({
      ...{ tickets: 1, gross: 14_600, returned: 3_200, net: 11_400, states: { ...none, partly_returned: 1 } },
    });
    expect((await owner.get("/sales/totals?state=cancelled")).body).toMatchObject({
      ...{ tickets: 1, gross: 14_600, returned: 14_600, net: 0, states: { ...none, cancelled: 1 } },
    });
    expect((await owner.get("/sales/choices")).body.states).toEqual([
      ...["cancelled", "completed", "returned", "partly_returned"],
    ]);
    const file = String((await owner.download("/tables/sales.csv")).bytes);
    expect(file.match(/;Venta;(Devuelta en parte|Devuelta|Completada|Anulada);/g)!.sort()).toEqual([
      ...[";Venta;Anulada;", ";Venta;Completada;", ";Venta;Devuelta en parte;", ";Venta;Devuelta;", ";Venta;Devuelta;"],
    ]);
    expect(file.match(/;(Devolución|Anulación);(Devuelta en parte|Devuelta|Anulada);/g)!.sort()).toEqual([
      ...[";Anulación;Anulada;", ";Devolución;Anulada;", ";Devolución;Devuelta en parte;"],
      ...Array.from({ length: 4 }, () => ";Devolución;Devuelta;"),
    ]);
  });
});

describe("a refund in cash leaves the drawer that the owner names", () => {
  test("and no other", async () => {
    const [first, second] = [await openShift(till), await openShift(other, { register_name: "Caja 2" })];
    const sale = await sell(three({ cash_session_id: first.id }));
    await decide();
    const { status, body } = await giveBack(sale, [1], { payment_method: "CASH", cash_session_id: second.id });
    expect([status, body.return.cash_session_id]).toEqual([201, second.id]);
    expect(await read(`/cash-sessions/${second.id}`)).toMatchObject({ cash_refunds: 3200, expected_amount: 96_800 });
    expect(await read(`/cash-sessions/${first.id}`)).toMatchObject({ cash_refunds: 0 });
    const [made] = (await owner.get(`/sales/${sale.id}`)).body.returns;
    expect(made.drawer).toEqual({ id: second.id, register_name: "Caja 2" });
    const [log] = (await owner.get("/audit-log")).body.data;
    expect(log.details).toMatchObject({ register_name: "Caja 2" });
  });

  test("or none, also when no shift is open", async () => {
    const shift = await openShift(till);
    const sale = await sell(three({ cash_session_id: shift.id }));
    await till.put("cash_session", upload({ ...shift, status: "closed", counted_amount: 100_000 }));
    const id = randomUUID();
    const asked = { id, payment_method: "CASH", cash_session_id: null };
    expect((await giveBack(sale, [1], asked)).status).toBe(201);
    expect((await giveBack(sale, [1], asked)).status).toBe(200);
    expect(await returnsOf(sale.id)).toMatchObject([{ cash_session_id: null, payment_method: "CASH" }]);
    expect(await read(`/cash-sessions/${shift.id}`)).toMatchObject({ cash_refunds: 0 });
    expect((await owner.get(`/sales/${sale.id}`)).body.returns[0].drawer).toBeNull();
  });

  test("but not one that is closed, or another shop's", async () => {
    const shift = await openShift(till, { status: "closed", counted_amount: 100_000 });
    const sale = await sell(three());
    for (const cash_session_id of [shift.id, randomUUID()]) {
      const answer = await giveBack(sale, [1], { payment_method: "CASH", cash_session_id });
      expect(refusal(answer)).toEqual([409, "RETURN_NOT_POSSIBLE", "cash_session_id"]);
    }
    expect(refusal(await giveBack(sale, [1], { payment_method: "CASH", cash_session_id: "caja 1" }))).toEqual([
      ...[400, "VALIDATION_ERROR", "cash_session_id"],
    ]);
  });
});

describe("in the portal", () => {
  let seen: Visitor;
  beforeEach(async () => {
    seen = await visit(browser, service);
    const [name, value] = owner.cookie.split("=") as [string, string];
    await seen.context.addCookies([{ name, value, url: service.baseUrl }]);
    return () => seen.context.close();
  });

  test("a return asks from which drawer, and sale, list and shift say so", async () => {
    const shift = await openShift(till, { opened_by: "Ana" });
    const second = await openShift(other, { register_name: "Caja 2" });
    const sale = await sell(three({ cash_session_id: null }));
    await decide();
    await seen.goto(`/ventas/${sale.id}`);
    await seen.button("Devolver").click();
    await seen
      .field(/Cantidad que vuelve de/)
      .first()
      .fill("1");
    const submit = seen.page.getByRole("dialog").getByRole("button", { name: "Devolver" });
    expect(await submit.isDisabled()).toBe(true);
    await seen.page.getByRole("combobox", { name: "De qué caja sale el efectivo" }).click();
    await seen.page.getByRole("option", { name: /Caja 2/ }).click();
    await submit.click();
    await seen.sees(/Se devolvieron \$\s3.200 en efectivo, que salen de Caja 2/);
    await seen.sees("Devuelta en parte");
    await seen.page.getByRole("table", { name: "Devoluciones" }).getByRole("link", { name: "Caja 2" }).click();
    await seen.page.getByRole("table", { name: "Devoluciones que pagó este turno" }).waitFor();
    expect(seen.page.url()).toContain(`/turnos/${second.id}`);
    expect(shift.id).not.toBe(second.id);
    await seen.goto("/ventas?estado=partly_returned");
    const listed = seen.page.getByRole("table", { name: "Ventas" });
    await listed.getByText("Devuelta en parte").waitFor();
    await listed.getByText("Devolución").waitFor();
    await seen.sees("1 devuelta en parte");
    expect(seen.complaints).toEqual([]);
  });
});
