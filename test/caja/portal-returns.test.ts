import { expect, test } from "vitest";
import { openCounter } from "../../register/counter.ts";
import type { Block } from "../../register/paper.ts";
import { openRegister } from "../../register/register.ts";
import { leftOf } from "../../register/returning.ts";
import { expectedCash, type Shift } from "../../register/shift.ts";
import { shiftPaper } from "../../register/shift-paper.ts";
import { metaRow } from "../../register/store.ts";
import { type Desk, desks, receive, sell, storeKinds, upload } from "../support/desk.ts";
import { verifiedService } from "../support/fixtures.ts";
import { readPdf } from "../support/pdf.ts";
import { openPortal, type Portal } from "../support/portal.ts";

const service = verifiedService();
const { open } = desks();

/** A shift that sold once for cash, uploaded, and its owner. */
async function soldOnce(kind: (typeof storeKinds)[number] = "files") {
  const owner = await openPortal(service);
  const { accountId } = owner;
  const { api } = await service.key(accountId);
  const desk = await open(kind, service, accountId);
  await desk.counter.openShift(100_000);
  const saleId = await sell(desk, 21_205);
  await sell(desk, 40_000);
  await upload(desk);
  const shift = desk.counter.state().shift!;
  return { owner, api, desk, saleId, shift, accountId };
}

/** Takes all of a sale back in the portal, for cash out of a shift. */
async function giveBack(owner: Portal, saleId: string, shiftId: string | null): Promise<void> {
  const { sale } = (await owner.get(`/sales/${saleId}`)).body;
  const lines = sale.items.map((item: { id: string; quantity: number }) => ({
    item_id: item.id,
    quantity: item.quantity,
  }));
  const asked = { lines, payment_method: "CASH", cash_session_id: shiftId, reason: "No le sirvió" };
  expect((await owner.post(`/sales/${saleId}/returns`, asked)).status).toBe(201);
}

async function paperOf({ counter }: Pick<Desk, "counter">, shift: Shift): Promise<Block[]> {
  return shiftPaper(counter.complete(shift), counter.state().business, await counter.reportOf(shift));
}

function sumBeside(blocks: readonly Block[], name: string): string | undefined {
  const found = blocks.find((one) => (one.kind === "row" || one.kind === "total") && one.left.trim() === name);
  return found && "right" in found ? found.right : undefined;
}

test.each(storeKinds)(
  "cash that the portal returns out of a drawer is subtracted at its register, and both closes agree (%s)",
  async (kind) => {
    const { owner, api, desk, saleId, shift } = await soldOnce(kind);
    await giveBack(owner, saleId, shift.id);
    await receive(desk);
    desk.counter.refresh();
    const now = desk.counter.state().shift!;
    expect(expectedCash(now)).toBe(140_000);
    const x = await paperOf(desk, now);
    expect(sumBeside(x, "Devuelto en Efectivo (1)")).toBe("-$21.205");
    expect(sumBeside(x, "Devuelto desde el portal (1)")).toBe("-$21.205");
    expect(sumBeside(x, "Devoluciones en efectivo")).toBe("-$21.205");
    expect(sumBeside(x, "Efectivo esperado")).toBe("$140.000");

    // A return of the register's own counts beside it, and an upload of the shift takes nothing from what the server counted.
    const sale = (await desk.counter.salesOf(shift.id)).find(({ id }) => id !== saleId)!;
    await desk.counter.takeBack(sale, [{ item_id: sale.data.items[0]!.id, quantity: 1 }], "CASH", "");
    await sell(desk, 5_000);
    await upload(desk);
    const published = async () => (await api.get(`/cash-sessions/${shift.id}`)).body;
    expect(await published()).toMatchObject({ status: "open", cash_refunds: 61_205, expected_amount: 105_000 });
    expect(expectedCash(desk.counter.state().shift!)).toBe(105_000);
    const closed = await desk.counter.closeShift(105_000);
    await upload(desk);
    const z = await paperOf(desk, closed);
    expect(sumBeside(z, "Devuelto en Efectivo (2)")).toBe("-$61.205");
    expect(sumBeside(z, "Diferencia")).toBe("$0");
    expect(await published()).toMatchObject({
      ...{ status: "closed", cash_refunds: 61_205, expected_amount: 105_000, counted_amount: 105_000, difference: 0 },
    });
    desk.store.close();
  },
);

test("a reload, a second pull and a store that was put back count a return of the portal once", async () => {
  const { owner, desk, saleId, shift } = await soldOnce();
  await giveBack(owner, saleId, shift.id);
  await receive(desk);
  await receive(desk);
  await sell(desk, 1_000);
  const expected = async () => {
    const register = await openRegister({ store: desk.store, client: desk.client, now: () => new Date() });
    const around = { now: () => new Date(), newId: () => crypto.randomUUID() };
    const counter = await openCounter({ store: desk.store, register, registerName: () => "Caja", ...around });
    const before = expectedCash(counter.state().shift!);
    while (await register.pull(0));
    counter.refresh();
    return [before, expectedCash(counter.state().shift!)];
  };
  expect(await expected()).toEqual([141_000, 141_000]);
  // The store as it was before the feed brought it: with the cursor of then, and once more from the very beginning.
  await desk.store.commit({ put: [metaRow("cursor", "")] });
  expect(await expected()).toEqual([141_000, 141_000]);
  await desk.store.commit({ clear: ["catalog"], put: [metaRow("cursor", "")] });
  expect(await expected()).toEqual([162_205, 141_000]);
  desk.store.close();
});

test("a register that closed before it learned of a return of the portal prints the same Z as the portal afterwards", async () => {
  const { owner, api, desk, saleId, shift } = await soldOnce();
  await giveBack(owner, saleId, shift.id);
  // Without a connection: what left the drawer is missing from what was counted.
  const closed = await desk.counter.closeShift(140_000);
  expect(sumBeside(await paperOf(desk, closed), "Falta")).toBe("-$21.205");
  await upload(desk);
  await receive(desk);
  const again = (await desk.counter.shifts()).find(({ id }) => id === shift.id)!;
  const z = await paperOf(desk, again);
  expect(sumBeside(z, "Diferencia")).toBe("$0");
  expect(sumBeside(z, "Devuelto desde el portal (1)")).toBe("-$21.205");
  const { body } = await api.get(`/cash-sessions/${shift.id}`);
  expect(body).toMatchObject({ cash_refunds: 21_205, expected_amount: 140_000, difference: 0 });
  expect((await owner.get(`/cash-sessions/${shift.id}/z`)).body.from_portal).toEqual({ count: 1, amount: 21_205 });
  const { text } = await readPdf((await owner.download(`/cash-sessions/${shift.id}/z.pdf`)).bytes);
  expect(text).toContain("De ellas, devuelto desde el portal (1)");
  desk.store.close();
});

test("another drawer's return, and one that no drawer paid, change nothing here", async () => {
  const { owner, desk, saleId, shift, accountId } = await soldOnce();
  const other = await open("files", service, accountId);
  await other.counter.openShift(50_000);
  await upload(other);
  await giveBack(owner, saleId, other.counter.state().shift!.id);
  const third = await sell(desk, 3_000);
  await upload(desk);
  await giveBack(owner, third, null);
  for (const one of [desk, other]) {
    await receive(one);
    one.counter.refresh();
  }
  expect(expectedCash(desk.counter.state().shift!)).toBe(164_205);
  expect(desk.counter.state().shift!.id).toBe(shift.id);
  expect(expectedCash(other.counter.state().shift!)).toBe(28_795);
  desk.store.close();
  other.store.close();
});

test("what the portal took back, and from which drawer it was paid, cannot be given back once more at the register of the sale", async () => {
  const { owner, desk, saleId, shift, accountId } = await soldOnce();
  const other = await open("files", service, accountId);
  await other.counter.openShift(50_000);
  await upload(other);
  const sale = async () => (await desk.counter.salesOf(shift.id)).find(({ id }) => id === saleId)!;
  const second = (await desk.counter.salesOf(shift.id)).find(({ id }) => id !== saleId)!;
  const seen = await sale();
  await giveBack(owner, saleId, other.counter.state().shift!.id);
  await giveBack(owner, second.id, null);
  await receive(desk);
  for (const one of await desk.counter.salesOf(shift.id)) {
    expect(one.returns).toHaveLength(1);
    expect([...leftOf(one).values()]).toEqual([0]);
  }
  // A cashier who had opened it before it came down is told too, and nothing leaves the drawer.
  const lines = seen.data.items.map(({ id, quantity }) => ({ item_id: id, quantity }));
  await expect(desk.counter.takeBack(seen, lines, "CASH", "")).rejects.toThrow("ya se devolvió todo");
  await expect(desk.counter.cancel(seen)).rejects.toThrow("it cannot be cancelled");
  expect(expectedCash(desk.counter.state().shift!)).toBe(161_205);
  // Another register's copy is asked for anew whenever it is opened, and its drawer paid only its own.
  await receive(other);
  other.counter.refresh();
  expect(expectedCash(other.counter.state().shift!)).toBe(28_795);
  desk.store.close();
  other.store.close();
});

test.each(storeKinds)(
  "what another register took back is marked on the register's own copy, and paid once (%s)",
  async (kind) => {
    const { desk, saleId, shift, accountId } = await soldOnce(kind);
    const other = await open(kind, service, accountId);
    await other.counter.openShift(50_000);
    const seen = await other.shop.look(saleId);
    const all = seen.data.items.map(({ id, quantity }) => ({ item_id: id, quantity }));
    const own = async () => (await desk.counter.salesOf(shift.id)).find(({ id }) => id === saleId)!;
    // A cashier here has had the sale open since before.
    const stale = await own();
    await other.counter.takeBack(seen, all, "CASH", "No le sirvió");
    await upload(other);
    expect(expectedCash(other.counter.state().shift!)).toBe(28_795);
    await receive(desk);
    desk.counter.refresh();
    expect([...leftOf(await own()).values()]).toEqual([0]);
    expect((await own()).returns).toMatchObject([{ total: 21_205, reason: "No le sirvió" }]);
    await expect(desk.counter.takeBack(stale, all, "CASH", "")).rejects.toThrow();
    // It left the other drawer: this one is as it was, and nothing was given back twice.
    expect(expectedCash(desk.counter.state().shift!)).toBe(161_205);
    expect(desk.counter.state().doubled).toEqual([]);
    // Nothing of it comes back to the register that did it.
    await receive(other);
    other.counter.refresh();
    expect(expectedCash(other.counter.state().shift!)).toBe(28_795);
    for (const one of [desk, other]) one.store.close();
  },
);

test("what two registers took back of one sale is told to its own, whose drawer says what left it", async () => {
  const { api, desk, saleId, shift, accountId } = await soldOnce();
  const other = await open("files", service, accountId);
  await other.counter.openShift(50_000);
  const seen = await other.shop.look(saleId);
  const all = seen.data.items.map(({ id, quantity }) => ({ item_id: id, quantity }));
  await other.counter.takeBack(seen, all, "CASH", "Allá");
  await upload(other);
  const sale = (await desk.counter.salesOf(shift.id)).find(({ id }) => id === saleId)!;
  await desk.counter.takeBack(sale, all, "CASH", "Aquí");
  await receive(desk);
  desk.counter.refresh();
  await expect.poll(() => desk.counter.state().doubled).toMatchObject([{ amount: 21_205, isWhole: true }]);
  await upload(desk);
  expect(expectedCash(desk.counter.state().shift!)).toBe(140_000);
  expect((await api.get(`/cash-sessions/${shift.id}`)).body).toMatchObject({
    cash_refunds: 0,
    expected_amount: 140_000,
  });
  for (const one of [desk, other]) one.store.close();
});
