import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { nilUuid } from "../../src/business/sale-totals/tables.ts";
import { sales } from "../../src/business/sales/resource.ts";
import type { Sale } from "../../src/business/sales/schema.ts";
import { sql } from "../../src/db/sql.ts";
import { writing } from "../../src/engine/writing/writing.ts";
import { fillAtOnce, fillOnce, restartFill } from "../../src/operations/fills/fill.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { readSalesReport, readSalesReportKeeping } from "../../src/reports/sales-report.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { saleBody, saleItemBody } from "../support/records.ts";
import { ableToReturn, enrol, type Till } from "../support/register.ts";
import { returnOf, saleOf } from "../support/returning.ts";

const service = sharedService();
const shop = sharedShop(service);
const [milk, bread] = [randomUUID(), randomUUID()];
const sold = "2026-10-05T15:30:00.000Z";
let till: Till;
beforeAll(async () => {
  till = await enrol(service, shop.accountId, { capabilities: ableToReturn });
});

/** A register's sale; the last line of the basket has no product. */
function upload(quantities: number[], fields: Partial<Sale> = {}) {
  const items = quantities.map((quantity, i) =>
    saleItemBody({ product_id: [milk, bread, null][i]!, quantity, unit_price: 1000, subtotal: 1000 * (i + 1) }),
  );
  const total = items.reduce((sum, { subtotal }) => sum + subtotal, 0);
  const { id: _, ...body } = saleBody(sold, { items, subtotal: total, total, occurred_at: sold, ...fields });
  return body;
}

async function rowsOf(table: string): Promise<Record<string, unknown>[]> {
  const { rows } = await service.deps.pool.query({
    text: `select to_jsonb(t) - 'account_id' as row from ${table} t where account_id = $1 order by t::text`,
    values: [shop.accountId],
  });
  return rows.map(({ row }) => row as Record<string, unknown>);
}

/** What the owner's report says of a month that has ended; it keeps the month's sums for the next time. */
async function october(): Promise<{ total: number; kept: number }> {
  const query = { by: "product" as const, from: "2026-10-01", to: "2026-10-31" };
  const { totals } = await readSalesReportKeeping({ ...service.deps, reads: service.deps.pool }, shop.accountId, query);
  return { total: totals.total, kept: (await rowsOf("sale_product_spans")).length };
}

const problems = async () => (await verify(service.deps.pool)).problems;

test("whatever a register does to its sales, the totals stay their sum", async () => {
  const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
  const steps: [string, ReturnType<typeof upload>][] = [
    [first, upload([0.1, 0.2, 1], { status: "open" })],
    [second, upload([1.115, 3], { payment_method: "x".repeat(4_000), cash_session_id: randomUUID() })],
    [first, upload([0.1, 0.2, 1])],
    // Other lines, another hour, another day.
    [first, upload([0.7], { occurred_at: "2026-10-05T16:30:00.000Z" })],
    [second, upload([2, 2], { occurred_at: "2026-10-06T04:59:59.000Z", tax_breakdown: null })],
    [second, upload([2, 2], { occurred_at: "2026-10-06T05:00:00.000Z", tax_breakdown: null })],
    [third, upload([1], { tip_amount: 500, discount: 100, total: 1400 })],
    [third, upload([1], { status: "cancelled" })],
  ];
  for (const [id, data] of steps) {
    const { status } = await till.put("sale", { id, ...data }, { edited_at: sold });
    expect(status).toBe("applied");
    await october();
    expect(await problems()).toEqual([]);
  }
  expect(await october()).toEqual({ total: 4000, kept: 1 });
  const some = (rows: Record<string, unknown>[], name: string) =>
    rows.filter((row) => row[name] !== 0 && row[name] !== "0");
  expect(some(await rowsOf("sale_hours"), "tickets")).toMatchObject([
    // Sold and cancelled in one hour: the tip was no sale.
    { day: "2026-10-05", hour: 10, tickets: 1, total: 0, tip: 0, returned: 900 },
    { day: "2026-10-05", hour: 11, tickets: 1, total: 1000 },
    { day: "2026-10-06", hour: 0, tickets: 1, total: 3000 },
  ]);
  expect(some(await rowsOf("sale_shifts"), "tickets")).toMatchObject([
    { day: "2026-10-05", tickets: 2, total: 1000, device_id: till.deviceId },
    { day: "2026-10-06", tickets: 1, total: 3000 },
  ]);
  expect(some(await rowsOf("sale_products"), "lines")).toMatchObject([
    { day: "2026-10-05", product_id: milk, lines: 2, quantity: 0.7, amount: 1000 },
    { day: "2026-10-06", lines: 1, quantity: 2 },
    { day: "2026-10-06", lines: 1, quantity: 2 },
  ]);
});

test("a batch with the same sale twice counts its last version once", async () => {
  const id = randomUUID();
  await till.push([
    { type: "sale", id, data: upload([1, 1]) },
    { type: "sale", id, data: upload([1, 1, 5]) },
    { type: "sale", data: upload([4]) },
  ]);
  expect(await problems()).toEqual([]);
});

test("what is returned is taken off on its own day, and a cancellation takes off the rest on its own", async () => {
  const sale = saleOf([{ quantity: 4, unit_price: 250 }], { occurred_at: "2026-10-07T15:00:00.000Z" });
  await till.put("sale", sale);
  const returned = returnOf(sale, [1], { occurred_at: "2026-10-08T15:00:00.000Z" });
  expect(await till.put("return", returned)).toMatchObject({ status: "applied" });
  expect(await problems()).toEqual([]);
  const onThe8th = async () => (await rowsOf("sale_hours")).filter(({ day }) => day === "2026-10-08");
  expect(await onThe8th()).toMatchObject([{ tickets: 0, total: -250, returned: 250 }]);
  const { total, kept } = await october();
  expect(kept).toBe(1);
  await till.put("sale", { ...sale, status: "cancelled" }, { edited_at: "2026-10-09T15:00:00.000Z" });
  expect(await problems()).toEqual([]);
  expect((await october()).total).toBe(total - 750);
  expect(await onThe8th()).toMatchObject([{ tickets: 0, total: -250, returned: 250 }]);
  const onThe9th = (await rowsOf("sale_hours")).filter(({ day }) => day === "2026-10-09");
  expect(onThe9th).toMatchObject([{ tickets: 0, total: -750, returned: 750 }]);
});

test("a month whose sums are kept is read with every later change of its days", async () => {
  const { total, kept } = await october();
  expect([kept, (await october()).total]).toEqual([1, total]);
  const id = randomUUID();
  await till.put("sale", { id, ...upload([1, 1]) });
  expect(await rowsOf("sale_product_spans")).toEqual([]);
  expect((await october()).total).toBe(total + 3000);
  await till.put("sale", { id, ...upload([1]) }, { edited_at: sold });
  expect((await october()).total).toBe(total + 1000);
  await till.put("sale", { id, ...upload([1], { status: "cancelled" }) }, { edited_at: sold });
  expect(await october()).toEqual({ total, kept: 1 });
});

test("a report waits for no writer: it reads the days, and keeps them another time", async () => {
  const { total } = await october();
  await till.put("sale", upload([1]));
  const writer = await service.deps.pool.connect();
  await writer.query("begin");
  await writer.query(sql`select from account_clock where account_id = ${shop.accountId} for update`);
  expect(await october()).toEqual({ total: total + 1000, kept: 0 });
  await writer.query("rollback");
  writer.release();
  expect(await october()).toEqual({ total: total + 1000, kept: 1 });
});

test("fractions of a product in many sales are added up without rounding", async () => {
  await till.push(
    Array.from({ length: 12 }, () => ({
      type: "sale",
      data: upload([0.1, 3], { occurred_at: "2026-09-05T15:00:00Z" }),
    })),
  );
  const rows = (await rowsOf("sale_products")).filter(({ day }) => day === "2026-09-05");
  expect(rows.map(({ quantity, lines }) => [quantity, lines]).sort()).toEqual([
    [1.2, 12],
    [36, 12],
  ]);
  expect(await problems()).toEqual([]);
});

test("recount adds up all days again from the records, whatever the totals were", async () => {
  const tables = ["sale_hours", "sale_shifts", "sale_products", "sale_taxes"];
  const isLeft = (row: Record<string, unknown>) =>
    [row.tickets, row.returned, row.lines, row.quantity, row.amount].some((value) => value);
  const read = async () => (await Promise.all(tables.map(rowsOf))).map((rows) => rows.filter(isLeft));
  const before = await read();
  await service.deps.pool.query(sql`update sale_hours set returned = returned + 5, passthrough = 1`);
  await service.deps.pool.query(sql`update sale_shifts set payments = null, total = 0`);
  await service.deps.pool.query(sql`delete from sale_taxes`);
  expect(await problems()).not.toEqual([]);
  await fillAtOnce(service.deps.pool, "sale_sums");
  expect(await read()).toEqual(before);
  expect(await problems()).toEqual([]);
});

test("what a process of before noted is added within a minute of its upgrade, once, and counted again after it", async () => {
  const day = { from: "2026-08-05", to: "2026-08-05" };
  const total = async () =>
    (await readSalesReport(service.deps.pool, shop.accountId, { by: "hour", ...day })).totals.total;
  const { pool } = service.deps;
  await till.put("sale", upload([1], { occurred_at: "2026-08-05T15:00:00Z" }));
  expect(await total()).toBe(1000);
  const sums = { tickets: 1, total: 700, tax: 0, discount: 0, tip: 0, returned: 0, passthrough: 0, payments: 1 };
  const keys = { day: day.from, hour: 10, device_id: till.deviceId, cash_session_id: nilUuid, payment_method: "CASH" };
  const note = () =>
    pool.query(sql`
    insert into sale_journal select account_id, seq + 1, 'sale', ${JSON.stringify([{ ...keys, ...sums }])}, '[]', '[]'
    from account_clock where account_id = ${shop.accountId}`);
  await pool.query("update migrations set applied_at = now()");
  await restartFill(pool, "sale_notes");
  expect(await fillOnce(pool, "sale_notes", true)).toMatchObject({ waits: true, isFinished: false });
  await note();
  expect(await fillOnce(pool, "sale_notes", true)).toEqual({ seen: 1, changed: 1, isFinished: false });
  expect(await total()).toBe(1700);
  expect([await rowsOf("sale_journal"), await fillOnce(pool, "sale_notes", true)]).toMatchObject([[], { waits: true }]);
  await pool.query("update migrations set applied_at = applied_at - interval '1 hour'");
  expect(await fillOnce(pool, "sale_notes", true)).toMatchObject({ isFinished: true });
  // No sale says so.
  await fillAtOnce(pool, "sale_sums");
  expect(await total()).toBe(1000);
  expect(await problems()).toEqual([]);
});

test("verify finds a total that is not the sum of its sales", async () => {
  await october();
  await service.deps.pool.query(sql`
    update sale_product_spans set amounts[1] = amounts[1] + 1 where account_id = ${shop.accountId} and first_day = '2026-10-01'`);
  await service.deps.pool.query(sql`
    update sale_hours set total = total + 1 where account_id = ${shop.accountId} and day = '2026-10-06'`);
  await service.deps.pool.query(sql`
    update sale_shifts set tickets = 0 where account_id = ${shop.accountId} and day = '2026-10-06'`);
  await service.deps.pool.query(sql`
    delete from sale_taxes where account_id = ${shop.accountId} and day = '2026-10-06'`);
  expect((await problems()).map((problem) => problem.split(":")[0])).toEqual([
    "los totales por hora no son la suma de las ventas",
    "los totales por turno no son la suma de las ventas",
    "los totales por impuesto no son la suma de las ventas",
    "los totales de un periodo no son la suma de sus días",
  ]);
});

test("a write that changes a sale without having loaded it is refused: it would count it twice", async () => {
  const body = saleBody(sold);
  await expect(writing(service.deps, shop.accountId, (write) => write.put(sales, { body }))).rejects.toThrow(
    "did not load it",
  );
});
