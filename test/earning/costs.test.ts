import { expect, test } from "vitest";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { aProduct, broughtBack, minute, moved, openEarning, productRecord, push, sold } from "../support/earning.ts";
import { perTest, verifiedService } from "../support/fixtures.ts";
import { enterAs } from "../support/people.ts";
import { newProduct } from "../support/product.ts";

const service = verifiedService();
const shop = perTest(() => openEarning(service));

const product = () => aProduct({ tax_class: "excluded" });
const unitCost = async (id: string) => (await shop.owner.business.api.get(`/products/${id}`)).body.unit_cost;
const costsOf = async (id: string) => (await shop.owner.get(`/sales/${id}/costs`)).body;
const day = (n: number) => minute(n - 300).slice(0, 10);
const margin = async (by: string) =>
  (await shop.owner.get(`/reports/margin?by=${by}&from=${day(0)}&to=${new Date().toISOString().slice(0, 10)}`)).body;

test("what was sold long ago does not weigh in what a product costs", async () => {
  const { api } = shop.owner.business;
  const { id } = await newProduct(api, { initial_stock: 100, unit_cost: 1000 });
  await api.post("/inventory/movements", { product_id: id, type: "out", quantity: 100 });
  await api.post("/inventory/movements", { product_id: id, type: "in", quantity: 10, unit_cost: 2000 });
  expect(await unitCost(id)).toBe(2000);
});

test("a sale keeps what it cost, and a later reception does not change it", async () => {
  const [till] = shop.tills;
  const one = product();
  const first = sold([{ product: one.id, quantity: 2, price: 3000 }], 20);
  await push(till, [productRecord(one), moved(one.id, 10, { quantity: 10, unit_cost: 1000 }), ...first.records]);
  await push(till, [moved(one.id, 30, { quantity: 8, unit_cost: 2000 })]);
  expect(await unitCost(one.id)).toBe(1500);
  const costs = await costsOf(first.id);
  expect(costs).toMatchObject({ lines: 1, net: 6000, cost: 2000, margin: 4000, percent: 66.7, unknown_lines: 0 });
  expect(costs.products).toMatchObject([{ unit_cost: 1000, cost: 2000, is_guess: false, first_cost: null }]);
});

test("what was sold before it came in is a guess, and the reception says what it cost, visibly", async () => {
  const [till] = shop.tills;
  const one = product();
  const first = sold([{ product: one.id, quantity: 2, price: 3000 }], 20);
  await push(till, [productRecord(one), ...first.records]);
  expect(await costsOf(first.id)).toMatchObject({ net: 6000, cost: 0, margin: 0, percent: null, unknown_lines: 1 });
  await push(till, [moved(one.id, 30, { quantity: 20, unit_cost: 3.3 })]);
  expect(await unitCost(one.id)).toBe(3.3);
  const { products, ...sums } = await costsOf(first.id);
  expect(sums).toMatchObject({ cost: 7, margin: 5993, unknown_lines: 0, guess_lines: 0 });
  expect(products).toMatchObject([{ unit_cost: 3.3, is_guess: false, recosted_at: expect.any(String) }]);
  // From then on what is sold beyond what is there costs the average, until the next reception says otherwise.
  const more = sold([{ product: one.id, quantity: 20, price: 3000 }], 40);
  await push(till, more.records);
  expect((await costsOf(more.id)).products).toMatchObject([{ cost: 66, is_guess: true }]);
  await push(till, [moved(one.id, 50, { quantity: 10, unit_cost: 10 })]);
  expect((await costsOf(more.id)).products).toMatchObject([{ cost: 79, first_cost: 66, is_guess: false }]);
});

test("a register that was offline says later what it sold before the last reception", async () => {
  const [one, other] = shop.tills;
  const goods = product();
  const early = sold([{ product: goods.id, quantity: 10, price: 3000 }], 20);
  await push(one, [productRecord(goods), moved(goods.id, 10, { quantity: 10, unit_cost: 1000 })]);
  await push(one, [moved(goods.id, 30, { quantity: 10, unit_cost: 2000 })]);
  expect(await unitCost(goods.id)).toBe(1500);
  const late = sold([{ product: goods.id, quantity: 1, price: 3000 }], 40);
  await push(one, late.records);
  expect((await costsOf(late.id)).cost).toBe(1500);
  await push(other, early.records);
  expect(await unitCost(goods.id)).toBe(2000);
  expect((await costsOf(early.id)).cost).toBe(10_000);
  expect((await costsOf(late.id)).products).toMatchObject([{ cost: 2000, first_cost: 1500 }]);
});

test("margin adds up the same by day, product, category, cashier, customer and sede; what has no cost is counted", async () => {
  const [till] = shop.tills;
  const [cheap, dear] = [product(), product()];
  const both = sold(
    [
      { product: cheap.id, quantity: 2, price: 1000 },
      { product: dear.id, quantity: 1, price: 500 },
    ],
    20,
  );
  await push(till, [
    ...[cheap, dear].map(productRecord),
    moved(cheap.id, 10, { quantity: 10, unit_cost: 400 }),
    ...both.records,
    broughtBack(both.id, both.items[0]!.id, 1, 30),
  ]);
  const expected = { lines: 2, net: 1500, cost: 400, margin: 600, unknown_lines: 1, unknown_net: 500, percent: 60 };
  for (const by of ["day", "product", "category", "cashier", "customer", "location"]) {
    // The second time what has ended is read as it was kept.
    for (let i = 0; i < 2; i++) expect((await margin(by)).totals, by).toMatchObject(expected);
  }
  expect((await margin("product")).rows).toMatchObject([
    { key: cheap.id, net: 1000, cost: 400, margin: 600 },
    { key: dear.id, net: 500, cost: 0, margin: 0, unknown_lines: 1 },
  ]);
  expect((await costsOf(both.id)).margin).toBe(600);
});

test("a late reception changes what was kept of ended days", async () => {
  const [till] = shop.tills;
  const one = product();
  await push(till, [productRecord(one), ...sold([{ product: one.id, quantity: 1, price: 900 }], 20).records]);
  expect((await margin("day")).totals).toMatchObject({ margin: 0, unknown_lines: 1 });
  await push(till, [moved(one.id, 30, { quantity: 5, unit_cost: 300 })]);
  expect((await margin("day")).totals).toMatchObject({ margin: 600, unknown_lines: 0 });
});

test("the stock of a past day is worth what it was then, also after something of that day arrives late", async () => {
  const [one, other] = shop.tills;
  const goods = product();
  const days = 1440;
  const value = async (n: number) =>
    (await shop.owner.get(`/reports/stock-value?day=${bogotaDate(new Date(minute(n)))}`)).body;
  await push(one, [productRecord(goods), moved(goods.id, 10, { quantity: 10, unit_cost: 1000 })]);
  await push(one, sold([{ product: goods.id, quantity: 4, price: 3000 }], 2 * days).records);
  await push(one, [moved(goods.id, 4 * days, { quantity: 6, unit_cost: 2000 })]);
  expect((await value(-days)).rows).toEqual([]);
  expect(await value(10)).toMatchObject({ value: 10_000, products: 1, unknown: 0 });
  expect((await value(3 * days)).value).toBe(6000);
  expect((await value(19 * days)).rows).toMatchObject([
    { product_id: goods.id, stock: 12, unit_cost: 1500, value: 18_000 },
  ]);
  await push(other, sold([{ product: goods.id, quantity: 6, price: 3000 }], 3 * days).records);
  expect((await value(2 * days)).value).toBe(6000);
  expect((await value(3 * days)).value).toBe(0);
  expect((await value(19 * days)).rows).toMatchObject([{ stock: 6, unit_cost: 2000, value: 12_000 }]);
});

test("costs are for whoever may see them, and files say what the page says", async () => {
  const [till] = shop.tills;
  const one = product();
  await push(till, [
    ...[productRecord(one), moved(one.id, 10, { quantity: 10, unit_cost: 1000 })],
    ...sold([{ product: one.id, quantity: 2, price: 3000 }], 20).records,
  ]);
  const today = bogotaDate(new Date());
  const file = await shop.owner.download(`/reports/margin.csv?by=product&from=${day(0)}&to=${today}`);
  expect(file.bytes.toString()).toContain("6000");
  expect(file.bytes.toString()).toContain("4000");
  const manager = await enterAs(service, shop.owner.business, "manager");
  for (const path of [`/reports/margin?by=day&from=${today}&to=${today}`, "/today/margin", `/products/${one.id}/cost`])
    expect((await manager.get(path)).status, path).toBe(403);
});

test("the bill says another cost than the reception: what was sold meanwhile costs that, and the entry stays as it was said", async () => {
  const [till] = shop.tills;
  const goods = product();
  const dear = moved(goods.id, 15, { quantity: 15, unit_cost: 2000 });
  const sale = sold([{ product: goods.id, quantity: 10, price: 3000 }], 20);
  await push(till, [
    ...[productRecord(goods), moved(goods.id, 10, { quantity: 100, unit_cost: 5 })],
    ...[dear, ...sale.records],
  ]);
  expect(await unitCost(goods.id)).toBe(265.2174);
  expect((await costsOf(sale.id)).cost).toBe(2652);
  const corrected = await shop.owner.put(`/movements/${dear.id}/cost`, { unit_cost: 5 });
  expect(corrected.body, corrected.text).toMatchObject({ before: 2000, after: 5 });
  expect(await unitCost(goods.id)).toBe(5);
  expect((await costsOf(sale.id)).products).toMatchObject([{ cost: 50, first_cost: 2652 }]);
  expect((await shop.owner.business.api.get(`/inventory/movements/${dear.id}`)).body.unit_cost).toBe(2000);
  const { steps } = (await shop.owner.get(`/products/${goods.id}/cost`)).body;
  expect(steps.map((step: { unit_cost: number }) => step.unit_cost)).toEqual([5, 5]);
  const outgoing = sale.records[1]!.id;
  expect((await shop.owner.put(`/movements/${outgoing}/cost`, { unit_cost: 5 })).status).toBe(400);
});
