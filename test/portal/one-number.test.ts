import { randomUUID } from "node:crypto";
import readWorkbook from "read-excel-file/node";
import { beforeEach, expect, test } from "vitest";
import { hour } from "../../src/lib/clock.ts";
import { addDays } from "../../src/reports/period.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { perTest, verifiedService } from "../support/fixtures.ts";
import { openPortal } from "../support/portal.ts";
import { cashSessionBody, invoiceBody } from "../support/records.ts";
import { ableToReturn, enrol, upload } from "../support/register.ts";
import { returnOf, saleOf } from "../support/returning.ts";
import { csvTable, tableOf } from "../support/tables.ts";
import { type StoppedClock, stopClock } from "../support/time.ts";

const service = verifiedService();
const now = new Date(`${bogotaDate(new Date())}T15:30:00-05:00`);
const today = bogotaDate(now);
let clock: StoppedClock;
beforeEach(() => {
  clock = stopClock(service, now);
});
const owner = perTest(() => openPortal(service));
const till = perTest(() => enrol(service, owner.accountId, { capabilities: ableToReturn, clock: () => clock.at }));

const bread = (fields: object = {}) => saleOf([{ quantity: 2, unit_price: 5_000 }], fields);
const ofDay = (day: string) => `occurred_since=${day}T00:00:00-05:00&occurred_until=${addDays(day, 1)}T00:00:00-05:00`;
const read = async (path: string) => (await owner.get(path)).body;

test("what was returned a week ago in the running hour is not compared with", async () => {
  const before = new Date(now.getTime() - 7 * 24 * hour);
  const at = (minutes: number) => new Date(before.getTime() - minutes * 60_000).toISOString();
  const sale = bread({ occurred_at: at(20) });
  await till.put("sale", upload(sale));
  expect((await read("/today")).sold_before).toMatchObject({ tickets: 1, net: 10_000 });
  await till.put("return", returnOf(sale, [1], { occurred_at: at(10) }));
  expect((await read("/today")).sold_before).toMatchObject({ tickets: 1, gross: 10_000, returned: 5_000, net: 5_000 });
});

test("each part of a split sale counts under its own means, everywhere, and a corrected means counts as corrected", async () => {
  const sale = bread({ occurred_at: now.toISOString(), payment_method: "CASH" });
  const paid = (...parts: [string, number][]) => parts.map(([payment_method, amount]) => ({ payment_method, amount }));
  await till.put("sale", upload(sale), { payments: paid(["CASH", 6_000], ["NEQUI", 4_000]) });
  const means = async () => {
    const { payments } = await read("/today");
    const { rows } = await read(`/reports/sales?by=payment_method&from=${today}&to=${today}`);
    const { received } = await read(`/days/${today}/z`);
    const told = [
      payments.map(({ payment_method, received }: { payment_method: string; received: number }) => [
        payment_method,
        received,
      ]),
      rows.map(({ key, received }: { key: string; received: number }) => [key, received]),
      received.map(({ payment_method, amount }: { payment_method: string; amount: number }) => [
        payment_method,
        amount,
      ]),
    ].map((list) => Object.fromEntries(list));
    expect(told[1]).toEqual(told[0]);
    expect(told[2]).toEqual(told[0]);
    for (const [method, amount] of Object.entries(told[0]!)) {
      const filter = `${ofDay(today)}&payment_method=${method}`;
      expect((await read(`/sales/totals?${filter}`)).means).toEqual({ payments: 1, received: amount });
      expect((await read(`/sales?${filter}`)).data).toMatchObject([{ sale_id: sale.id, paid: amount }]);
    }
    return told[0];
  };
  expect(await means()).toEqual({ CASH: 6_000, NEQUI: 4_000 });
  expect((await read("/sales/choices")).payment_methods).toEqual(["CASH", "NEQUI"]);
  // The published means stays the same.
  await till.put("sale", upload(sale), { payments: paid(["CASH", 6_000], ["CARD", 4_000]) });
  expect(await means()).toEqual({ CASH: 6_000, CARD: 4_000 });
  expect((await read(`/sales?${ofDay(today)}&payment_method=NEQUI`)).data).toEqual([]);
});

test("the files of Ventas add up to the page: by means too, and without what does not count", async () => {
  const paid = (...parts: [string, number][]) => parts.map(([payment_method, amount]) => ({ payment_method, amount }));
  const split = bread({ occurred_at: now.toISOString(), payment_method: "CASH" });
  await till.put("sale", upload(split), { payments: paid(["CASH", 6_000], ["NEQUI", 4_000]) });
  await till.put("return", returnOf(split, [1], { occurred_at: now.toISOString(), payment_method: "NEQUI" }));
  await till.put("sale", upload(bread({ occurred_at: now.toISOString(), payment_method: "Puntos" })));
  const never = bread({ occurred_at: now.toISOString(), status: "cancelled", tip_amount: 300, total: 10_300 });
  await till.put("sale", upload(never));
  await till.put("sale", upload(bread({ occurred_at: now.toISOString(), status: "open" })));

  const totals = await read(`/sales/totals?${ofDay(today)}`);
  expect(totals).toMatchObject({ net: 15_000, received: 15_000, uncounted: { count: 2, total: 20_300 } });
  const asCsv = csvTable(String((await owner.download(`/tables/sales.csv?${ofDay(today)}`)).bytes));
  const [sheet] = await readWorkbook((await owner.download(`/tables/sales.xlsx?${ofDay(today)}`)).bytes);
  for (const table of [asCsv, tableOf(sheet!.data)]) {
    const sums = ["Impuestos", "Propina", "Total", "Ventas netas", "Para terceros", "Total que no cuenta"];
    expect(sums.map(table.sum)).toEqual([totals.tax, 0, 15_000, 15_000, 0, 20_300]);
    expect(table.titles.filter((title) => title.startsWith("Recibido: "))).toEqual([
      ...["Recibido: Efectivo", "Recibido: Nequi", "Recibido: Puntos", "Recibido: Otro medio"],
    ]);
    expect(["Efectivo", "Nequi", "Puntos", "Otro medio"].map((name) => table.sum(`Recibido: ${name}`))).toEqual([
      ...[6_000, -1_000, 10_000, 0],
    ]);
    expect(table.column("Medio de pago").toSorted()).toEqual([
      ...["Efectivo", "Efectivo", "Efectivo + Nequi", "Nequi", "Puntos"],
    ]);
    expect(table.column("Cuenta en las sumas").toSorted()).toEqual([
      ...["No: no se ha cobrado", "No: se anuló antes de cobrarla", "Sí", "Sí", "Sí"],
    ]);
  }
});

test("a cancellation counts on the day it happens: the day of the sale, its Z, its taxes and its journal stay", async () => {
  const yesterday = addDays(today, -1);
  const sale = bread({ occurred_at: `${yesterday}T10:00:00-05:00` });
  await till.put("sale", upload(sale), { edited_at: `${yesterday}T10:00:00-05:00` });
  const close = async () => [
    await read(`/days/${yesterday}/z`),
    await read(`/reports/taxes?from=${yesterday}&to=${yesterday}`),
    await read(`/reports/sales?by=day&from=${yesterday}&to=${yesterday}`),
    String((await owner.download(`/days/${yesterday}/journal.csv`)).bytes),
  ];
  const before = await close();
  await till.put("sale", upload({ ...sale, status: "cancelled" }), { edited_at: now.toISOString() });
  expect(await close()).toEqual(before);
  const back = { tickets: 0, gross: 0, returned: 10_000, net: -10_000 };
  expect((await read("/today")).sold).toMatchObject(back);
  expect((await read(`/days/${today}/z`)).sums).toMatchObject(back);
  expect(await read(`/sales/totals?${ofDay(today)}`)).toMatchObject(back);
  expect((await read(`/sales?${ofDay(today)}`)).data).toMatchObject([
    { kind: "cancellation", sale_id: sale.id, total: -10_000, net: -10_000, counts: true },
  ]);
  expect((await read(`/reports/taxes?from=${today}&to=${today}`)).totals.amount).toBe(-sale.tax);
});

test("what was sold and cancelled keeps its worth and stays cancelled, whatever its register says later", async () => {
  const sale = bread({ occurred_at: now.toISOString() });
  await till.put("sale", upload(sale));
  await till.put("sale", upload({ ...sale, status: "cancelled", total: 0, subtotal: 0, tax: 0, items: [] }));
  expect((await owner.business.api.get(`/sales/${sale.id}`)).body).toMatchObject({
    status: "cancelled",
    total: 10_000,
  });
  expect(await till.put("sale", upload(sale))).toMatchObject({ status: "merged", record: { status: "cancelled" } });
  expect((await read("/today")).sold).toMatchObject({ tickets: 1, gross: 10_000, returned: 10_000, net: 0 });
});

test("tips and money for third parties are no sales, and are in what was received", async () => {
  const sale = saleOf(
    [
      { quantity: 1, unit_price: 5_000 },
      { quantity: 1, unit_price: 20_000, taxes: [], tax_class: "passthrough" },
    ],
    { occurred_at: now.toISOString() },
    0,
    800,
  );
  await till.put("sale", upload(sale));
  const sums = { tickets: 1, gross: 5_000, net: 5_000, tip: 800, passthrough: 20_000, received: 25_800 };
  expect((await read("/today")).sold).toMatchObject(sums);
  expect((await read(`/days/${today}/z`)).sums).toMatchObject(sums);
  expect(await read(`/sales/totals?${ofDay(today)}`)).toMatchObject(sums);
  const report = await read(`/reports/sales?by=register&from=${today}&to=${today}`);
  expect(report.rows).toMatchObject([{ key: "Caja 1", ...sums }]);
});

test("as many documents are to be attended to as their list has", async () => {
  const rejected = async (fields: object) => {
    const sale = bread({ occurred_at: now.toISOString(), ...fields });
    await till.put("sale", upload(sale));
    const invoice = invoiceBody(now.toISOString(), { sale_id: sale.id, status: "rejected" });
    await till.put("invoice", upload(invoice));
  };
  await rejected({});
  await rejected({ status: "cancelled" });
  const { data } = await read("/invoices/unissued");
  expect(data).toHaveLength(1);
  expect((await read("/today")).documents.unissued).toBe(1);
});

test("an open shift says what was sold in it, whatever its register has told of it", async () => {
  const shift = cashSessionBody(now.toISOString(), { sales_total: 0, sales_count: 0, payments: [] });
  await till.put("cash_session", upload(shift));
  await till.put("sale", upload(bread({ occurred_at: now.toISOString(), cash_session_id: shift.id })));
  const sums = { tickets: 1, net: 10_000 };
  expect(await read(`/cash-sessions/${shift.id}/z`)).toMatchObject({ sums, received: [{ amount: 10_000 }] });
  expect((await read(`/cash-sessions/sums?ids=${shift.id},${randomUUID()}`)).data).toMatchObject([
    { id: shift.id, ...sums },
  ]);
  expect((await read("/today")).shifts).toMatchObject([{ id: shift.id, ...sums }]);
  expect((await owner.get("/cash-sessions/sums?ids=uno")).body.error.param).toBe("ids");
  const stranger = await openPortal(service);
  expect((await stranger.get(`/cash-sessions/sums?ids=${shift.id}`)).body.data).toEqual([]);
});
