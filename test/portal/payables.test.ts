import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { cashSessions } from "../../src/business/cash-sessions/resource.ts";
import { enterAs } from "../support/people.ts";
import { openAgain, type Portal } from "../support/portal.ts";
import { buyingShop, type Json } from "../support/purchases.ts";
import { cashSessionBody, store } from "../support/records.ts";
import { refusal, refused } from "../support/refusal.ts";

const { service, shop, supplier, soda, bought, received } = buyingShop();
const owner = () => openAgain(service, shop, "");
const once = () => ({ "idempotency-key": randomUUID() });
const line = () => ({ product_id: soda.id, quantity: 10, unit_cost: 10_000 });
const owing = async (fields: object = {}): Promise<Json> => received(await bought([line()], fields));
const pay = (portal: Portal, { id }: Json, body: object, headers = once()) =>
  portal.post(`/purchases/${id}/payments`, body, headers);

describe("what is owed", () => {
  test("is paid in parts, to the peso and no further, and each is an entry that stays", async () => {
    const portal = await owner();
    const purchase = await owing();
    const key = once();
    expect((await pay(portal, purchase, { amount: 30_000, means: "bank" }, key)).body).toMatchObject({ paid: 30_000 });
    expect((await pay(portal, purchase, { amount: 30_000, means: "bank" }, key)).body).toMatchObject({ paid: 30_000 });
    const tooMuch = await pay(portal, purchase, { amount: 70_001, means: "card" });
    expect([...refusal(tooMuch), tooMuch.body.error.message]).toEqual([
      ...refused("amount"),
      expect.stringContaining("amount"),
    ]);
    expect((await pay(portal, purchase, { amount: 70_000, means: "card", note: "Visa" })).body.paid).toBe(100_000);
    const { entries } = (await portal.get(`/purchases/${purchase.id}`)).body;
    expect(entries.map(({ kind, amount, means }: Json) => [kind, amount, means])).toEqual([
      ["receipt", 100_000, null],
      ["payment", -30_000, "bank"],
      ["payment", -70_000, "card"],
    ]);
    expect((await portal.get("/payables")).body.data).toEqual([]);
    expect((await portal.get("/audit-log")).body.data[0].action).toBe("purchase.paid");
  });

  test("is of what came: before that nothing is paid, and what goes back is a credit", async () => {
    const portal = await owner();
    const purchase = await bought([line()]);
    expect(refusal(await pay(portal, purchase, { amount: 1, means: "bank" }))).toEqual(refused("amount"));
    await received(purchase);
    await pay(portal, purchase, { amount: 100_000, means: "bank" });
    const back = { kind: "return", lines: [{ line_id: purchase.lines[0].id, quantity: 1 }] };
    expect((await received(purchase, back)).owed).toBe(90_000);
    expect((await portal.get("/payables")).body.data).toEqual([
      expect.objectContaining({ balance: -10_000, standing: "credit" }),
    ]);
  });

  test("is owed again when a payment is taken back, which happens once", async () => {
    const portal = await owner();
    const purchase = await owing();
    await pay(portal, purchase, { amount: 40_000, means: "bank" });
    const payment = (await portal.get(`/purchases/${purchase.id}`)).body.entries.at(-1);
    const undo = (id: string) => portal.post(`/purchases/${purchase.id}/payments/${id}/undo`, {}, once());
    expect((await undo(payment.id)).body.paid).toBe(0);
    expect(refusal(await undo(payment.id))).toEqual([409, "CONFLICT", "payment_id"]);
    expect((await undo(randomUUID())).status).toBe(404);
  });

  test("from a drawer is what a shift says that left it, and pays once what it is", async () => {
    const portal = await owner();
    const [one, two] = [await owing(), await owing()];
    const movement = { object: "cash_movement", id: randomUUID(), type: "out", amount: 60_000, reason: "La Sabana" };
    const id = randomUUID();
    await store(service.deps, shop.accountId, cashSessions, (at) => [
      {
        body: cashSessionBody(at, {
          id,
          movements: [
            { ...movement, cash_session_id: id, created_by: "Ana", occurred_at: at, created_at: at, updated_at: at },
          ] as never,
        }),
      },
    ]);
    const drawer = { means: "drawer", cash_session_id: id, cash_movement_id: movement.id };
    expect(refusal(await pay(portal, one, { amount: 1, means: "drawer" }))).toEqual(refused("cash_session_id"));
    const stranger = await pay(portal, one, { ...drawer, amount: 1, cash_movement_id: randomUUID() });
    expect(refusal(stranger)).toEqual([404, "NOT_FOUND", "cash_movement_id"]);
    expect((await pay(portal, one, { ...drawer, amount: 45_000 })).body.paid).toBe(45_000);
    expect(refusal(await pay(portal, two, { ...drawer, amount: 15_001 }))).toEqual(refused("amount"));
    expect((await pay(portal, two, { ...drawer, amount: 15_000 })).body.paid).toBe(15_000);
  });

  test("stands in Por pagar by when it is due, with what is overdue, page by page", async () => {
    const portal = await owner();
    const late = await owing({ due_date: "2020-01-01" });
    const undated = await owing({ due_date: "2999-01-01" });
    const early = await owing({ due_date: "2019-01-01" });
    const rows = (await portal.get("/payables")).body.data;
    expect(rows.map(({ number, standing }: Json) => [number, standing])).toEqual([
      ...[early, late].map(({ number }) => [number, "overdue"]),
      [undated.number, "later"],
    ]);
    const first = (await portal.get("/payables?limit=1")).body;
    const second = (await portal.get(`/payables?limit=1&starting_after=${first.next_cursor}`)).body;
    expect([first.data[0].number, second.data[0].number]).toEqual([early.number, late.number]);
    expect((await portal.get(`/payables/totals?supplier_id=${supplier.id}`)).body).toEqual({
      ...{ count: 3, balance: 300_000, overdue: 200_000, soon: 0, suppliers: 1 },
    });
    expect((await portal.download("/tables/payables.csv")).bytes.toString("utf8")).toContain("La Sabana");
  });

  test("is paid by who may: an accountant does, a manager reads", async () => {
    const purchase = await owing();
    const manager = await enterAs(service, shop, "manager");
    expect((await manager.get("/payables")).body.data).toHaveLength(1);
    expect((await pay(manager, purchase, { amount: 1, means: "bank" })).status).toBe(403);
    const accountant = await enterAs(service, shop, "accountant");
    expect((await pay(accountant, purchase, { amount: 1, means: "bank" })).status).toBe(200);
  });
});
