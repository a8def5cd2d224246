import { expect, test } from "vitest";
import { fillAtOnce } from "../../src/operations/fills/fill.ts";
import { aProduct, broughtBack, minute, moved, openEarning, productRecord, push, sold } from "../support/earning.ts";
import { perTest, verifiedService } from "../support/fixtures.ts";

const service = verifiedService();
const shop = perTest(() => openEarning(service));

/** A database of before has none of it, and the average over all time. */
async function asBefore(): Promise<void> {
  const { pool } = service.deps;
  for (const table of ["sale_costs", "cost_steps", "margin_spans"]) await pool.query(`delete from ${table}`);
  await pool.query("update products set average_cost = null, transit_milli = null, costed_us = null, recost_us = null");
  await pool.query("update stock_movements set made_us = null");
}

test("after an upgrade what was sold before costs what it did then", async () => {
  const [till] = shop.tills;
  const [one, other] = [aProduct({ tax_class: "excluded" }), aProduct({ tax_class: "excluded" })];
  const sale = sold(
    [
      { product: one.id, quantity: 10, price: 3000 },
      { product: other.id, quantity: 1, price: 500 },
    ],
    20,
  );
  const later = sold([{ product: one.id, quantity: 4, price: 3000 }], 40);
  // Each by itself: entries of before have no time but when they arrived.
  for (const record of [
    ...[productRecord(one), productRecord(other), moved(one.id, 10, { quantity: 10, unit_cost: 1000 })],
    ...sale.records,
    ...[broughtBack(sale.id, sale.items[0]!.id, 1, 25), moved(one.id, 30, { quantity: 9, unit_cost: 2000 })],
    ...later.records,
  ])
    await push(till, [record]);
  const said = async () => {
    const from = minute(0).slice(0, 10);
    const to = new Date().toISOString().slice(0, 10);
    const report = (await shop.owner.get(`/reports/margin?by=product&from=${from}&to=${to}`)).body;
    const costs = async (id: string) => {
      const { products, ...sums } = (await shop.owner.get(`/sales/${id}/costs`)).body;
      return { ...sums, products: products.map(({ cost }: { cost: number | null }) => cost) };
    };
    return { report, sale: await costs(sale.id), later: await costs(later.id) };
  };
  const before = await said();
  expect(before.sale).toMatchObject({ cost: 9000, unknown_lines: 1, products: [10_000, null] });
  expect(before.later.cost).toBe(7600);
  await asBefore();
  expect((await said()).sale).toMatchObject({ lines: 0, products: [] });
  await fillAtOnce(service.deps.pool, "sale_costs");
  expect(await said()).toEqual(before);
  // And what comes in from then on goes on from there.
  await push(till, [{ ...moved(one.id, 50, { quantity: 6, unit_cost: 100 }), edited_at: new Date().toISOString() }]);
  expect((await shop.owner.business.api.get(`/products/${one.id}`)).body.unit_cost).toBe(1000);
});
