import { expect, test } from "vitest";
import { lineOf, withLine, withQuantity } from "../../register/ticket.ts";
import { readActs } from "../../src/business/counter/counter-acts.ts";
import { cajaOn, furnishShop, scan, tablet } from "../support/caja.ts";
import { type Desk, desks, receive, upload } from "../support/desk.ts";
import { orderingShop, sellOrder, takesOrders } from "../support/orders.ts";
import { enrol } from "../support/register.ts";
import { sharedBrowser } from "../support/visitor.ts";

const { service, shop, other, place, read, sell } = orderingShop();
const { open } = desks();
const browser = sharedBrowser();

async function desk(now = () => new Date()): Promise<Desk> {
  const made = await open("files", service, shop.accountId, { now });
  await made.counter.openShift(0);
  return made;
}
async function hear(here: Desk) {
  await receive(here);
  here.counter.settleOrders();
  return here.counter.state().lostOrders.map(({ text }) => text);
}
const dropped = async () =>
  (await readActs(service.deps.pool, shop.accountId, {}, 10)).filter(({ kind }) => kind === "ticket_dropped");

/** An order on the ticket in front, one unit more of its product, and a bread that was scanned by hand. */
async function takenUp(order: { id: string }, now?: () => Date): Promise<Desk> {
  await shop.api.post("/products", { name: "Pan", base_price: 1_000, tax_class: "excluded" });
  const here = await desk(now);
  await receive(here);
  const { counter, register } = here;
  const [bread] = register.catalog.search("pan");
  counter.takeUpOrder(order.id);
  counter.edit((ticket) => withQuantity(ticket, ticket.lines[0]!.id, 3));
  counter.edit((ticket) => withLine(ticket, lineOf(crypto.randomUUID(), bread!)));
  return here;
}

test("what another register handed over leaves the ticket with its reason, what was added stays, and the owner reads what went", async () => {
  const order = await place({ discount: 500, tip: 300, notes: "Timbrar" });
  const here = await takenUp(order);
  const { counter } = here;
  await sell(order, other);
  expect(await hear(here)).toEqual([
    `El pedido ${order.number} ya lo entregó otra caja. Lo del pedido salió del tiquete; lo que usted agregó sigue ahí. No lo cobre otra vez.`,
  ]);
  const { current, tickets } = counter.state();
  expect(current.lines.map(({ description, quantity }) => [description, quantity])).toEqual([
    ["Pan", 1],
    ["Gaseosa", 1],
  ]);
  expect(current).toMatchObject({ discount: null, tip: 0, notes: null, table_label: null });
  expect(current.order_id ?? null).toBeNull();
  expect(tickets).toEqual([current]);
  expect(counter.totals().total).toBe(1_000 + 3_200);
  await counter.charge([]);
  await upload(here);
  expect(await read(order.id)).toMatchObject({ status: "completed", extra_sale_ids: [] });
  const acts = await dropped();
  expect(acts).toHaveLength(1);
  expect(JSON.stringify(acts[0])).toContain(`El pedido ${order.number} ya lo entregó otra caja. 2 × Gaseosa`);
  here.store.close();
});

test("one that was cancelled may be sold all the same, on the ticket where it was", async () => {
  const order = await place();
  const here = await takenUp(order);
  const { counter } = here;
  await shop.api.post(`/orders/${order.id}/cancel`, { reason: "Se arrepintió" });
  expect((await hear(here))[0]).toContain("lo cancelaron: «Se arrepintió».");
  counter.sellAnyway(order.id);
  expect(counter.state().tickets).toHaveLength(1);
  expect(counter.state().current.lines.map(({ quantity }) => quantity)).toEqual([2, 1, 1]);
  expect(await hear(here)).toEqual([]);
  const charged = await counter.charge([]);
  if ("problem" in charged) throw new Error(charged.problem.kind);
  await upload(here);
  expect(await read(order.id)).toMatchObject({ status: "cancelled", extra_sale_ids: [charged.sale.id] });
  // Whoever sold it had read why: it is not told once more.
  expect(await hear(here)).toEqual([]);
  expect(counter.state().orderSteps).toEqual([]);
  here.store.close();
});

test("one that is over by its time alone leaves the ticket before it is charged, without a word of the service", async () => {
  let lateMs = 0;
  const order = await place({ expires_at: new Date(Date.now() + 600_000).toISOString() });
  const here = await takenUp(order, () => new Date(Date.now() + lateMs));
  const { counter } = here;
  lateMs = 700_000;
  counter.settleOrders();
  expect(counter.state().lostOrders[0]).toMatchObject({ canSell: true });
  expect(counter.state().lostOrders[0]!.text).toContain(`El pedido ${order.number} venció.`);
  expect(counter.state().current.lines).toHaveLength(2);
  counter.sellAnyway(order.id);
  counter.settleOrders();
  expect(counter.state()).toMatchObject({ lostOrders: [], current: { order_id: order.id } });
  here.store.close();
});

test("one that ran out here and was handed over elsewhere is told although it was sold all the same", async () => {
  let lateMs = 0;
  const order = await place({ expires_at: new Date(Date.now() + 600_000).toISOString() });
  const here = await takenUp(order, () => new Date(Date.now() + lateMs));
  const { counter } = here;
  lateMs = 700_000;
  counter.settleOrders();
  counter.dismissLost();
  counter.takeUpOrder(order.id);
  await sell(order, other);
  await counter.charge([]);
  expect((await hear(here))[0]).toContain(`El pedido ${order.number} ya lo entregó otra caja.`);
  here.store.close();
});

test("where a terminal has taken money for it the ticket stays, and says what is done with the money", async () => {
  const order = await place();
  const here = await takenUp(order);
  const { counter } = here;
  counter.edit((ticket) => ({ ...ticket, parts: [{ payment_method: "CARD", amount: 2_000 }] }));
  await sell(order, other);
  expect((await hear(here))[0]).toContain("Para él ya se recibieron aquí $2.000 en Tarjeta: devuélvalos");
  expect(counter.state().current.lines).toHaveLength(2);
  expect(await hear(here)).toHaveLength(1);
  here.store.close();
});

test("one that another hands over while it is being stored is told after it, and the next ticket stays as it is", async () => {
  const order = await place();
  const here = await takenUp(order);
  const { counter } = here;
  await sell(order, other);
  await receive(here);
  const charging = counter.charge([]);
  counter.settleOrders();
  expect(counter.state().lostOrders).toEqual([]);
  await charging;
  expect(counter.state().lostOrders[0]!.text).toContain("Lo que se cobró aquí quedó como una venta más");
  expect(counter.state().tickets).toEqual([]);
  expect(await dropped()).toEqual([]);
  here.store.close();
});

test("a ticket that is being charged says at once that its order is another's, and asks for the rest alone", async () => {
  await furnishShop(service, shop.accountId, ["Arroz"]);
  await using context = await tablet(browser);
  const caja = cajaOn(await context.own.newPage(), service, shop.accountId);
  const { page } = caja;
  const [first, second] = [await place(), await place()];
  const till = await enrol(service, shop.accountId, { name: "Caja 9", capabilities: takesOrders });
  for (const { id } of [first, second]) await till.put("order", { id, status: "accepted" });
  await caja.start();
  await page.getByRole("button", { name: /^Pedidos/ }).click();
  const card = (number: number) => page.getByRole("article", { name: `Pedido ${number}`, exact: true });
  await card(first.number).getByRole("button", { name: "Cobrar $6.400" }).click();
  await scan(page, "7700000000");
  await page.getByRole("button", { name: "Cobrar $7.400" }).click();
  await page.getByRole("dialog", { name: "Cobrar" }).waitFor();
  await sellOrder(first, till);
  await page.getByText(`El pedido ${first.number} ya lo entregó otra caja.`).waitFor();
  await page.getByRole("button", { name: "Cobrar $1.000" }).waitFor();
  expect(await page.getByRole("dialog", { name: "Cobrar" }).count()).toBe(0);
  await page.getByRole("button", { name: "Ver pedidos" }).click();
  await page.getByRole("button", { name: "Entendido" }).click();

  await card(second.number).getByRole("button", { name: "Cobrar $6.400" }).click();
  await page.getByRole("heading", { name: `Pedido ${second.number}` }).waitFor();
  await shop.api.post(`/orders/${second.id}/cancel`, {});
  await page.getByText(`El pedido ${second.number} lo cancelaron.`).waitFor();
  expect(await page.getByRole("heading", { name: `Pedido ${second.number}` }).count()).toBe(0);
  await page.getByRole("button", { name: `Vender el pedido ${second.number} de todos modos` }).click();
  await page.getByRole("button", { name: "Cobrar $6.400" }).click();
  await page.getByRole("button", { name: "Exacto" }).click();
  await page.getByRole("heading", { name: /^Venta \d+ registrada/ }).waitFor();
  await expect.poll(async () => (await read(second.id)).extra_sale_ids).toHaveLength(1);
});
