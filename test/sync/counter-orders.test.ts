import { expect, test } from "vitest";
import { lineOf, withLine } from "../../register/ticket.ts";
import { theOperator } from "../../src/access/accounts/record-audit.ts";
import { createCashier } from "../../src/business/counter/cashiers.ts";
import { readActs } from "../../src/business/counter/counter-acts.ts";
import { sql } from "../../src/db/sql.ts";
import { type Desk, desks, receive, upload } from "../support/desk.ts";
import { orderingShop } from "../support/orders.ts";

const { service, shop, place, read, reserved, events } = orderingShop();
const { open } = desks();
const close = (...all: Desk[]) => {
  for (const { store } of all) store.close();
};
const states = ({ counter }: Desk) => counter.orders().map(({ number, status }) => [number, status]);

async function desk(kind: "files" | "IndexedDB" = "files", now?: () => Date): Promise<Desk> {
  const made = await open(kind, service, shop.accountId, now && { now });
  await made.counter.openShift(0);
  return made;
}

for (const kind of ["files", "IndexedDB"] as const)
  test(`over ${kind}, an order is accepted, readied and charged at the counter: one sale, what was agreed, also without a connection`, async () => {
    const here = await desk(kind);
    const order = await place({
      delivery_fee: 4_000,
      discount: 1_000,
      tip: 500,
      notes: "Timbrar",
      external_id: "WC-1",
    });
    await receive(here);
    const { counter } = here;
    expect(states(here)).toEqual([[order.number, "placed"]]);
    // From here on there is no connection.
    await counter.acceptOrder(order.id, 20);
    await counter.acceptOrder(order.id, 5);
    await counter.readyOrder(order.id);
    expect(counter.orders()[0]).toMatchObject({ status: "ready", isProvisional: true });
    counter.takeUpOrder(order.id);
    counter.takeUpOrder(order.id);
    expect(counter.state().tickets).toHaveLength(1);
    const charged = await counter.charge([]);
    if ("problem" in charged) throw new Error(charged.problem.kind);
    expect(charged.sale.data.total).toBe(order.total);
    expect(counter.orders()[0]).toMatchObject({ status: "completed", sale_id: charged.sale.id });
    await upload(here);
    await receive(here);
    counter.settleOrders();
    expect(counter.state()).toMatchObject({ orderSteps: [], lostOrders: [] });
    expect(await read(order.id)).toMatchObject({ status: "completed", sale_id: charged.sale.id, extra_sale_ids: [] });
    const { body: sale } = await shop.api.get(`/sales/${charged.sale.id}`);
    expect(sale).toMatchObject({ total: order.total, tax: order.tax, external_id: "WC-1", notes: "Timbrar" });
    expect(await events()).toEqual(["order.placed", "order.accepted", "order.ready", "order.completed"]);
    expect(await reserved()).toBe(0);
    close(here);
  });

test("two registers accept one order: the first that arrives has it, the other is told and its ticket goes", async () => {
  const [one, two] = [await desk(), await desk()];
  const order = await place();
  for (const each of [one, two]) {
    await receive(each);
    await each.counter.acceptOrder(order.id, 10);
    each.counter.takeUpOrder(order.id);
  }
  await upload(one);
  await upload(two);
  for (const each of [one, two]) {
    await receive(each);
    each.counter.settleOrders();
  }
  expect(one.counter.state().lostOrders).toEqual([]);
  expect(one.counter.state().tickets).toHaveLength(1);
  expect(two.counter.state().lostOrders.map(({ text }) => text)).toEqual([
    `El pedido ${order.number} lo aceptó otra caja primero. Lo del pedido salió del tiquete. Si lo va a entregar usted, tómelo otra vez en Pedidos.`,
  ]);
  expect(two.counter.state().tickets).toEqual([]);
  expect(two.counter.state().orderSteps).toEqual([]);
  expect(states(two)).toEqual([[order.number, "accepted"]]);
  expect(await read(order.id)).toMatchObject({ register_id: one.register.identity().device_id });
  close(one, two);
});

test("both sell it without a connection: both sales count, one hands it over, and the other register is told", async () => {
  const [one, two] = [await desk(), await desk()];
  const order = await place();
  for (const each of [one, two]) {
    await receive(each);
    each.counter.takeUpOrder(order.id);
    await each.counter.charge([]);
  }
  for (const each of [one, two]) await upload(each);
  for (const each of [one, two]) {
    await receive(each);
    each.counter.settleOrders();
  }
  expect(one.counter.state().lostOrders).toEqual([]);
  expect(two.counter.state().lostOrders[0]!.text).toContain("Lo que se cobró aquí quedó como una venta más");
  expect((await read(order.id)).extra_sale_ids).toHaveLength(1);
  close(one, two);
});

test("one that is paid is handed over without the drawer, beside the ticket that is in front", async () => {
  const here = await desk();
  const { counter } = here;
  const payment = { status: "paid", method: "CARD", reference: "AP-91" };
  const [paid, unpaid] = [await place({ payment }), await place()];
  await receive(here);
  const [product] = here.register.catalog.search("gaseosa");
  counter.edit((ticket) => withLine(ticket, lineOf(crypto.randomUUID(), product!, 1)));
  const front = counter.state().current;
  const sale = await counter.handOverOrder(paid.id);
  expect(sale.charge).toMatchObject({
    tendered: 0,
    payments: [{ payment_method: "CARD", amount: paid.total, reference: "AP-91" }],
  });
  expect(counter.state().current).toBe(front);
  expect(counter.state().shift).toMatchObject({ cash_sales: 0, sales_count: 1 });
  await expect(counter.handOverOrder(paid.id)).rejects.toThrow();
  await expect(counter.handOverOrder(unpaid.id)).rejects.toThrow();
  await upload(here);
  expect(await read(paid.id)).toMatchObject({ status: "completed", sale_id: sale.id });
  close(here);
});

test("rejected with its reason, cancelled elsewhere, and over by its time", async () => {
  let lateMs = 0;
  const here = await desk("files", () => new Date(Date.now() + lateMs));
  const { counter } = here;
  const soon = new Date(Date.now() + 600_000).toISOString();
  const [rejected, cancelled, over] = [await place(), await place(), await place({ accept_by: soon })];
  await receive(here);
  await counter.rejectOrder(rejected.id, "No hay");
  await counter.acceptOrder(cancelled.id, null);
  await shop.api.post(`/orders/${cancelled.id}/cancel`, { reason: "Se arrepintió" });
  await upload(here);
  await receive(here);
  counter.settleOrders();
  expect(await read(rejected.id)).toMatchObject({ status: "rejected", rejected_reason: "No hay" });
  expect(counter.state().lostOrders.map(({ text }) => text)).toEqual([
    `El pedido ${cancelled.number} lo cancelaron: «Se arrepintió».`,
  ]);
  // Without a word of the service: nobody accepts what has ended.
  lateMs = 700_000;
  expect(counter.orders().find(({ id }) => id === over.id)).toMatchObject({ status: "placed", isOver: true });
  await counter.acceptOrder(over.id, 5);
  expect(counter.orders().find(({ id }) => id === over.id)!.status).toBe("placed");
  close(here);
});

test("what was done is still there after the register was closed, and so are the orders", async () => {
  const here = await desk();
  const order = await place();
  await receive(here);
  await here.counter.acceptOrder(order.id, 15);
  expect(await here.store.get("meta", "order_steps")).toMatchObject([{ order_id: order.id, status: "accepted" }]);
  expect((await here.store.entries(0, 100)).find(({ type }) => type === "order")).toMatchObject({
    ...{ id: order.id, data: { status: "accepted", minutes: 15 } },
  });
  close(here);
});

test("what was agreed with whoever ordered is nobody's act at the counter; more than that is", async () => {
  const { deps } = service;
  const ana = (await createCashier(deps, shop.accountId, { name: "Ana", pin: "4821", permissions: [] }, theOperator))!;
  await deps.pool.query(sql`
    update cashiers set created_at = created_at - interval '1 day', updated_at = updated_at - interval '1 day' where id = ${ana.id}`);
  const here = await desk();
  const { counter } = here;
  const items = [{ sku: "GAS", quantity: 2, unit_price: 1_500 }];
  const orders = [await place({ prices: "given", items, delivery_fee: 4_000, discount: 500 }), await place()];
  await receive(here);
  expect(await counter.signIn(ana.id, "4821")).toBe(true);
  const told = async () =>
    (await readActs(deps.pool, shop.accountId, { only: "unauthorized" }, 10)).map(({ kind }) => kind);
  counter.takeUpOrder(orders[0].id);
  await counter.charge([]);
  await upload(here);
  expect((await read(orders[0].id)).status).toBe("completed");
  expect(await told()).toEqual([]);
  counter.takeUpOrder(orders[1].id);
  counter.edit((ticket) => ({ ...ticket, discount: { pesos: 900 } }));
  await counter.charge([]);
  await upload(here);
  expect(await told()).toEqual(["discount"]);
  close(here);
});
