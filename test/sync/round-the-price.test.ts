import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { readActs } from "../../src/business/counter/counter-acts.ts";
import { ago, atCounters, bread, type Fields, hourMs, now } from "../support/counter-shop.ts";
import { plainSale } from "../support/fiscal.ts";
import { verifiedService } from "../support/fixtures.ts";
import { upload } from "../support/register.ts";

const service = verifiedService();
const { shop, sellAt, rightsIn } = atCounters(service);
type Shop = Awaited<ReturnType<typeof shop>>;

/** Acts of this kind, with who, who allowed it, how much, and what is said of it. */
async function acts({ accountId }: Shop, kind: string) {
  const all = await readActs(service.deps.pool, accountId, {}, 100);
  return kind === "all" ? all : all.filter((one) => one.kind === kind);
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
    "Ana no podía cambiar precios. «Pan» se vendió a $1 y en el catálogo vale $5.000.",
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
    "Ana no podía cambiar precios. «Pan» se vendió en 0,001, y se vende por unidades completas de $5.000.",
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

/** A sale, as it is uploaded first and then once more: the same id, and what is said of it anew. */
async function soldTwice(here: Shop, first: Fields, second: Fields, beside: object = { cashier_id: here.ana }) {
  const sale = upload(plainSale(now(), 5_000));
  const put = (fields: Fields) =>
    here.till.put("sale", { ...sale, ...fields }, { id: sale.id, edited_at: now(), ...beside });
  await put(first);
  const before = await acts(here, "all");
  await put(second);
  const news = (await acts(here, "all")).filter(({ id }) => !before.some((one) => one.id === id));
  return { id: sale.id, put, news, findings: await rightsIn(here.accountId, sale.id) };
}

const lineId = randomUUID();
const line = (product_id: string | null, quantity: number, unit_price: number, fields: Fields = {}) => ({
  ...{ object: "sale_item", id: randomUUID(), product_id, variant_id: null, item_kind: "product", description: "Pan" },
  ...{ quantity, unit_price, subtotal: quantity * unit_price, unit_cost: null, tax_class: "excluded", taxes: null },
  ...fields,
});

const totals = (items: { subtotal: number }[], fields: Fields = {}) => {
  const total = items.reduce((sum, { subtotal }) => sum + subtotal, 0);
  return { items, subtotal: total, total, ...fields };
};

test.each([
  [
    "left open and then charged with its line for less",
    "open",
    (id: string) => [line(id, 5, 5_000, { id: lineId })],
    5,
    20_000,
  ],
  [
    "charged and then given one more line",
    "completed",
    (id: string) => [line(id, 1, 5_000, { id: lineId })],
    4,
    16_000,
  ],
])("a sale %s is judged by what is new in it", async (_, status, items, many, amount) => {
  const here = await shop();
  const first = items(here.productId);
  const cheap = line(here.productId, many, 1_000, status === "open" ? { id: lineId } : {});
  const second = status === "open" ? [cheap] : [...first, cheap];
  const { news, findings, put, id } = await soldTwice(
    here,
    totals(first, { status }),
    totals(second, { status: "completed" }),
  );
  const message = "Ana no podía cambiar precios. «Pan» se vendió a $1.000 y en el catálogo vale $5.000.";
  expect(findings).toEqual([message]);
  expect(news.map(({ kind, amount, detail }) => [kind, amount, detail])).toContainEqual(["price", amount, message]);
  // The same once more says nothing new, and what was found stays with its line.
  await put(totals(second, { status: "completed", notes: "otra vez" }));
  expect(await acts(here, "price")).toHaveLength(1);
  expect(await rightsIn(here.accountId, id)).toEqual([message]);
});

test("other goods at the same total are judged by what they cost, and what is of no product as a free line", async () => {
  const here = await shop();
  const dear = randomUUID();
  await here.till.put(
    "product",
    { ...bread, name: "Lomo", sku: "L", base_price: 60_000, final_price: 60_000 },
    { id: dear },
  );
  const bread12 = [line(here.productId, 12, 5_000)];
  const swapped = await soldTwice(here, totals(bread12), totals([line(dear, 30, 2_000)]));
  expect(swapped.findings).toEqual([
    "Ana no podía anular ventas y nadie lo autorizó.",
    "Ana no podía cambiar precios. «Lomo» se vendió a $2.000 y en el catálogo vale $60.000.",
  ]);
  const free = await soldTwice(
    here,
    totals(bread12, { status: "open" }),
    totals([line(randomUUID(), 5, 1_000, { description: "Lomo" })], { status: "completed" }),
  );
  expect(free.findings).toEqual([
    "Ana no podía vender líneas libres. Por $5.000 se cobró lo que no está en el catálogo: «Lomo».",
  ]);
  expect(free.news).toMatchObject([{ kind: "free_line", amount: 5_000 }]);
});

test("a discount that a later upload makes greater is told as much as it is greater, of somebody and of nobody", async () => {
  const here = await shop();
  const items = [line(here.productId, 10, 5_000)];
  const given = (discount: number) => totals(items, { status: "open", discount, total: 50_000 - discount });
  const hers = await soldTwice(here, given(0), { ...given(40_000), status: "completed" });
  expect(hers.news).toMatchObject([{ kind: "discount", cashier: "Ana", amount: 40_000 }]);
  await hers.put({ ...given(40_000), status: "completed", notes: "otra vez" });
  expect(await acts(here, "discount")).toHaveLength(1);
  const nobodys = await soldTwice(here, given(500), { ...given(40_500), status: "completed" }, {});
  expect(nobodys.news).toMatchObject([{ kind: "discount", cashier: null, amount: 40_000 }]);
});

test("an honest register that uploads a ticket open and then charged is told nothing, nor twice what it was told", async () => {
  const here = await shop();
  const items = [line(here.productId, 2, 5_000)];
  const honest = await soldTwice(here, totals(items, { status: "open" }), totals(items, { status: "completed" }));
  expect([honest.news, honest.findings]).toEqual([[], []]);
  const more = await soldTwice(
    here,
    totals(items, { status: "open" }),
    totals([...items, line(here.productId, 1, 5_000)], { status: "completed" }),
  );
  expect([more.news, more.findings]).toEqual([[], []]);
  const cheap = [line(here.productId, 2, 1_000)];
  const told = await soldTwice(here, totals(cheap, { status: "open" }), totals(cheap, { status: "completed" }));
  expect(told.news).toEqual([]);
  const declared = { cashier_id: here.ana, acts: [{ right: "price", cashier_id: here.ana, authorized_by: here.luz }] };
  const allowed = await soldTwice(here, totals(items, { status: "open" }), totals(cheap), declared);
  expect(allowed.findings).toEqual([]);
  expect(allowed.news).toMatchObject([{ kind: "price", authorized_by: "Luz", amount: 8_000 }]);
  // The price went up while the ticket waited.
  const waiting = upload(plainSale(now(), 10_000));
  const put = (status: string) =>
    here.till.put(
      "sale",
      { ...waiting, ...totals(items, { status }) },
      { id: waiting.id, ...{ cashier_id: here.ana } },
    );
  await put("open");
  await here.till.put("product", { ...bread, base_price: 9_000, final_price: 9_000 }, { id: here.productId });
  await put("completed");
  expect(await rightsIn(here.accountId, waiting.id)).toEqual([]);
});
