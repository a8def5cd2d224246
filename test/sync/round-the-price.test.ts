import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { readActs } from "../../src/business/counter/counter-acts.ts";
import { ago, atCounters, bread, type Fields, hourMs, now } from "../support/counter-shop.ts";
import { verifiedService } from "../support/fixtures.ts";

const service = verifiedService();
const { shop, sellAt, rightsIn } = atCounters(service);
type Shop = Awaited<ReturnType<typeof shop>>;

/** Acts of this kind, with who, who allowed it, how much, and what is said of it. */
async function acts({ accountId }: Shop, kind: string) {
  const all = await readActs(service.deps.pool, accountId, {}, 100);
  return all.filter((one) => one.kind === kind);
}

async function change({ till, productId, ana }: Shop, fields: Fields): Promise<void> {
  const made = { ...bread, ...fields };
  await till.put("product", made, { id: productId, edited_at: now(), ...({ cashier_id: ana } as object) });
}

test.each([
  [1, 1, "«Pan» se puede vender ahora por $1: código 770."],
  [1_000, 5, "«Pan» se puede vender ahora por $5 las 1.000 unidades: código 770."],
])("a code for %d units at $%d, added by somebody who may not give prices, is told", async (units, price, what) => {
  const here = await shop();
  await change(here, { barcodes: [{ code: "770", units, name: null, price, variant_id: null }] });
  expect((await acts(here, "price")).map(({ detail }) => detail)).toEqual([
    `Ana no podía cambiar precios y nadie lo autorizó. ${what}`,
  ]);
});

test("a variant that is added is one more price too; a code without a price is none", async () => {
  const here = await shop();
  await change(here, { barcodes: [{ code: "771", units: 1, name: null, price: null, variant_id: null }] });
  expect(await acts(here, "price")).toEqual([]);
  const mini = { id: randomUUID(), label: "Mini", sku: null, base_price: 1, final_price: 1, active: true };
  await change(here, { variants: [mini] });
  expect(await acts(here, "price")).toMatchObject([{ cashier: "Ana", amount: 4_999, is_allowed: false }]);
});

test.each([
  [{ active: false }, "dejó de venderse"],
  [{ sold_by_weight: true }, "se vende ahora por peso"],
])("a product that becomes %j at a register is told", async (fields, what) => {
  const here = await shop();
  await change(here, fields);
  expect((await acts(here, "product_created")).map(({ detail }) => detail)).toEqual([
    `Ana no podía crear o cambiar productos en la caja y nadie lo autorizó. «Pan» ${what}.`,
  ]);
});

test.each([
  [0, 1, 0],
  [0, 20, 0],
])("a made-up tax of %d on each (base %d, amount %d) hides no low price", async (per_unit, base, amount) => {
  const here = await shop();
  const taxes = [{ code: "22", rate: null, per_unit, base, amount }];
  const id = await sellAt(here, 1, { beside: { cashier_id: here.ana }, line: { taxes } });
  expect(await rightsIn(here.accountId, id)).toContain(
    "Ana no podía cambiar precios. «Pan» se vendió a $1 y en el catálogo vale $5000.",
  );
});

test("a plastic bag costs its price and its tax, and blames nobody", async () => {
  const here = await shop({ tax_class: "bag", base_price: 100, final_price: 170 });
  const taxes = [{ code: "22", rate: null, per_unit: 70, base: 1, amount: 70 }];
  const id = await sellAt(here, 100, { beside: { cashier_id: here.ana }, line: { taxes } });
  expect(await rightsIn(here.accountId, id)).toEqual([]);
});

test("a part of what is sold by the piece is told, of what is weighed not", async () => {
  const [piece, weighed] = [await shop(), await shop({ sold_by_weight: true, base_unit: "kg" })];
  const part = { quantity: 0.001, beside: { cashier_id: piece.ana } };
  expect(await rightsIn(piece.accountId, await sellAt(piece, 5_000, part))).toEqual([
    "Ana no podía cambiar precios. «Pan» se vendió en 0,001, y se vende por unidades completas de $5000.",
  ]);
  const half = { quantity: 0.5, beside: { cashier_id: weighed.ana } };
  expect(await rightsIn(weighed.accountId, await sellAt(weighed, 5_000, half))).toEqual([]);
});

test("whoever is said to have allowed a discount of nothing allowed what is below the price, and that is told", async () => {
  const here = await shop();
  const { ana, luz } = here;
  const allowed = { cashier_id: ana, acts: [{ right: "discount", cashier_id: ana, authorized_by: luz }] };
  await sellAt(here, 1, { beside: allowed });
  const asHers = { cashier_id: ana, acts: [{ right: "discount", cashier_id: luz, authorized_by: null }] };
  await sellAt(here, 1, { beside: asHers });
  expect((await acts(here, "discount")).map(({ amount }) => amount)).toEqual([4_999, 4_999]);
});

test.each([
  ["of nothing", { amount: 0 }, 2],
  ["of a year ago", { occurred_at: ago(353 * 24 * hourMs) }, 2],
  ["as it was", {}, 1],
])("an act %s says what it says, and what was taken is told beside it", async (_, told, count) => {
  const here = await shop();
  const { ana, luz, till } = here;
  const beside = { cashier_id: ana, acts: [{ right: "discount", cashier_id: ana, authorized_by: luz }] };
  const at = now();
  const sale_id = await sellAt(here, 5_000, { at, beside, fields: { discount: 1_777, total: 3_223 } });
  const act = { kind: "discount", occurred_at: at, cashier_id: ana, authorized_by: luz, sale_id, amount: 1_777 };
  await till.put("counter_act", { ...act, ...told });
  const all = await acts(here, "discount");
  expect(all).toHaveLength(count);
  expect(all.map(({ amount, occurred_at }) => [amount, new Date(occurred_at).toISOString()])).toContainEqual([
    1_777,
    at,
  ]);
});
