import { beforeAll, describe, expect, test } from "vitest";
import type { Sale } from "../../src/business/sales/schema.ts";
import type { RateRow } from "../../src/fiscal/closing/tax-report.ts";
import { day } from "../../src/lib/clock.ts";
import { chance as newChance } from "../../src/operations/demo/random.ts";
import { addDays } from "../../src/reports/period.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import type { TaxTotal } from "../../src/taxes/tax.ts";
import { advance, changeSale, ringUp } from "../support/fiscal.ts";
import { verifiedService } from "../support/fixtures.ts";
import { decideAll } from "../support/issuing.ts";
import { everyClass, issuePapers, openPapers, saleOf } from "../support/papers.ts";
import { openAgain, openPortal, type Portal } from "../support/portal.ts";
import { randomCart } from "../support/random-cart.ts";
import { enrol, upload } from "../support/register.ts";

const service = verifiedService();
const today = () => bogotaDate(service.deps.clock.now());

async function taxes(owner: Portal, query: string): Promise<{ rows: RateRow[]; totals: object }> {
  const { status, body } = await owner.get(`/reports/taxes?${query}`);
  expect(status).toBe(200);
  return body;
}
const dayOf = (owner: Portal, date: string, by = "sale") => taxes(owner, `by=${by}&from=${date}&to=${date}`);
const sell = async (owner: Portal, ...fields: object[]) =>
  ringUp(service, owner.accountId, (at) => fields.map((one) => saleOf(at, everyClass, one)));

/** On the next day, when yesterday's session has ended. */
function nextDay(owner: Portal): Promise<Portal> {
  advance(service, day);
  return openAgain(service, owner.business, owner.email);
}

/** Nothing of what was sold is missing: bases and taxes are the total without tips and third parties. */
const sumOf = (rows: readonly { base: number; amount: number }[]) =>
  rows.reduce((sum, { base, amount }) => sum + base + amount, 0);

test("bags are counted in units, and what bears no tax has rows of its own", async () => {
  const owner = await openPapers(service);
  const [sale] = await sell(owner, { discount_percent: 10, tip: 5_000 });
  const { rows, totals } = await dayOf(owner, today());
  expect(rows).toMatchObject([
    { code: "01", name: "IVA", rate: 19, units: null },
    { code: "01", rate: 5 },
    { code: "01", rate: 0, amount: 0 },
    { code: "22", name: "INC bolsas", rate: null, per_unit: 73, base: 0, units: 2, amount: 146 },
    // 1,735 kg at $ 2.600, less a tenth.
    { code: "excluded", name: "Excluido", rate: null, base: 4_060, amount: 0 },
  ]);
  expect(sumOf(rows)).toBe(sale!.total - 5_000 - 10_000);
  const base = rows.reduce((sum, row) => sum + row.base, 0);
  expect(totals).toEqual({ base, amount: sale!.tax });
});

test("who is responsible for no tax sells without tax, and excluded goods stay excluded", async () => {
  const owner = await openPortal(service);
  await issuePapers(service.deps, owner.accountId, "none");
  await ringUp(service, owner.accountId, (at) => [saleOf(at, everyClass, { regime: "none" })]);
  const { rows } = await dayOf(owner, today());
  expect(rows.map(({ name, amount }) => [name, amount])).toEqual([
    ["Excluido", 0],
    ["Sin impuesto", 0],
  ]);
  expect(rows[0]!.base).toBe(4_511);
});

test("the file has names, and pesos apart from units", async () => {
  const owner = await openPapers(service);
  await sell(owner, {});
  const file = String((await owner.download(`/reports/taxes.csv?from=${today()}&to=${today()}`)).bytes);
  const lines = file.slice(1).split("\r\n");
  expect(lines[0]).toBe("Impuesto;Tarifa (%);Valor por unidad;Unidades;Base;Impuesto cobrado");
  expect(lines).toContain("INC bolsas;;73;2;;146");
  expect(lines).toContain("Excluido;;;;4511;0");
  expect(lines.find((line) => line.startsWith("IVA;19;"))).toBeDefined();
});

describe("a sale of one day whose document and return are of the next", () => {
  let owner: Portal;
  let [first, second] = ["", ""];
  beforeAll(async () => {
    owner = await openPapers(service);
    const sold = service.deps.clock.now();
    first = bogotaDate(sold);
    const late = await ringUp(service, owner.accountId, (at) => [saleOf(at, everyClass, { status: "open" })]);
    await sell(owner, {});
    await decideAll(service);
    owner = await nextDay(owner);
    second = today();
    await changeSale(service, owner.accountId, late[0]!.id, { status: "completed" });
    await decideAll(service);
    await giveBack(owner, late[0]!, 0);
    await decideAll(service);
  });

  test("counts by the day of the sale, or by the day of its document", async () => {
    const bags = async (date: string, by: string) =>
      (await dayOf(owner, date, by)).rows.find(({ code }) => code === "22")?.units ?? 0;
    expect([await bags(first, "sale"), await bags(second, "sale")]).toEqual([4, 0]);
    expect([await bags(first, "document"), await bags(second, "document")]).toEqual([2, 2]);
    const whole = `from=${first}&to=${second}`;
    expect((await taxes(owner, `by=document&${whole}`)).rows).toEqual((await taxes(owner, `by=sale&${whole}`)).rows);
  });

  test("is what the Z of each day says, row by row", async () => {
    for (const date of [first, second]) {
      const { body: z } = await owner.get(`/days/${date}/z`);
      expect((await dayOf(owner, date)).rows.map(plain)).toEqual(difference(z.sales.rates, z.returns.rates));
    }
  });
});

const plain = ({ code, rate, per_unit, base, units, amount }: RateRow): TaxTotal => ({
  ...{ code, rate, per_unit, base: units ?? base, amount },
});

function difference(sold: readonly TaxTotal[], back: readonly TaxTotal[]): TaxTotal[] {
  const key = ({ code, rate, per_unit }: TaxTotal) => `${code} ${rate} ${per_unit}`;
  const all = new Map(sold.map((row) => [key(row), row]));
  for (const row of back) {
    const { base, amount } = all.get(key(row)) ?? { base: 0, amount: 0 };
    all.set(key(row), { ...row, base: base - row.base, amount: amount - row.amount });
  }
  return [...all.values()].filter(({ base, amount }) => base !== 0 || amount !== 0);
}

async function giveBack(owner: Portal, sale: Sale, line: number): Promise<void> {
  const lines = [{ item_id: sale.items[line]!.id, quantity: 1 }];
  const { status } = await owner.post(`/sales/${sale.id}/returns`, { lines, payment_method: "CARD" });
  expect(status).toBe(201);
}

test("an ended day is read from what is kept of it, until something of it is written", async () => {
  let owner = await openPapers(service);
  const [sale] = await sell(owner, {});
  await decideAll(service);
  const date = today();
  owner = await nextDay(owner);
  const before = await dayOf(owner, date);
  const kept = async () =>
    (await service.deps.pool.query("select from tax_days where account_id = $1", [owner.accountId])).rowCount;
  expect(await kept()).toBe(1);
  expect(await dayOf(owner, date)).toEqual(before);
  // A register that was offline.
  await ringUp(service, owner.accountId, (at) => [saleOf(at, everyClass, { occurred_at: `${date}T18:00:00.000Z` })]);
  expect(sumOf((await dayOf(owner, date)).rows)).toBe(2 * sumOf(before.rows));
  // A day that has ended stays as it is: what is taken back counts on the day it happens.
  await giveBack(owner, sale!, 0);
  await changeSale(service, owner.accountId, sale!.id, { status: "cancelled" });
  await decideAll(service);
  expect(sumOf((await dayOf(owner, date)).rows)).toBe(2 * sumOf(before.rows));
  expect((await dayOf(owner, today())).rows.every(({ base, amount }) => base <= 0 && amount <= 0)).toBe(true);
});

test("a sale whose register corrects its day leaves the taxes of the day before", async () => {
  let owner = await openPortal(service);
  const date = today();
  const [sale] = await sell(owner, {});
  owner = await nextDay(owner);
  expect(sumOf((await dayOf(owner, date)).rows)).toBe(sale!.total - 10_000);
  await changeSale(service, owner.accountId, sale!.id, { occurred_at: service.deps.clock.now().toISOString() });
  expect((await dayOf(owner, date)).rows).toEqual([]);
  expect(sumOf((await dayOf(owner, today())).rows)).toBe(sale!.total - 10_000);
});

test("the cancellation of a sale takes back all that its taxes were told of, and what bore none", async () => {
  const owner = await openPapers(service);
  const clock = () => service.deps.clock.now();
  const till = await enrol(service, owner.accountId, { clock });
  const sale = saleOf(clock().toISOString(), everyClass, { discount_percent: 10 });
  await till.put("sale", upload(sale));
  const excluded = (rows: readonly { code: string; base: number }[]) => rows.find(({ code }) => code === "excluded");
  const { body: before } = await owner.get(`/days/${today()}/z`);
  expect(excluded(before.sales.rates)!.base).toBe(4_060);
  await till.put("sale", upload({ ...sale, status: "cancelled" }));
  const { body: z } = await owner.get(`/days/${today()}/z`);
  expect(z.sales.rates).toEqual(before.sales.rates);
  expect(z.returns.rates).toEqual(before.sales.rates);
  expect(await dayOf(owner, today())).toMatchObject({ rows: [], totals: { base: 0, amount: 0 } });
});

test("whatever is sold, bases and taxes add up to it, and kept days say the same as fresh ones", async () => {
  let owner = await openPortal(service);
  const chance = newChance(33);
  let expected = 0;
  for (let i = 0; i < 60; i++) {
    const { sale } = randomCart(chance);
    const others = sale.items.filter(({ tax_class }) => tax_class === "passthrough");
    expected += others.reduce((left, { subtotal }) => left - subtotal, sale.total - sale.tip_amount);
    await ringUp(service, owner.accountId, (at) => [
      { ...sale, customer_id: null, occurred_at: at, created_at: at, updated_at: at },
    ]);
  }
  const date = today();
  const fresh = await dayOf(owner, date);
  expect(sumOf(fresh.rows)).toBe(expected);
  owner = await nextDay(owner);
  expect(await taxes(owner, `from=${addDays(date, -200)}&to=${today()}`)).toMatchObject({ rows: fresh.rows });
  expect(await dayOf(owner, date)).toEqual(fresh);
});

test("belongs to its owner, and names what it does not understand", async () => {
  const stranger = await openPortal(service);
  expect((await dayOf(stranger, today())).rows).toEqual([]);
  const { status, body } = await stranger.get(`/reports/taxes?by=moon&from=${today()}&to=${today()}`);
  expect([status, body.error.param]).toEqual([400, "by"]);
  expect((await stranger.get("/reports/taxes?from=9999-12-01&to=9999-12-31")).body.rows).toEqual([]);
});
