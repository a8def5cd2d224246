import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { sales } from "../../src/business/sales/resource.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { openAgain } from "../support/portal.ts";
import { cashMovementBody, cashSessionBody, invoiceBody, productBody, saleBody, store } from "../support/records.ts";
import { upload } from "../support/register.ts";
import { type Flag, now, registerPerTest, sale } from "../support/registered-shop.ts";

const { flagged, rows, service, shop, till } = registerPerTest();

const ceiling = 999_999_999_999;
const fieldsOf = (flag: Flag | undefined) => flag?.findings.map(({ field }) => field);
const today = () => bogotaDate(new Date());

/** Every page that adds up what was sold. */
async function expectReports(): Promise<void> {
  const owner = await openAgain(service, shop, "");
  const day = today();
  const period = `from=${day}&to=${day}`;
  const pages = [
    ...[`/days/${day}/z`, `/days/${day}/journal.csv`, "/today", `/reports/taxes?${period}`, "/sales/totals"],
    ...["day", "hour", "product", "category", "register", "cashier", "payment_method"].map(
      (by) => `/reports/sales?by=${by}&${period}`,
    ),
  ];
  const answers = await Promise.all(pages.map(async (path) => [path, (await owner.download(path)).status]));
  expect(answers).toEqual(pages.map((path) => [path, 200]));
}

test.each([1e12, Number.MAX_SAFE_INTEGER, 1e300])(
  "an amount of %d is stored as the API's limit, told to the owner, and no report fails for it",
  async (huge) => {
    const session = upload(cashSessionBody(now(), { opening_amount: huge, status: "closed", closed_at: now() }));
    const movement = upload(cashMovementBody(now(), session.id, { amount: huge }));
    const line = { ...sale().items[0]!, unit_price: huge, subtotal: huge };
    const large = sale({ total: huge, subtotal: huge, tax: -huge, items: [line], cash_session_id: session.id });
    const document = upload(invoiceBody(now(), { sale_id: large.id, total: huge, subtotal: huge, number: huge }));
    const product = { ...upload(productBody(now())), base_price: huge, barcodes: [{ code: "1", price: huge }] };
    const records = [
      { type: "cash_session", id: session.id, data: { ...session, movements: [movement] } },
      { type: "sale", id: large.id, data: large, payments: [{ payment_method: "CASH", amount: huge }] },
      { type: "invoice", id: document.id, data: document },
      { type: "product", id: product.id, data: product },
    ];
    const { body } = await till.push(records, { capabilities: ["product.codes.1"] });
    expect(body.results.map(({ status }: { status: string }) => status)).toEqual(records.map(() => "applied"));
    const read = (await shop.api.get(`/sales/${large.id}`)).body;
    expect([read.total, read.tax, read.items[0].subtotal]).toEqual([ceiling, -ceiling, ceiling]);
    expect((await shop.api.get(`/cash-sessions/${session.id}`)).body.movements[0].amount).toBe(ceiling);
    const flags = new Map((await flagged()).map((flag: Flag) => [flag.type, flag]));
    expect(fieldsOf(flags.get("sale") as Flag)).toEqual(
      expect.arrayContaining(["subtotal", "tax", "total", `items.${line.id}.unit_price`, "payments"]),
    );
    expect(fieldsOf(flags.get("cash_session") as Flag)).toContain(`movements.${movement.id}.amount`);
    expect(fieldsOf(flags.get("invoice") as Flag)).toEqual(expect.arrayContaining(["number", "total"]));
    expect(fieldsOf(flags.get("product") as Flag)).toContain("base_price");
    await expectReports();
  },
);

test("a forged total counts, is the first thing that the owner is told, and is done with when it is cancelled", async () => {
  const owner = await openAgain(service, shop, "");
  const findings = async () => (await owner.get("/findings?limit=1")).body.data;
  const line = { ...sale().items[0]!, unit_price: 1e20, subtotal: 1e20 };
  const forged = sale({ total: 1e20, subtotal: 1e20, tax: 0, items: [line] });
  await till.put("sale", forged);
  // Newer ones, and as grave.
  for (let i = 0; i < 3; i++) await till.put("sale", sale({ items: [] }));
  const other = sale();
  await till.put("sale", other);
  for (const number of [1, 2])
    await till.put("invoice", upload(invoiceBody(now(), { sale_id: other.id, number, status: "issued" })));
  expect((await owner.get("/today")).body.sold.gross).toBeGreaterThanOrEqual(ceiling);
  const told = { gravity: "error", message: "Una venta por $999.999.999.999: revísela.", sale_id: forged.id };
  expect(await findings()).toMatchObject([{ kind: "huge_total", ...told }]);
  const { body } = await owner.get("/attention");
  expect(body.data.find(({ kind }: { kind: string }) => kind === "finding")).toMatchObject(told);
  await till.put("sale", { ...forged, status: "cancelled" });
  expect((await findings()).map(({ kind }: { kind: string }) => kind)).not.toContain("huge_total");
});

test.each(["\u0000", "", " \t", "\u200b"])(
  "a means of payment %j is another one, wherever it was paid or counted",
  async (payment_method) => {
    const shift = upload(cashSessionBody(now(), { payments: [{ payment_method, count: 2, amount: 12_800 }] }));
    const [split, whole] = [sale({ cash_session_id: shift.id }), sale({ payment_method, cash_session_id: shift.id })];
    const payments = [
      { payment_method: "CASH", amount: 400 },
      { payment_method, amount: split.total - 400 },
    ];
    await till.push([
      { type: "cash_session", id: shift.id, data: shift },
      { type: "sale", id: split.id, data: { ...split, payment_method }, payments },
      { type: "sale", id: whole.id, data: whole },
    ]);
    const other = split.total - 400 + whole.total;
    const owner = await openAgain(service, shop, "");
    const means = [
      { payment_method: "OTHER", received: other, payments: 2 },
      { payment_method: "CASH", received: 400, payments: 1 },
    ];
    expect((await owner.get("/today")).body.payments).toEqual(means.map((one) => expect.objectContaining(one)));
    expect((await owner.get(`/cash-sessions/${shift.id}/z`)).body.received).toMatchObject(
      means.map(({ received, ...one }) => ({ payment_method: one.payment_method, amount: received })),
    );
    expect((await shop.api.get(`/sales/${whole.id}`)).body.payment_method).toBe("OTHER");
    expect((await shop.api.get(`/cash-sessions/${shift.id}`)).body.payments).toMatchObject([
      { payment_method: "OTHER" },
    ]);
  },
);

test("the reports bear what was stored before there was a limit", async () => {
  const total = Number.MAX_SAFE_INTEGER;
  await store(service.deps, shop.accountId, sales, (at) =>
    Array.from({ length: 1_100 }, () => ({
      body: saleBody(at, { total, subtotal: total, tax: total, occurred_at: at }),
    })),
  );
  await expectReports();
});

test.each(["0001-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59.999-14:00"])(
  "an instant of %s, in no year of the calendar, is left out and told",
  async (instant) => {
    const session = upload(cashSessionBody(instant, { status: "closed", closed_at: instant }));
    const records = [
      { type: "sale", data: sale({ occurred_at: instant }) },
      { type: "invoice", data: upload(invoiceBody(instant)) },
      {
        type: "cash_session",
        data: { ...session, movements: [upload(cashMovementBody(instant, session.id))] },
      },
      { type: "counter_act", data: { id: randomUUID(), kind: "drawer_opened", occurred_at: instant } },
    ].map(({ type, data: { id, ...data } }) => ({ type, id, data, edited_at: instant }));
    const { body } = await till.push(records, { capabilities: ["counter_act.1"] });
    expect(body.results.map(({ status }: { status: string }) => status)).toEqual(records.map(() => "applied"));
    const stored = (await shop.api.get(`/sales/${records[0]!.id}`)).body;
    expect(stored.occurred_at).toBe(stored.created_at);
    const flags = new Map((await flagged()).map((flag: Flag) => [flag.type, fieldsOf(flag)]));
    expect(flags.get("sale")).toContain("occurred_at");
    expect(flags.get("cash_session")).toEqual(expect.arrayContaining(["opened_at", "closed_at"]));
    expect((await shop.api.get(`/cash-sessions/${session.id}`)).body.closed_at).toMatch(/^20/);
    await expectReports();
  },
);

test("a type of 5 000 letters is stored, and found by its beginning", async () => {
  const product = upload(productBody(now()));
  await till.put("product", product);
  const type = "í".repeat(5_000);
  const moved = await till.put("stock_movement", { product_id: product.id, type, quantity: 1 });
  expect(moved.status).toBe("applied");
  expect((await shop.api.get("/inventory/movements")).body.data).toMatchObject([{ type }]);
  expect(await rows("select length(type) as letters from stock_movements where account_id = $1")).toEqual([
    { letters: 100 },
  ]);
  expect(await rows("select 1 from quarantined_records where account_id = $1")).toEqual([]);
});
