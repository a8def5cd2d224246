import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { hour } from "../../src/lib/clock.ts";
import { addDays, mondayOf } from "../../src/reports/period.ts";
import { mailWeeklySummaries } from "../../src/reports/weekly-summary.ts";
import { bogotaDate, bogotaHour } from "../../src/taxes/bogota-time.ts";
import { shared, verifiedService } from "../support/fixtures.ts";
import { mailsTo, openPortal } from "../support/portal.ts";
import { saleBody, saleItemBody } from "../support/records.ts";
import { enrol, type Till } from "../support/register.ts";
import { type StoppedClock, stopClock } from "../support/time.ts";

const service = verifiedService();
const owner = shared(() => openPortal(service));
const neighbour = shared(() => openPortal(service));
const now = new Date(`${bogotaDate(new Date())}T15:30:00-05:00`);
const today = bogotaDate(now);
const lastWeek = addDays(today, -7);
const [shift, category] = [randomUUID(), randomUUID()];
const milk = randomUUID();
let clock: StoppedClock;
let till: Till;

/** Two sales today, one of them cancelled, one a week ago at this hour, one a week ago later that day. */
beforeAll(async () => {
  clock = stopClock(service, now);
  till = await enrol(service, owner.accountId, { name: "Caja 1" });
  const at = (day: string, time: string) => new Date(`${day}T${time}-05:00`).toISOString();
  const sale = (occurred_at: string, total: number, fields: object = {}) => {
    const items = [saleItemBody({ product_id: milk, quantity: 2, unit_price: total / 2, subtotal: total })];
    const breakdown = [{ code: "01", rate: 19, per_unit: null, base: total - 100, amount: 100 }];
    const { id: _, ...body } = saleBody(occurred_at, { items, subtotal: total, total, tax: 100, occurred_at });
    return { type: "sale", data: { ...body, tax_breakdown: breakdown, cash_session_id: shift, ...fields } };
  };
  const later = new Date(now.getTime() - 7 * 24 * hour + 60_000).toISOString();
  const { body } = await till.push([
    { type: "category", id: category, data: { name: "Lácteos" } },
    { type: "product", id: milk, data: { name: "Leche", base_price: 5000, category_id: category } },
    {
      type: "cash_session",
      id: shift,
      data: {
        status: "open",
        register_name: "Caja de la puerta",
        opened_by: "Ana",
        opened_at: at(today, "00:00:00"),
        opening_amount: 0,
      },
    },
    sale(now.toISOString(), 10_000),
    sale(now.toISOString(), 4_000, { payment_method: "NEQUI", cash_session_id: null }),
    sale(now.toISOString(), 99_000, { status: "cancelled" }),
    sale(at(lastWeek, "00:00:00"), 6_000),
    sale(later, 3_000),
  ]);
  expect(body.results.map(({ status }: { status: string }) => status)).not.toContain("quarantined");
});

test("today is compared with the same weekday of last week up to the same time, and every part adds up", async () => {
  const { status, body } = await owner.get("/today");
  expect(status).toBe(200);
  expect(body).toMatchObject({
    day: today,
    compared_day: lastWeek,
    sold: { tickets: 2, net: 14_000 },
    sold_before: { tickets: 1, net: 6_000 },
    payments: [
      { payment_method: "CASH", payments: 1, received: 10_000 },
      { payment_method: "NEQUI", payments: 1, received: 4_000 },
    ],
    products: [{ product_id: milk, name: "Leche", quantity: 4, amount: 14_000 }],
    shifts: [{ id: shift, register_name: "Caja de la puerta", opened_by: "Ana", tickets: 1, net: 10_000 }],
    documents: { pending: 0, unissued: 0 },
  });
  expect(body.hours.find((one: { hour: number }) => one.hour === bogotaHour(now))).toMatchObject({ total: 14_000 });
  expect(body.hours[0].hour).toBe(0);
  expect((await neighbour.get("/today")).body).toMatchObject({ sold: { tickets: 0, net: 0 }, hours: [], shifts: [] });
});

test("a product runs out by its pace of the four weeks before today, not by what today adds", async () => {
  const soon = async () => (await owner.get("/today")).body;
  expect(await soon()).toMatchObject({ running_out: [], running_out_count: 0 });
  await till.push([{ type: "stock_movement", data: { product_id: milk, type: "in", quantity: 0.5 } }]);
  const expected = { running_out: [{ id: milk, name: "Leche", stock: 0.5, days_left: 3 }], running_out_count: 1 };
  expect(await soon()).toMatchObject(expected);
  // Read from what is kept of those weeks.
  expect(await soon()).toMatchObject(expected);
});

const rows = async (by: string, from = lastWeek, to = today) => {
  const { status, body } = await owner.get(`/reports/sales?by=${by}&from=${from}&to=${to}`);
  expect(status).toBe(200);
  return body;
};

describe("sales of a period", () => {
  test.each([
    ["day", [lastWeek, today]],
    ["payment_method", ["CASH", "NEQUI"]],
    ["register", ["Caja de la puerta", "Caja 1"]],
    ["cashier", ["Ana", null]],
  ])("by %s", async (by, keys) => {
    const report = await rows(by);
    const sorted = (some: (string | null)[]) => some.map(String).sort();
    expect(sorted(report.rows.map(({ key }: { key: string }) => key))).toEqual(sorted(keys));
    expect(report.totals).toMatchObject({ tickets: 4, total: 23_000, received: 23_000 });
    // A tax has no means of payment of its own.
    expect(report.totals).toMatchObject(by === "payment_method" ? { net: 0, tax: 0 } : { net: 23_000, tax: 400 });
  });

  test("by week, month and hour", async () => {
    expect((await rows("week")).rows[0].key).toBe(mondayOf(lastWeek));
    expect((await rows("month")).rows[0].key).toBe(`${lastWeek.slice(0, 8)}01`);
    expect((await rows("hour")).totals.total).toBe(23_000);
  });

  test("by product and category, with their names", async () => {
    expect((await rows("product")).rows).toMatchObject([{ key: milk, label: "Leche", quantity: 8, total: 23_000 }]);
    expect((await rows("category")).rows).toMatchObject([{ key: category, label: "Lácteos", total: 23_000 }]);
  });

  test("taxes by code and rate", async () => {
    const { body } = await owner.get(`/reports/taxes?from=${today}&to=${today}`);
    const name = { name: "IVA", per_unit: null, units: null };
    expect(body.rows).toEqual([{ code: "01", ...name, rate: 19, base: 13_800, amount: 200 }]);
    expect(body.totals).toEqual({ base: 13_800, amount: 200 });
  });

  test("of another business are empty, and without a session there are none", async () => {
    const { body } = await neighbour.get(`/reports/sales?by=product&from=${lastWeek}&to=${today}`);
    expect(body.rows).toEqual([]);
    const stranger = await fetch(`${service.baseUrl}/portal/api/reports/sales?by=day&from=${today}&to=${today}`);
    expect(stranger.status).toBe(401);
  });

  test.each([
    ["by=day&from=2026-02-30&to=2026-03-01", "from"],
    ["by=day&from=2026-03-02&to=2026-03-01", "to"],
    ["by=day&from=2024-01-01&to=2026-03-01", "to"],
    ["by=luna&from=2026-03-01&to=2026-03-01", "by"],
    ["by=day&from=ayer&to=2026-03-01", "from"],
    ["by=day&from=2026-03-01", "to"],
  ])("%s is refused, naming %s", async (query, param) => {
    const { status, body } = await owner.get(`/reports/sales?${query}`);
    expect([status, body.error.param]).toEqual([400, param]);
  });
});

test("every report is a file too, of the owner's sales only", async () => {
  const file = async (path: string, from = owner) =>
    String((await from.download(`/reports/${path}from=${lastWeek}&to=${today}`)).bytes);
  expect(await file("sales.csv?by=product&")).toContain("Leche;8;und;23000");
  expect(await file("sales.csv?by=payment_method&")).toMatch(/Efectivo;3;/);
  expect(await file("taxes.csv?")).toContain("IVA;19;");
  expect(await file("sales.csv?by=product&", neighbour)).not.toContain("Leche");
  const refused = await owner.get("/reports/sales.csv?by=day&from=2026-03-02&to=2026-03-01");
  expect([refused.status, refused.body.error.param]).toEqual([400, "to"]);
});

test("the weekly summary comes on Monday to those who asked, once, however many processes try", async () => {
  expect((await owner.get("/reports/weekly-summary")).body).toEqual({ active: false });
  expect((await owner.put("/reports/weekly-summary", { active: true })).body).toEqual({ active: true });
  const { deps } = service;
  const monday = new Date(`${addDays(mondayOf(today), 7)}T07:00:00-05:00`);
  clock.moveTo(monday.getTime() - 1);
  expect(await mailWeeklySummaries(deps)).toBe(0);
  clock.moveTo(monday);
  const sent = await Promise.all([mailWeeklySummaries(deps), mailWeeklySummaries(deps)]);
  expect(sent.toSorted()).toEqual([0, 1]);
  const mails = (await mailsTo(service, owner.email)).filter(({ subject }) => subject.includes("la semana del"));
  expect(mails).toHaveLength(1);
  expect(mails[0]!.text).toContain("El producto que más vendió: Leche");
  expect(await mailsTo(service, neighbour.email)).toEqual([]);
});
