import { describe, expect, test } from "vitest";
import { cashSessions } from "../../src/business/cash-sessions/resource.ts";
import type { CashSession } from "../../src/business/cash-sessions/schema.ts";
import { day } from "../../src/lib/clock.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { advance, changeSale, ringUp } from "../support/fiscal.ts";
import { sharedService } from "../support/fixtures.ts";
import { decideAll } from "../support/issuing.ts";
import { everyClass, type Goods, openPapers, saleOf } from "../support/papers.ts";
import { readPdf } from "../support/pdf.ts";
import { openAgain, type Portal } from "../support/portal.ts";
import { cashSessionBody, store } from "../support/records.ts";

const service = sharedService();
const today = () => bogotaDate(service.deps.clock.now());
const bread: Goods[] = [{ description: "Pan", quantity: 1, price: 5000, taxClass: "excluded" }];

async function openShift(owner: Portal, fields: Partial<CashSession> = {}): Promise<CashSession> {
  const [session] = await store(service.deps, owner.accountId, cashSessions, (at) => [
    { body: cashSessionBody(at, { status: "closed", closed_at: at, register_name: "Caja 1", ...fields }) },
  ]);
  return session!;
}

/** Two sales of a shift, one of them cancelled, and one outside of it. */
async function sellDay(owner: Portal): Promise<CashSession> {
  const shift = await openShift(owner, {
    expected_amount: 100_000,
    counted_amount: 99_500,
    difference: -500,
    cash_in: 0,
    cash_out: 20_000,
  });
  const within = { cash_session_id: shift.id };
  const [, second] = await ringUp(service, owner.accountId, (at) => [
    saleOf(at, everyClass, { ...within, payment_method: "NEQUI" }),
    saleOf(at, bread, within),
    saleOf(at, bread, { payment_method: "CARD" }),
  ]);
  await decideAll(service);
  await changeSale(service, owner.accountId, second!.id, { status: "cancelled" });
  await decideAll(service);
  return shift;
}

test("the Z of a shift has its documents, taxes, means, what went back, and the drawer's difference", async () => {
  const owner = await openPapers(service);
  const shift = await sellDay(owner);
  const { status, body } = await owner.get(`/cash-sessions/${shift.id}/z`);
  expect(status).toBe(200);
  expect(body.documents).toMatchObject([
    { document_type: "pos_adjustment_note", prefix: "NA", from: 1, to: 1, count: 1, total: 5000 },
    { document_type: "pos_document", prefix: "EPOS", from: 1, to: 2, count: 2, annulled: 1, pending: 0 },
  ]);
  expect(body.sales).toMatchObject({ count: 2, passthrough: 10_000 });
  expect(body.sales.taxes).toContainEqual({ code: "22", rate: null, per_unit: 73, base: 2, amount: 146 });
  expect(body.sales.payments).toEqual([
    { payment_method: "NEQUI", count: 1, amount: body.sales.total - 5000 },
    { payment_method: "CASH", count: 1, amount: 5000 },
  ]);
  expect(body.returns).toMatchObject({ count: 1, total: 5000, payments: [{ payment_method: "CASH", amount: 5000 }] });
  expect(body.sessions[0].difference).toBe(-500);
  for (const width of ["a4", "80", "58"]) {
    const { bytes } = await owner.download(`/cash-sessions/${shift.id}/z.pdf?width=${width}`);
    const { text } = await readPdf(bytes);
    for (const field of [
      "INFORME Z",
      "Caja 1",
      "EPOS",
      "IVA 19 %",
      "Nequi",
      "Devoluciones y anulaciones por tarifa",
      "Devoluciones pagadas en efectivo",
      "DIFERENCIA",
      "-$ 500",
    ])
      expect(text).toContain(field);
  }
});

test("an open shift prints an X", async () => {
  const owner = await openPapers(service);
  const shift = await openShift(owner, { status: "open", closed_at: null, counted_amount: null, difference: null });
  const { text } = await readPdf((await owner.download(`/cash-sessions/${shift.id}/z.pdf?width=80`)).bytes);
  expect(text).toContain("INFORME X");
  expect(text).toContain("Sin contar");
});

describe("the Z of a day", () => {
  test("has all shifts and sales of the day, and prints", async () => {
    const owner = await openPapers(service);
    await sellDay(owner);
    const { body } = await owner.get(`/days/${today()}/z`);
    expect(body).toMatchObject({
      object: "closing",
      kind: "day",
      date: today(),
      sales: { count: 3 },
      returns: { count: 1 },
    });
    expect(body.sessions).toHaveLength(1);
    const { text } = await readPdf((await owner.download(`/days/${today()}/z.pdf`)).bytes);
    for (const field of ["INFORME Z DEL DÍA", "Tarjeta", "Caja 1", "Ventas brutas", "VENTAS NETAS"])
      expect(text).toContain(field);
  });

  test("of a past day does not change when one of its sales is cancelled later: the note counts on its own day", async () => {
    const owner = await openPapers(service);
    const [sale] = await ringUp(service, owner.accountId, (at) => [saleOf(at, bread)]);
    await decideAll(service);
    const soldOn = today();
    const before = (await owner.get(`/days/${soldOn}/z`)).body;
    advance(service, day);
    await changeSale(service, owner.accountId, sale!.id, { status: "cancelled" });
    await decideAll(service);
    // The session has ended meanwhile.
    const later = await openAgain(service, owner.business, owner.email);
    const after = (await later.get(`/days/${soldOn}/z`)).body;
    expect([after.sales, after.returns]).toEqual([before.sales, before.returns]);
    expect((await later.get(`/days/${today()}/z`)).body).toMatchObject({
      sales: { count: 0 },
      returns: { total: 5000 },
    });
  });

  test.each(["2026-02-30", "hoy", "2026-1-1", "0000-01-01"])("of %s is refused, and the date named", async (date) => {
    const owner = await openPapers(service);
    const { status, body } = await owner.get(`/days/${date}/z`);
    expect([status, body.error.param]).toEqual([400, "date"]);
  });

  test("of a day without anything is empty and still prints", async () => {
    const owner = await openPapers(service);
    expect((await owner.get("/days/2020-01-01/z")).body.sales).toMatchObject({ count: 0, total: 0 });
    expect((await owner.download("/days/2020-01-01/z.pdf?width=58")).status).toBe(200);
  });
});

describe("the day's journal", () => {
  test("balances, in the accounts that the business set", async () => {
    const owner = await openPapers(service);
    await sellDay(owner);
    const set = await owner.put("/accounting-codes", {
      payments: { NEQUI: "11100599" },
      income: { "01:19": "413520" },
    });
    expect(set.body).toMatchObject({ payments: { NEQUI: "11100599", CASH: "110505" }, other_income: "413595" });
    const { headers, bytes } = await owner.download(`/days/${today()}/journal.csv`);
    expect(headers.get("content-disposition")).toBe(`attachment; filename="diario-${today()}.csv"`);
    const rows = bytes
      .toString("utf8")
      .trim()
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(";"));
    const sum = (column: number) => rows.reduce((all, row) => all + Number(row.at(column)), 0);
    expect(sum(-2)).toBe(sum(-1));
    expect(sum(-1)).toBeGreaterThan(100_000);
    expect(rows.map((row) => row[1])).toEqual(
      expect.arrayContaining(["11100599", "110505", "413520", "240805", "136530"]),
    );
  });

  test("computes nothing in a spreadsheet: a register's name that begins like a formula is text", async () => {
    const owner = await openPapers(service);
    await openShift(owner, { register_name: '=HYPERLINK("x")', difference: 10, cash_in: 0, cash_out: 0 });
    const text = (await owner.download(`/days/${today()}/journal.csv`)).bytes.toString();
    expect(text).toContain('"Sobrante de caja, =HYPERLINK(""x"")"');
  });

  test("refuses accounts that are none", async () => {
    const owner = await openPapers(service);
    const { status, body } = await owner.put("/accounting-codes", { tips: "=1+1" });
    expect([status, body.error.param]).toEqual([400, "tips"]);
  });
});

test("what belongs to another account does not exist", async () => {
  const [owner, other] = [await openPapers(service), await openPapers(service)];
  const shift = await sellDay(owner);
  expect((await other.get(`/cash-sessions/${shift.id}/z`)).status).toBe(404);
  expect((await other.get(`/days/${today()}/z`)).body.sales.count).toBe(0);
});
