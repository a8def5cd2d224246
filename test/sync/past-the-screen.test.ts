import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { lineOf, withLine } from "../../register/ticket.ts";
import { sql } from "../../src/db/sql.ts";
import { day, minute } from "../../src/lib/clock.ts";
import { atCounter, atCounters, bread } from "../support/counter-shop.ts";
import { desks, receive, upload as uploadAll } from "../support/desk.ts";
import { advance, plainSale } from "../support/fiscal.ts";
import { verifiedService } from "../support/fixtures.ts";
import { cashSessionBody } from "../support/records.ts";
import { type Till, upload } from "../support/register.ts";

const service = verifiedService();
const { shop, rightsIn, toldOf } = atCounters(service);
const { open } = desks();

type Shop = Awaited<ReturnType<typeof shop>>;

const ago = (ms: number) => new Date(service.deps.clock.now().getTime() - ms).toISOString();

/** Its register was in touch two minutes ago, and all that the tests do happens now. */
async function warmShop(): Promise<Shop> {
  const here = await shop();
  advance(service, 2 * minute);
  return here;
}

/** A sale at a price without what it takes out of the stock. */
function saleOf({ productId }: Shop, price: number, at = ago(0)) {
  const { id, ...sale } = upload(plainSale(at, price));
  const items = sale.items.map((item) => ({ ...item, product_id: productId, item_kind: "product" }));
  return { type: "sale", id, data: { ...sale, items } };
}

const cheap = (who: string) => [
  `${who} no podía cambiar precios. «Pan» se vendió a $100 y en el catálogo vale $5.000.`,
];

/** The record, and who made it. */
const by = <R extends object>(cashierId: string, record: R) => ({ ...record, cashier_id: cashierId });

test("a price below the catalogue's is compared without the stock movement, which may come later or never", async () => {
  const here = await warmShop();
  const sale = saleOf(here, 100);
  await here.till.push([by(here.ana, sale)]);
  expect(await rightsIn(here.accountId, sale.id)).toEqual(cheap("Ana"));
  expect(await toldOf(here.accountId)).toMatchObject([{ kind: "price", sale_id: sale.id, amount: 4_900 }]);
});

test("a register that told of acts is judged as one, whatever it leaves out, and the owner is told that it does", async () => {
  const here = await warmShop();
  const silent = { capabilities: atCounter.filter((one) => one !== "counter_act.1") };
  const sales = [saleOf(here, 100), saleOf(here, 100)];
  for (const sale of sales) {
    await here.till.push([by(here.ana, sale)], silent);
    expect(await rightsIn(here.accountId, sale.id)).toEqual(cheap("Ana"));
  }
  await here.till.pull("", { "register-capabilities": "business.down.1" });
  const after = saleOf(here, 100);
  await here.till.push([by(here.ana, after)]);
  expect(await rightsIn(here.accountId, after.id)).toEqual(cheap("Ana"));
  expect(await findingsOf(here)).toEqual(["La caja «Caja 1» decía quién hace cada cosa y dejó de anunciarlo."]);
});

test.each([
  ["eight days ago, and edited now", 8 * day, 0],
  ["eight days ago, and edited then", 8 * day, 8 * day],
])("a sale that says it was made %s is judged as made after what its register had said", async (_, sold, edited) => {
  const here = await warmShop();
  const sale = saleOf(here, 100, ago(sold));
  await here.till.push([by(here.ana, saleOf(here, 5_000)), by(here.ana, { ...sale, edited_at: ago(edited) })]);
  expect(await rightsIn(here.accountId, sale.id)).toEqual(cheap("Ana"));
});

test("what is judged has no bound: sixty movements of old times hide no sale", async () => {
  const here = await warmShop();
  const sale = saleOf(here, 100);
  const decoys = Array.from({ length: 60 }, (_, i) => ({
    type: "stock_movement",
    edited_at: ago(20 * day + i * 1000),
    data: { product_id: here.productId, type: "adjustment", quantity: 1 },
  }));
  const { body } = await here.till.push([...decoys, by(here.ana, sale)]);
  expect(body.results).toHaveLength(61);
  expect(await rightsIn(here.accountId, sale.id)).toEqual(cheap("Ana"));
});

test("a cancellation, a return and a discount that say they were made before somebody's rights changed are judged all the same", async () => {
  const here = await warmShop();
  const { accountId, till, ana, luz } = here;
  await service.deps.pool.query(sql`
    update cashiers set updated_at = ${ago(30 * minute)} where account_id = ${accountId}`);
  const [sold, partly] = [saleOf(here, 5_000), saleOf(here, 5_000)];
  await till.push([by(luz, sold), by(luz, partly)]);
  const cancelled = { ...sold, data: { ...sold.data, status: "cancelled" }, edited_at: ago(day) };
  const line = { item_id: partly.data.items[0]!.id, quantity: 1 };
  const returned = {
    ...{ type: "return", id: randomUUID(), edited_at: ago(day) },
    data: { sale_id: partly.id, lines: [line], payment_method: "CASH", occurred_at: ago(day), total: 5_000 },
  };
  const given = saleOf(here, 5_000, ago(40 * minute));
  const discounted = { ...given, data: { ...given.data, discount: 500, total: 4_500 } };
  await till.push([by(ana, cancelled), by(ana, returned), by(ana, discounted)]);
  expect(await rightsIn(accountId, sold.id)).toEqual(["Ana no podía anular ventas y nadie lo autorizó."]);
  expect(await rightsIn(accountId, returned.id)).toEqual(["Ana no podía recibir devoluciones y nadie lo autorizó."]);
  expect(await rightsIn(accountId, given.id)).toEqual(["Ana no podía hacer descuentos y nadie lo autorizó."]);
});

test("a register that was away for a day is judged by when it says it did things, however many pushes it takes", async () => {
  const here = await shop({}, atCounter, ago(2 * day));
  const { accountId, till, ana } = here;
  await service.deps.pool.query(sql`update cashiers set updated_at = ${ago(minute)} where account_id = ${accountId}`);
  // An hour apart, while her rights were others.
  for (const hours of [6, 5, 4]) {
    const at = ago(hours * 60 * minute);
    const sale = saleOf(here, 5_000, at);
    const discounted = { ...sale, data: { ...sale.data, discount: 500, total: 4_500 }, edited_at: at };
    await till.push([by(ana, discounted)]);
    expect(await rightsIn(accountId, sale.id)).toEqual([]);
  }
});

test("a register that says another year in a push is judged by now, and the owner is told until somebody looks", async () => {
  const here = await warmShop();
  const { accountId, till, ana } = here;
  const far = { sent_at: ago(-365 * day) };
  const sale = saleOf(here, 100);
  await push(till, [by(ana, { ...sale, edited_at: ago(0) })], far);
  expect(await rightsIn(accountId, sale.id)).toEqual(cheap("Ana"));
  await push(till, [by(ana, saleOf(here, 5_000))]);
  expect(await findingsOf(here)).toEqual([
    expect.stringMatching(/^La caja «Caja 1» tiene mal la hora: el .* decía que era el .*\.$/),
  ]);
});

const conflictsOf = async ({ owner, till }: Shop) => (await owner.get(`/devices/${till.deviceId}/conflicts`)).body.data;

test.each(["open", "pending", "otra cosa"])(
  "a charged sale that is uploaded as %s is a cancellation: judged, told, and its document disagrees",
  async (status) => {
    const here = await warmShop();
    const { accountId, till, ana, luz, owner } = here;
    const sale = saleOf(here, 5_000);
    await push(till, [by(luz, sale)]);
    await push(till, [by(ana, { ...sale, data: { ...sale.data, status } })]);
    expect(await rightsIn(accountId, sale.id)).toEqual(["Ana no podía anular ventas y nadie lo autorizó."]);
    expect(await toldOf(accountId)).toMatchObject([{ kind: "sale_cancelled", sale_id: sale.id, amount: 5_000 }]);
    const left = "Una venta cobrada de $5.000 dejó de contar sin que se anulara.";
    expect(await findingsOf(here)).toEqual([left]);
    expect(await conflictsOf(here)).toMatchObject([{ lost: { status: "completed", total: 5_000 }, kept: { status } }]);
    // Charged again for less, it is not forgotten.
    const less = saleOf(here, 1_000);
    await push(till, [by(luz, { ...less, id: sale.id })]);
    expect((await owner.get("/findings")).body.data.map((one: { message: string }) => one.message)).toContain(left);
  },
);

test("a charged sale that is uploaded with less is told and what it was is kept, whoever did it", async () => {
  const here = await warmShop();
  const { accountId, till, ana, luz } = here;
  const [much, little, same] = [saleOf(here, 100_000), saleOf(here, 10_000), saleOf(here, 5_000)];
  await push(till, [by(luz, much), by(luz, same)]);
  await push(till, [
    by(ana, { ...little, id: much.id }),
    by(luz, { ...same, data: { ...same.data, notes: "Mesa 3" } }),
  ]);
  expect(await rightsIn(accountId, much.id)).toEqual(["Ana no podía anular ventas y nadie lo autorizó."]);
  expect(await toldOf(accountId)).toMatchObject([{ kind: "sale_cancelled", sale_id: much.id, amount: 90_000 }]);
  expect(await findingsOf(here)).toEqual(["Una venta cobrada de $100.000 quedó en $10.000."]);
  expect(await conflictsOf(here)).toMatchObject([{ lost: { total: 100_000 }, kept: { total: 10_000 } }]);
});

test("two changes of a sale in one push, less and back, are told too", async () => {
  const here = await warmShop();
  const sale = saleOf(here, 100_000);
  const { luz, till } = here;
  await push(till, [by(luz, sale), by(luz, { ...saleOf(here, 10_000), id: sale.id }), by(luz, sale)]);
  expect(await findingsOf(here)).toEqual(["Una venta cobrada de $100.000 quedó en $10.000."]);
  expect(await toldOf(here.accountId)).toEqual([]);
});

/** An open shift of the till, as it uploads it. */
function shiftOf(fields: object = {}) {
  const { id, ...data } = upload(cashSessionBody(ago(0), fields));
  return { type: "cash_session", id, data };
}

const closedWith = <R extends { data: object }>(shift: R, fields: object) => ({
  ...shift,
  data: { ...shift.data, status: "closed", closed_at: ago(0), ...fields },
});

/** Two sales of a shift in cash. */
const soldIn = (here: Shop, shiftId: string) =>
  [500_000, 300_000].map((total) => {
    const sale = saleOf(here, total);
    return by(here.luz, { ...sale, data: { ...sale.data, cash_session_id: shiftId, payment_method: "CASH" } });
  });

test("a shift that closes with less cash than its sales brought is told, and one that says what they brought is not", async () => {
  const here = await warmShop();
  const { till, luz, accountId, owner } = here;
  const [short, right] = [shiftOf(), shiftOf()];
  await push(till, [by(luz, short), by(luz, right), ...soldIn(here, short.id), ...soldIn(here, right.id)]);
  const sums = { cash_sales: 800_000, expected_amount: 900_000, counted_amount: 900_000, difference: 0 };
  await push(till, [by(luz, closedWith(right, sums))]);
  expect([await findingsOf(here), await toldOf(accountId)]).toEqual([[], []]);
  await push(till, [by(luz, closedWith(short, { counted_amount: 100_000, difference: 0 }))]);
  const message =
    "La caja cerró el turno con $0 de ventas en efectivo, y las que subió suman $800.000: faltan $800.000.";
  expect(await findingsOf(here)).toEqual([message]);
  expect(await toldOf(accountId)).toMatchObject([{ kind: "shift_closed", amount: 800_000 }]);
  expect((await owner.get("/attention")).body.data).toEqual(
    expect.arrayContaining([expect.objectContaining({ kind: "finding", message })]),
  );
  // The list of shifts says no more that it agrees, also after somebody has looked.
  const disagreeing = async () => (await owner.get(`/cash-sessions/sums?ids=${short.id},${right.id}`)).body.disagreeing;
  expect(await disagreeing()).toEqual([short.id]);
  const [open] = (await owner.get("/findings")).body.data;
  await owner.post(`/findings/${open.id}/close`, { reason: "Ya se contó" });
  expect(await disagreeing()).toEqual([short.id]);
});

test("money that moved and is uploaded as another sum is told, and a shift that is closed again with other figures is told with both", async () => {
  const here = await warmShop();
  const { till, luz, accountId, owner } = here;
  const [id, other] = [randomUUID(), randomUUID()];
  const out = { id, type: "out", amount: 40_000, reason: "Pago", created_by: "Luz", occurred_at: ago(0) };
  const shift = shiftOf({ movements: [out], cash_out: 40_000, expected_amount: 60_000 });
  await push(till, [by(luz, shift)]);
  const again = { ...shift.data, movements: [{ ...out, amount: 1, reason: "Pago al proveedor" }] };
  await push(till, [by(luz, { ...shift, data: { ...again, cash_out: 1, expected_amount: 99_999 } })]);
  const stored = async () => (await owner.get(`/records/cash-sessions/${shift.id}`)).body;
  expect((await stored()).movements).toMatchObject([{ id, amount: 1, reason: "Pago al proveedor" }]);
  const rewritten = "Un movimiento del cajón era de $40.000 y la caja lo volvió a subir con $1.";
  expect(await findingsOf(here)).toEqual([rewritten]);
  const closed = closedWith(
    { ...shift, data: { ...again, cash_out: 1 } },
    { counted_amount: 50_000, difference: -10_000 },
  );
  await push(till, [by(luz, closed)]);
  const base = { opening_amount: 90_000, expected_amount: 50_000, difference: 0 };
  await push(till, [by(luz, { ...closed, data: { ...closed.data, ...base } })]);
  expect(await stored()).toMatchObject({ opening_amount: 90_000, difference: 0 });
  expect((await findingsOf(here)).sort()).toEqual([
    "El turno ya estaba cerrado y la caja lo volvió a subir con otras cifras: la diferencia era de $-10.000 y ahora dice $0.",
    "La caja dice que en el turno debe haber $50.000, y de su base, sus ventas y sus movimientos resultan $89.999.",
  ]);
  const lost = (await conflictsOf(here)).map((one: { lost: unknown }) => one.lost);
  expect(lost).toEqual(
    expect.arrayContaining([{ type: "out", amount: 40_000 }, expect.objectContaining({ opening_amount: 100_000 })]),
  );
  expect((await toldOf(accountId)).map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(["cash_moved", "shift_closed"]),
  );
  // The same close once more is nothing new, and further movements are added.
  await till.push([by(luz, { ...closed, data: { ...closed.data, ...base } })]);
  await push(till, [
    by(luz, { ...closed, data: { ...closed.data, ...base, movements: [{ ...out, id: other, amount: 5 }] } }),
  ]);
  expect((await stored()).movements).toHaveLength(2);
});

test("a sale that enters a shift which was closed is told, and one that came with the close is not", async () => {
  const here = await warmShop();
  const { till, luz, accountId } = here;
  const shift = shiftOf();
  const inShift = () => {
    const sale = saleOf(here, 5_000);
    return by(luz, { ...sale, data: { ...sale.data, cash_session_id: shift.id } });
  };
  const sums = { cash_sales: 5_000, expected_amount: 105_000, counted_amount: 105_000, difference: 0 };
  await push(till, [by(luz, shift), inShift(), by(luz, closedWith(shift, sums))]);
  expect(await findingsOf(here)).toEqual([]);
  const late = inShift();
  await push(till, [late]);
  expect(await findingsOf(here)).toEqual([
    "Una venta de $5.000 entró en un turno que ya estaba cerrado: su cierre no la tiene.",
  ]);
  expect(await toldOf(accountId)).toMatchObject([{ kind: "shift_closed", sale_id: late.id, amount: 5_000 }]);
});

test("who is said to have allowed it and may not, or is nobody, keeps nothing out of the owner's day", async () => {
  const here = await warmShop();
  const { till, ana, accountId, owner } = here;
  const sales = [randomUUID(), ana].map((authorized_by) => {
    const sale = saleOf(here, 5_000);
    const acts = [{ right: "discount", cashier_id: ana, authorized_by }];
    return by(ana, { ...sale, data: { ...sale.data, discount: 500, total: 4_500 }, ...{ acts } });
  });
  await push(till, sales);
  expect(await toldOf(accountId)).toMatchObject([{ kind: "discount" }, { kind: "discount" }]);
  expect((await owner.get("/attention")).body.data).toEqual(
    expect.arrayContaining([expect.objectContaining({ kind: "acts_unauthorized", count: 2 })]),
  );
});

test("Caja says so where a price went up while a ticket waited, and nothing is told of somebody who may", async () => {
  const here = await warmShop();
  const { accountId, till, productId, luz } = here;
  const desk = await open("files", service, accountId, { now: () => service.deps.clock.now() });
  const { counter, register } = desk;
  await counter.signIn(luz, "4821");
  await counter.openShift(0);
  const add = () =>
    counter.edit((ticket) => withLine(ticket, lineOf(randomUUID(), register.catalog.get("product", productId)!)));
  const charge = async () => {
    const result = await counter.charge([]);
    if ("problem" in result) throw new Error(result.problem.kind);
    await uploadAll(desk);
    return result.sale.id;
  };
  add();
  const { id: waiting } = counter.state().current;
  counter.beginTicket();
  const dearer = { ...bread, base_price: 9_000, final_price: 9_000 };
  await till.push([by(luz, { type: "product", id: productId, data: dearer, edited_at: ago(0) })]);
  await receive(desk);
  add();
  expect(await rightsIn(accountId, await charge())).toEqual([]);
  advance(service, 2 * minute);
  counter.select(waiting);
  expect(await rightsIn(accountId, await charge())).toEqual([]);
  expect(await toldOf(accountId)).toEqual([]);
  // As her register would have uploaded it without a word.
  await register.record([by(luz, saleOf(here, 5_000))]);
  await uploadAll(desk);
  const told = (await toldOf(accountId)).filter(({ kind }) => kind === "price");
  expect(told).toMatchObject([{ cashier: "Luz", amount: 4_000 }]);
  desk.store.close();
});

async function push(till: Till, records: Parameters<Till["push"]>[0], envelope = {}): Promise<void> {
  expect((await till.push(records, envelope)).body.results?.[0]).toMatchObject({ status: "applied" });
}

/** What the owner is told of the register itself. */
async function findingsOf({ owner }: Shop): Promise<string[]> {
  const { data } = (await owner.get("/findings")).body;
  return data.flatMap((one: { can_close: boolean; message: string }) => (one.can_close ? [one.message] : []));
}
