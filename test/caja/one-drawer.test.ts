import { expect, test } from "vitest";
import { openCounter } from "../../register/counter.ts";
import { openRegister } from "../../register/register.ts";
import { expectedCash, type Shift } from "../../register/shift.ts";
import { metaOf } from "../../register/store.ts";
import { openIndexedDbStore, TakenOverError } from "../../register/stores/indexed-db-store.ts";
import { freeLine, withLine } from "../../register/ticket.ts";
import { type Desk, desks, enrolled, receive, sell, storeKinds, upload } from "../support/desk.ts";
import { verifiedService } from "../support/fixtures.ts";
import { openPortal } from "../support/portal.ts";

const service = verifiedService();
const { open } = desks();

async function openDesk(kind: (typeof storeKinds)[number] = "IndexedDB") {
  const owner = await openPortal(service);
  const { accountId } = owner;
  const { api } = await service.key(accountId);
  const desk = await open(kind, service, accountId);
  await desk.counter.openShift(100_000);
  return { owner, api, desk, accountId };
}

const openShiftOf = ({ counter }: Pick<Desk, "counter">): Shift => {
  const { shift } = counter.state();
  if (!shift) throw new Error("no shift is open");
  return shift;
};

function putOnTicket({ counter }: Pick<Desk, "counter">, price: number): void {
  counter.edit((ticket) => withLine(ticket, freeLine(crypto.randomUUID(), "Algo", price, "standard")));
}

/** The Z and the drawer say the same of the shift's sales, here and in the service. */
async function expectAgreement(
  { desk, api, owner }: Awaited<ReturnType<typeof openDesk>>,
  shiftId: string,
  cash: number,
) {
  const closed = (await desk.counter.shifts()).find(({ id }) => id === shiftId)!;
  expect(expectedCash(closed)).toBe(cash);
  await upload(desk);
  expect((await api.get(`/cash-sessions/${shiftId}`)).body).toMatchObject({
    expected_amount: cash,
    sales_count: closed.sales_count,
    sales_total: closed.sales_total,
  });
  // Of what went back twice the register knows the money, which is what its paper says, and not which taxes were in it.
  const { reversals, tax, ...sums } = (await desk.counter.reportOf(closed)).sums;
  const { body: z } = await owner.get(`/cash-sessions/${shiftId}/z`);
  expect({ ...sums, tax: z.sums.tax }).toEqual(z.sums);
  expect(reversals).toBe(z.returns.count);
  const sales = await desk.counter.salesOf(shiftId);
  const made = sales.filter(({ data }) => data.status === "completed");
  expect(closed.sales_count).toBe(made.length);
  expect(closed.sales_total).toBe(made.reduce((total, { data }) => total + data.total, 0));
}

test.each(storeKinds)(
  "a shift that is closed while a sale is still being stored has its cash, and the next sale needs another shift (%s)",
  async (kind) => {
    const shop = await openDesk(kind);
    const { desk } = shop;
    const { id } = openShiftOf(desk);
    await sell(desk, 10_000);
    putOnTicket(desk, 30_000);
    const [charged, closed] = await Promise.all([desk.counter.charge([]), desk.counter.closeShift(140_000)]);
    expect("sale" in charged).toBe(true);
    expect(expectedCash(closed)).toBe(140_000);
    expect(desk.counter.state().shift).toBeUndefined();
    await expectAgreement(shop, id, 140_000);
    desk.store.close();
  },
);

test("what happens to a drawer at once happens one after the other, and nothing of it is lost", async () => {
  const shop = await openDesk();
  const { desk } = shop;
  const { counter } = desk;
  const { id } = openShiftOf(desk);
  await sell(desk, 20_000);
  await sell(desk, 8_000);
  const [cancelled, returned] = await counter.salesOf(id);
  const line = { item_id: returned!.data.items[0]!.id, quantity: 1 };
  putOnTicket(desk, 5_000);
  await Promise.all([
    counter.moveCash("in", 7_000, "Base"),
    counter.cancel(cancelled!),
    counter.charge([]),
    counter.takeBack(returned!, [line], "CASH", ""),
    counter.moveCash("out", 2_000, "Hielo"),
  ]);
  expect(openShiftOf(desk).movements).toHaveLength(2);
  await counter.closeShift(110_000);
  await expectAgreement(shop, id, 110_000);
  desk.store.close();
});

test("a sale that somebody still has on the screen is not cancelled, returned or corrected once more", async () => {
  const shop = await openDesk();
  const { desk } = shop;
  const { counter } = desk;
  const { id } = openShiftOf(desk);
  for (const price of [8_000, 20_000, 4_000]) await sell(desk, price);
  const [third, second, first] = await counter.salesOf(id);
  const line = { item_id: second!.data.items[0]!.id, quantity: 1 };
  await counter.cancel(first!);
  await expect(counter.cancel(first!)).rejects.toThrow("it cannot be cancelled");
  await expect(counter.correctMeans(first!, 0, { payment_method: "CARD" })).rejects.toThrow("it cannot be corrected");
  await counter.takeBack(second!, [line], "CASH", "");
  await expect(counter.takeBack(second!, [line], "CASH", "")).rejects.toThrow("ya se devolvió todo");
  await expect(counter.cancel(second!)).rejects.toThrow("it cannot be cancelled");
  await counter.correctMeans(third!, 0, { payment_method: "CARD" });
  await counter.cancel(third!);
  await counter.closeShift(100_000);
  await expectAgreement(shop, id, 100_000);
  desk.store.close();
});

test("a tab that another one took over from stores nothing any more: the other one would not know of it", async () => {
  const { accountId } = await openPortal(service);
  const { client, identity } = await enrolled(service, accountId);
  const name = crypto.randomUUID();
  async function openTab() {
    const store = await openIndexedDbStore({ name, isAlone: true });
    if (store.lastSeq() === 0) await store.commit({ put: metaOf(identity) });
    const around = { now: () => new Date(), newId: () => crypto.randomUUID() };
    const register = await openRegister({ store, client, now: around.now });
    return { store, register, counter: await openCounter({ store, register, registerName: () => "Caja", ...around }) };
  }
  const former = await openTab();
  await former.counter.openShift(100_000);
  await sell(former, 10_000);
  const latter = await openTab();
  await expect(sell(former, 30_000)).rejects.toThrow(TakenOverError);
  await sell(latter, 20_000);
  const { id } = openShiftOf(latter);
  expect((await latter.counter.salesOf(id)).map(({ number }) => number)).toEqual([2, 1]);
  const closed = await latter.counter.closeShift(130_000);
  expect(expectedCash(closed)).toBe(130_000);
  former.store.close();
  latter.store.close();
});

/** Gives all of a sale back in the portal, for cash out of a shift. */
async function giveBack({ owner }: Awaited<ReturnType<typeof openDesk>>, saleId: string, shiftId: string, most = 9) {
  const { sale } = (await owner.get(`/sales/${saleId}`)).body;
  const lines = sale.items.map((item: { id: string; quantity: number }) => ({
    item_id: item.id,
    quantity: Math.min(item.quantity, most),
  }));
  const asked = { lines, payment_method: "CASH", cash_session_id: shiftId, reason: "No le sirvió" };
  expect((await owner.post(`/sales/${saleId}/returns`, asked)).status).toBe(201);
}

test("what portal and register both gave back while one could not know of the other left the drawer twice, and the cashier is told", async () => {
  const shop = await openDesk();
  const { desk } = shop;
  const { counter } = desk;
  const { id } = openShiftOf(desk);
  const saleId = await sell(desk, 21_205);
  await sell(desk, 40_000);
  await upload(desk);
  const sale = (await counter.salesOf(id)).find((one) => one.id === saleId)!;
  await giveBack(shop, saleId, id);
  await counter.takeBack(sale, [{ item_id: sale.data.items[0]!.id, quantity: 1 }], "CASH", "");
  await upload(desk);
  await receive(desk);
  counter.refresh();
  await counter.moveCash("in", 1_000, "Monedas");
  expect(counter.state().doubled).toEqual([expect.objectContaining({ number: 1, amount: 21_205 })]);
  expect(openShiftOf(desk).movements.map(({ type, amount, reason }) => ({ type, amount, reason }))).toEqual([
    { type: "out", amount: 21_205, reason: "Venta 1 devuelta dos veces: aquí y en el portal o en otra caja" },
    { type: "in", amount: 1_000, reason: "Monedas" },
  ]);
  // The feed brings it once more: it left the drawer twice, not three times.
  counter.refresh();
  await counter.closeShift(119_795);
  await expectAgreement(shop, id, 119_795);
  expect((await counter.shifts())[0]!.movements).toHaveLength(2);
  counter.dismissDoubled();
  expect(counter.state().doubled).toEqual([]);
  desk.store.close();
});

test("of a return that the portal had made in part, only that part left the drawer twice, also after the close", async () => {
  const shop = await openDesk();
  const { desk } = shop;
  const { counter } = desk;
  const { id } = openShiftOf(desk);
  counter.edit((ticket) =>
    withLine(ticket, { ...freeLine(crypto.randomUUID(), "Algo", 10_000, "standard"), quantity: 3 }),
  );
  await counter.charge([]);
  await upload(desk);
  const [sale] = await counter.salesOf(id);
  await giveBack(shop, sale!.id, id, 2);
  await counter.takeBack(sale!, [{ item_id: sale!.data.items[0]!.id, quantity: 2 }], "CASH", "");
  await counter.closeShift(90_000);
  await upload(desk);
  await receive(desk);
  counter.refresh();
  await counter.openShift(0);
  expect(counter.state().doubled).toEqual([expect.objectContaining({ number: 1, amount: 10_000 })]);
  await expectAgreement(shop, id, 90_000);
  desk.store.close();
});
