import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { lineOf, withLine, withLineChange } from "../../register/ticket.ts";
import { readActs } from "../../src/business/counter/counter-acts.ts";
import { day } from "../../src/lib/clock.ts";
import { ago, atCounter, atCounters, bread, type Fields, now } from "../support/counter-shop.ts";
import { desks, upload as uploadAll } from "../support/desk.ts";
import { plainSale } from "../support/fiscal.ts";
import { verifiedService } from "../support/fixtures.ts";
import { remoteEdit, upload } from "../support/register.ts";

const service = verifiedService();
const { shop, rightsIn } = atCounters(service);
const { open } = desks();
type Shop = Awaited<ReturnType<typeof shop>>;

const by = <R extends object>(cashierId: string | null, record: R, authorizedBy?: string) => ({
  ...record,
  cashier_id: cashierId,
  ...(authorizedBy && { acts: [{ right: "price", cashier_id: cashierId, authorized_by: authorizedBy }] }),
});

/** So many of the product at a price. */
const line = ({ productId }: Shop, unit_price: number, quantity = 1) => ({
  ...{ id: randomUUID(), product_id: productId, variant_id: null, item_kind: "product", description: "Pan" },
  ...{ quantity, unit_price, subtotal: unit_price * quantity, tax_class: "excluded", taxes: [] },
});
const free = (description: string, unit_price: number) => ({
  ...{ id: randomUUID(), product_id: null, variant_id: null, item_kind: "custom", description },
  ...{ quantity: 1, unit_price, subtotal: unit_price, tax_class: "excluded", taxes: [] },
});
type Item = ReturnType<typeof line> | ReturnType<typeof free>;
const worth = (items: readonly Item[]) => items.reduce((sum, { subtotal }) => sum + subtotal, 0);

function quoteOf(items: readonly Item[], fields: Fields = {}) {
  const { discount = 0 } = fields as { discount?: number };
  const total = worth(items) - discount;
  const data = { prefix: "C-", number: 7, status: "sent", issued_at: now(), subtotal: worth(items), discount, total };
  return { type: "quote", id: randomUUID(), data: { ...data, items, ...fields } };
}
function saleOf(items: readonly Item[], fields: Fields = {}) {
  const { discount = 0 } = fields as { discount?: number };
  const total = worth(items) - discount;
  const { id, ...data } = upload(plainSale(now(), total, { subtotal: worth(items), ...fields }));
  const own = items.map((item) => ({ ...item, id: randomUUID(), unit_cost: null }));
  return { type: "sale", id, data: { ...data, items: own } };
}
const sold = (quote: { id: string }, sale: { id: string }) => ({
  ...{ type: "quote", id: quote.id, changed: ["status", "sale_id", "converted_at"] },
  data: { status: "converted", sale_id: sale.id, converted_at: now() },
});

async function acts({ accountId }: Shop) {
  const all = await readActs(service.deps.pool, accountId, { only: "unauthorized" }, 100);
  return all.map(({ kind, cashier, label, amount, detail }) => ({ kind, cashier, label, amount, detail }));
}

/** What a quote of somebody who may offers, sold by Ana as these items. */
async function sellQuoted(here: Shop, quote: ReturnType<typeof quoteOf>, sale: ReturnType<typeof saleOf>) {
  await here.till.push([by(here.luz, quote)]);
  const { body } = await here.till.push([by(here.ana, sale), sold(quote, sale)]);
  expect(body.results[0]).toMatchObject({ status: "applied" });
  return rightsIn(here.accountId, sale.id);
}

test("a sale of a quote is compared with what the quote offered: no more of it, and for no less", async () => {
  const here = await shop();
  const offer = () => quoteOf([line(here, 900, 2), free("Moler", 300)], { discount: 100 });
  const same = saleOf([line(here, 900, 2), free("Moler", 300)], { discount: 100 });
  expect(await sellQuoted(here, offer(), same)).toEqual([]);
  const beside = saleOf([line(here, 900, 2), line(here, 5_000)]);
  expect(await sellQuoted(here, offer(), beside)).toEqual([]);
  expect(await acts(here)).toEqual([]);

  const more = saleOf([line(here, 900, 5)]);
  expect(await sellQuoted(here, offer(), more)).toEqual([
    "Ana no podía cambiar precios. «Pan» se vendió a $900, en la cotización se ofreció a $900 y en el catálogo vale $5.000.",
  ]);
  const less = saleOf([line(here, 500)]);
  expect(await sellQuoted(here, offer(), less)).toEqual([
    "Ana no podía cambiar precios. «Pan» se vendió a $500, en la cotización se ofreció a $900 y en el catálogo vale $5.000.",
  ]);
  const cut = saleOf([line(here, 900, 2)], { discount: 300 });
  expect(await sellQuoted(here, offer(), cut)).toEqual(["Ana no podía hacer descuentos y nadie lo autorizó."]);
  const others = saleOf([line(here, 900, 2), free("Domicilio", 300)]);
  expect(await sellQuoted(here, offer(), others)).toEqual(["Ana no podía vender líneas libres y nadie lo autorizó."]);
  // Three of five were never offered; 200 of 300 were not.
  expect((await acts(here)).map(({ kind, amount }) => [kind, amount]).reverse()).toEqual(
    expect.arrayContaining([
      ["price", 12_300],
      ["price", 4_500],
      ["discount", 200],
      ["free_line", null],
    ]),
  );
});

test("a quote that had expired or was turned down excuses nothing, unless somebody who may gave its prices anew", async () => {
  const here = await shop();
  const expired = () => quoteOf([line(here, 900)], { expires_at: ago(day) });
  expect(await sellQuoted(here, expired(), saleOf([line(here, 900)]))).toHaveLength(1);
  expect(
    await sellQuoted(here, quoteOf([line(here, 900)], { status: "rejected" }), saleOf([line(here, 900)])),
  ).toHaveLength(1);
  const accepted = quoteOf([line(here, 900)], { expires_at: ago(day), status: "accepted", accepted_at: ago(2 * day) });
  expect(await sellQuoted(here, accepted, saleOf([line(here, 900)]))).toEqual([]);
  const [quote, sale] = [expired(), saleOf([line(here, 900)])];
  await here.till.push([by(here.luz, quote)]);
  await here.till.push([by(here.ana, sale, here.luz), sold(quote, sale)]);
  expect(await rightsIn(here.accountId, sale.id)).toEqual([]);
});

test("a sale of a quote that is uploaded again, to cancel it, blames nobody for what was offered", async () => {
  const here = await shop();
  const [quote, sale] = [
    quoteOf([line(here, 900), free("Moler", 300)], { discount: 100 }),
    saleOf([line(here, 900), free("Moler", 300)], { discount: 100 }),
  ];
  expect(await sellQuoted(here, quote, sale)).toEqual([]);
  const cancelled = { ...by(here.ana, sale), data: { ...sale.data, status: "cancelled" } };
  const beside = { acts: [{ right: "cancel", cashier_id: here.luz, authorized_by: null }], edited_at: now() };
  await here.till.push([{ ...cancelled, ...beside }]);
  expect(await rightsIn(here.accountId, sale.id)).toEqual([]);
  expect(await acts(here)).toEqual([]);
});

test("what a quote changed itself is judged at the quote, once, and again when it offers something else", async () => {
  const here = await shop();
  const { till, ana, luz } = here;
  await till.push([by(luz, quoteOf([line(here, 900)], { discount: 100 })), by(ana, quoteOf([line(here, 900)]), luz)]);
  await till.push([by(ana, quoteOf([line(here, 5_000)])), by(ana, quoteOf([line(here, 6_000)]))]);
  expect(await acts(here)).toEqual([]);
  const quote = quoteOf([line(here, 900, 2), free("Moler", 300)], { discount: 100 });
  for (let i = 0; i < 2; i++) await till.push([by(ana, quote)]);
  const label = "Cotización C-7";
  const told = [
    {
      kind: "discount",
      cashier: "Ana",
      label,
      amount: 100,
      detail: "Ana no podía hacer descuentos y nadie lo autorizó.",
    },
    {
      kind: "free_line",
      cashier: "Ana",
      label,
      amount: null,
      detail: "Ana no podía vender líneas libres y nadie lo autorizó.",
    },
    {
      ...{ kind: "price", cashier: "Ana", label, amount: 8_200 },
      detail: "Ana no podía cambiar precios. «Pan» se cotizó a $900 y en el catálogo vale $5.000.",
    },
  ];
  const sorted = async () => (await acts(here)).sort((a, b) => (a.kind < b.kind ? -1 : 1));
  expect(await sorted()).toEqual(told);
  // Selling it as it was offered is no act of its own; offering it for less is.
  const sale = saleOf([line(here, 900, 2), free("Moler", 300)], { discount: 100 });
  await till.push([by(ana, sale), sold(quote, sale)]);
  expect(await rightsIn(here.accountId, sale.id)).toEqual([]);
  expect(await acts(here)).toHaveLength(3);
  const cheaper = quoteOf([line(here, 800)]);
  await till.push([by(luz, quoteOf([line(here, 4_000)], {})), by(null, cheaper)]);
  expect((await acts(here)).filter(({ cashier }) => cashier === null)).toMatchObject([
    { kind: "price", detail: "«Pan» se cotizó a $800 y en el catálogo vale $5.000." },
  ]);
});

test("a price that a register changes in the catalogue takes the right to change prices", async () => {
  const here = await shop();
  const { till, productId, ana, luz } = here;
  const product = (fields: Fields) => ({
    type: "product",
    id: productId,
    data: { ...bread, ...fields },
    edited_at: now(),
  });
  const price = (pesos: number) => ({ base_price: pesos, final_price: pesos });
  await till.push([by(luz, product(price(5_500)))]);
  await till.push([by(luz, product({ ...price(5_500), name: "Pan de yuca" }))]);
  await till.push([by(ana, product({ ...price(5_600), name: "Pan de yuca" }), luz)]);
  expect(await acts(here)).toEqual([]);
  for (let i = 0; i < 2; i++) await till.push([by(ana, product({ ...price(900), name: "Pan de yuca" }))]);
  expect(await acts(here)).toEqual([
    {
      ...{ kind: "price", cashier: "Ana", label: "Pan de yuca", amount: 4_700 },
      detail: "Ana no podía cambiar precios y nadie lo autorizó. «Pan de yuca» pasó de $5.600 a $900 en el catálogo.",
    },
  ]);
  await till.push([product({ ...price(1_000), name: "Pan de yuca" })]);
  expect((await acts(here)).filter(({ cashier }) => cashier === null)).toMatchObject([
    {
      kind: "price",
      detail: "La caja no dijo quién lo hizo: cambiar precios. «Pan de yuca» pasó de $900 a $1.000 en el catálogo.",
    },
  ]);
  // Registers that tell no acts change prices as ever.
  const former = await shop({}, [remoteEdit]);
  await former.till.push([
    { type: "product", id: former.productId, data: { ...bread, ...price(1) }, edited_at: now() },
  ]);
  expect(await acts(former)).toEqual([]);
});

test("an offline register that quotes and sells in one push is judged at the quote alone", async () => {
  const here = await shop({}, atCounter);
  const [quote, sale] = [quoteOf([line(here, 900)]), saleOf([line(here, 900)])];
  await here.till.push([by(here.ana, quote), by(here.ana, sale), sold(quote, sale)]);
  expect(await rightsIn(here.accountId, sale.id)).toEqual([]);
  expect((await acts(here)).map(({ label }) => label)).toEqual(["Cotización C-7"]);
});

test("Caja says who quoted, and what a supervisor allowed of it stands among the acts with both names", async () => {
  const here = await shop({}, atCounter, ago(day));
  const desk = await open("files", service, here.accountId);
  const { counter } = desk;
  expect(await counter.signIn(here.ana, "4821")).toBe(true);
  const luz = counter.state().cashiers.find(({ id }) => id === here.luz)!;
  const [product] = desk.register.catalog.search("pan");
  const sold = lineOf(randomUUID(), product!, 2);
  counter.edit((ticket) => withLine(ticket, sold));
  const permit = { right: "price", by: luz } as const;
  counter.edit((ticket) => withLineChange(ticket, sold.id, { price: 900 }), [permit]);
  await desk.quotes.make({ days: 3, notes: null });
  await uploadAll(desk);
  const [told, ...others] = await readActs(service.deps.pool, here.accountId, {}, 10);
  expect(others).toEqual([]);
  expect(told).toMatchObject({ kind: "price", cashier: "Ana", authorized_by: "Luz", is_allowed: true, amount: 8_200 });
  expect(told!.label).toMatch(/^Cotización .*-1$/);
  desk.store.close();
});
