import { beforeEach, expect, test } from "vitest";
import type { Sale } from "../../src/business/sales/schema.ts";
import { sql } from "../../src/db/sql.ts";
import { fillAtOnce } from "../../src/operations/fills/fill.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { addDays } from "../../src/reports/period.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { closeOf, closeOfShift } from "../support/day-checks.ts";
import { changeSale } from "../support/fiscal.ts";
import { perTest, verifiedService } from "../support/fixtures.ts";
import { openPortal } from "../support/portal.ts";
import { cashSessionBody } from "../support/records.ts";
import { ableToReturn, enrol, upload } from "../support/register.ts";
import { returnOf, saleOf } from "../support/returning.ts";
import { csvTable } from "../support/tables.ts";
import { stopClock } from "../support/time.ts";

const service = verifiedService();
const now = new Date(`${bogotaDate(new Date())}T15:30:00-05:00`);
const today = bogotaDate(now);
const yesterday = addDays(today, -1);
beforeEach(() => void stopClock(service, now));
const owner = perTest(() => openPortal(service));
const till = perTest(() => enrol(service, owner.accountId, { capabilities: ableToReturn, clock: () => now }));

const at = (time: string, day = yesterday) => new Date(`${day}T${time}:00-05:00`).toISOString();
const bread = (quantity: number, fields: Partial<Sale> = {}) =>
  saleOf([{ quantity, unit_price: 5_000 }], { occurred_at: at("10:00"), ...fields });
/** The same sale with so many. */
const changed = (sale: Sale, quantity: number, fields: Partial<Sale> = {}) =>
  bread(quantity, { id: sale.id, cash_session_id: sale.cash_session_id, ...fields });
const put = (sale: Sale, edited_at: string) => till.put("sale", upload(sale), { edited_at });
const read = async (path: string) => (await owner.get(path)).body;
const sumsOf = async (day: string) => (await read(`/days/${day}/z`)).sums;
const ofDay = (day: string) => `occurred_since=${day}T00:00:00-05:00&occurred_until=${addDays(day, 1)}T00:00:00-05:00`;
const problems = async () => (await verify(service.deps.pool)).problems;

test("a sale that its register corrects on a later day: the ended day stays, and the difference counts today", async () => {
  const sale = bread(2, { payment_method: "CASH" });
  await put(sale, at("10:00"));
  const before = await closeOf(owner, yesterday);
  expect(await put(changed(sale, 3, { payment_method: "NEQUI" }), now.toISOString())).toMatchObject({
    status: "applied",
  });
  expect(await closeOf(owner, yesterday)).toBe(before);
  expect((await owner.business.api.get(`/sales/${sale.id}`)).body).toMatchObject({
    total: 15_000,
    payment_method: "NEQUI",
  });
  const { sums, received } = await read(`/days/${today}/z`);
  expect(sums).toMatchObject({ tickets: 0, gross: 0, returned: -5_000, net: 5_000 });
  expect(received).toMatchObject([
    { payment_method: "NEQUI", amount: 15_000, count: 0 },
    { payment_method: "CASH", amount: -10_000, count: 0 },
  ]);
  expect((await read(`/sales?${ofDay(yesterday)}`)).data).toMatchObject([
    { id: sale.id, kind: "sale", total: 10_000, is_corrected: true, counts: true, payment_method: "CASH" },
  ]);
  expect((await read(`/sales?${ofDay(today)}`)).data).toMatchObject([
    { sale_id: sale.id, kind: "correction", total: 5_000, net: 5_000, is_corrected: false },
  ]);
  const file = csvTable(String((await owner.download(`/tables/sales.csv?${ofDay(today)}`)).bytes));
  expect([file.column("Movimiento"), file.sum("Ventas netas"), file.sum("Recibido: Efectivo")]).toEqual([
    ["Corrección"],
    5_000,
    -10_000,
  ]);
  expect((await read(`/sales/${sale.id}`)).corrections).toMatchObject([
    { kind: "sale", total: 10_000 },
    { kind: "correction", total: 5_000 },
  ]);
  expect(await problems()).toEqual([]);
});

test("a sale that is opened again later is taken back that day, counts again when it is completed, and can be cancelled", async () => {
  const sale = bread(2);
  const days = [addDays(today, -3), addDays(today, -2), yesterday];
  const [sold, opened, completed] = days.map((day) => ({ ...sale, occurred_at: at("10:00", days[0]), day }));
  await put(sold!, at("10:00", days[0]));
  await put({ ...opened!, status: "open" }, at("11:00", days[1]));
  expect(await sumsOf(days[1]!)).toMatchObject({ tickets: 0, returned: 10_000, net: -10_000, received: -10_000 });
  await put(completed!, at("11:00", days[2]));
  expect(await sumsOf(days[2]!)).toMatchObject({ tickets: 0, returned: -10_000, net: 10_000 });
  await put({ ...sold!, status: "cancelled" }, now.toISOString());
  expect(await sumsOf(days[0]!)).toMatchObject({ tickets: 1, net: 10_000 });
  expect(await sumsOf(today)).toMatchObject({ tickets: 0, returned: 10_000, net: -10_000 });
  expect(await read("/sales/totals")).toMatchObject({ tickets: 1, net: 0, received: 0, states: { cancelled: 1 } });
  expect(await problems()).toEqual([]);
});

test("a change that was made on the sale's own day completes that day, however late it comes", async () => {
  const sale = bread(2);
  await put(sale, at("10:00"));
  await put(changed(sale, 3), at("23:59"));
  expect(await sumsOf(yesterday)).toMatchObject({ tickets: 1, gross: 15_000, returned: 0 });
  expect((await read(`/sales?${ofDay(yesterday)}`)).data).toMatchObject([{ total: 15_000, is_corrected: false }]);
});

test("the Z of a shift that was closed stays, whatever its register changes or cancels afterwards on the same day", async () => {
  const morning = { occurred_at: at("09:00", today) };
  const shift = cashSessionBody(at("08:00", today), { opened_at: at("08:00", today) });
  await till.put("cash_session", upload(shift));
  const [first, second] = [
    bread(2, { ...morning, cash_session_id: shift.id }),
    bread(1, { ...morning, cash_session_id: shift.id }),
  ];
  for (const sale of [first, second]) await put(sale, at("09:00", today));
  await put(changed(first, 4, morning), at("10:00", today));
  const closed_at = at("12:00", today);
  await till.put("cash_session", upload({ ...shift, status: "closed", closed_at }), { edited_at: closed_at });
  const before = await closeOfShift(owner, shift.id);
  expect(JSON.parse(before).sums).toMatchObject({ tickets: 2, gross: 25_000, net: 25_000 });
  await put(changed(first, 3, morning), at("13:00", today));
  await put({ ...second, status: "cancelled" }, at("13:00", today));
  expect(await closeOfShift(owner, shift.id)).toBe(before);
  expect(await sumsOf(today)).toMatchObject({ tickets: 2, gross: 25_000, returned: 10_000, net: 15_000 });
  // Made before the shift was closed, and uploaded after it.
  const third = bread(1, { ...morning, cash_session_id: shift.id });
  await put(third, at("09:30", today));
  await put(changed(third, 2, morning), at("11:30", today));
  expect(JSON.parse(await closeOfShift(owner, shift.id)).sums).toMatchObject({
    tickets: 3,
    gross: 35_000,
    returned: 0,
  });
  expect(await problems()).toEqual([]);
});

test("two payments of one means stay two in the Z of a closed shift, though the register later says one of the same sum", async () => {
  const morning = { occurred_at: at("09:00", today) };
  const shift = cashSessionBody(at("08:00", today), { opened_at: at("08:00", today) });
  await till.put("cash_session", upload(shift));
  const sale = bread(2, { ...morning, cash_session_id: shift.id, payment_method: "NEQUI" });
  const paid = (edited_at: string, ...amounts: number[]) => {
    const payments = amounts.map((amount) => ({ payment_method: "NEQUI", amount }));
    return till.put("sale", upload(sale), { edited_at, ...({ payments } as object) });
  };
  await paid(at("09:00", today), 4_000, 6_000);
  const closed_at = at("12:00", today);
  await till.put("cash_session", upload({ ...shift, status: "closed", closed_at }), { edited_at: closed_at });
  const before = await closeOfShift(owner, shift.id);
  expect(JSON.parse(before).received).toEqual([{ payment_method: "NEQUI", count: 2, amount: 10_000 }]);
  await paid(at("13:00", today), 10_000);
  expect(await closeOfShift(owner, shift.id)).toBe(before);
  expect(await problems()).toEqual([]);
});

test("a sale that is completed when its day is over counts when it was completed, and one that is moved to an ended day stays", async () => {
  const open = bread(2, { status: "open" });
  await put(open, at("10:00"));
  const before = await closeOf(owner, yesterday);
  await put({ ...open, status: "completed" }, now.toISOString());
  expect(await sumsOf(today)).toMatchObject({ tickets: 1, gross: 10_000 });
  const sale = bread(1, { occurred_at: at("09:00", today) });
  await put(sale, at("09:00", today));
  await put({ ...sale, occurred_at: at("09:00") }, at("10:00", today));
  expect(await closeOf(owner, yesterday)).toBe(before);
  expect(await sumsOf(today)).toMatchObject({ tickets: 2, gross: 15_000, returned: 0 });
  expect((await read(`/sales?${ofDay(today)}`)).data).toMatchObject([{ kind: "sale" }, { kind: "sale" }]);
  expect(await problems()).toEqual([]);
});

test("after a return only the means can be corrected, and what is left is taken back by a cancellation", async () => {
  const sale = bread(4, { payment_method: "CASH" });
  await put(sale, at("10:00"));
  await till.put("return", returnOf(sale, [1], { occurred_at: at("12:00") }), { edited_at: at("12:00") });
  const before = await closeOf(owner, yesterday);
  await put({ ...sale, payment_method: "NEQUI" }, at("09:00", today));
  expect(await sumsOf(today)).toMatchObject({ returned: 0, net: 0, received: 0 });
  await put({ ...sale, payment_method: "NEQUI", status: "cancelled" }, at("10:00", today));
  expect(await closeOf(owner, yesterday)).toBe(before);
  expect((await read(`/days/${today}/z`)).received).toMatchObject([
    { payment_method: "NEQUI", amount: 5_000 },
    { payment_method: "CASH", amount: -20_000 },
  ]);
  expect(await read("/sales/totals")).toMatchObject({ tickets: 1, net: 0, received: 0 });
  expect(await problems()).toEqual([]);
});

test("a tax without its detail that gets one, and several versions in one push, add up", async () => {
  const sale = bread(2, { tax_breakdown: null });
  await put(sale, at("10:00"));
  const before = await closeOf(owner, yesterday);
  const versions = [changed(sale, 5), changed(sale, 1), { ...changed(sale, 2), status: "open" }, changed(sale, 2)];
  const records = versions.map((one) => ({
    type: "sale",
    id: sale.id,
    data: upload(one),
    edited_at: now.toISOString(),
  }));
  expect((await till.push(records)).body.results.map(({ status }: { status: string }) => status)).toEqual([
    ...["applied", "applied", "applied", "applied"],
  ]);
  expect(await closeOf(owner, yesterday)).toBe(before);
  const { rows, totals } = await read(`/reports/taxes?from=${yesterday}&to=${today}`);
  expect(rows).toMatchObject([{ code: "01", rate: 19, base: sale.total - sale.tax, amount: sale.tax }]);
  expect(totals).toMatchObject({ amount: sale.tax });
  expect(await problems()).toEqual([]);
});

test("what a process of the version before changes of a corrected sale becomes a correction when all is counted again", async () => {
  const sale = bread(2);
  await put(sale, at("10:00"));
  await put(changed(sale, 3), at("09:00", today));
  const before = await closeOf(owner, yesterday);
  // It knows no books.
  const { items, subtotal, tax, total, tax_breakdown } = changed(sale, 7);
  await changeSale(service, owner.accountId, sale.id, { items, subtotal, tax, total, tax_breakdown });
  expect(await problems()).toEqual([`una venta corregida no cuenta por lo que vale: venta ${sale.id}`]);
  await fillAtOnce(service.deps.pool, "sale_sums");
  expect(await closeOf(owner, yesterday)).toBe(before);
  expect(await sumsOf(today)).toMatchObject({ gross: 0, returned: -25_000, net: 25_000 });
  expect(await problems()).toEqual([]);
});

test("verify finds a corrected sale that the books have lost", async () => {
  const sale = bread(2);
  await put(sale, at("10:00"));
  await put(changed(sale, 3), now.toISOString());
  const { pool } = service.deps;
  const { rows } = await pool.query(
    sql`delete from sale_corrections where id = ${sale.id} returning account_id, occurred_at, body::text`,
  );
  const [{ account_id, occurred_at, body }] = rows as [{ account_id: string; occurred_at: Date; body: string }];
  expect(await problems()).toContain(`una venta corregida no cuenta por lo que vale: venta ${sale.id}`);
  await pool.query(sql`
    insert into sale_corrections (account_id, id, sale_id, occurred_at, device_id, body)
    values (${account_id}, ${sale.id}, ${sale.id}, ${occurred_at}, ${till.deviceId}, ${body})`);
});
