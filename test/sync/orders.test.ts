import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { endDueOrders } from "../../src/business/orders/expire.ts";
import { minute } from "../../src/lib/clock.ts";
import { orderingShop, takesOrders } from "../support/orders.ts";
import { openAgain } from "../support/portal.ts";
import { enrol } from "../support/register.ts";

const { service, shop, product, till, other, place, read, step, sell, reserved, events } = orderingShop();

// biome-ignore lint/suspicious/noExplicitAny: tests read the feed as a register would, without types
type Json = any;

const ordersDown = async (at = till, query = "") =>
  (await at.pull(query)).body.changes.filter(({ type }: Json) => type === "order");
const flagged = async () =>
  (await (await openAgain(service, shop, "")).get(`/devices/${till.deviceId}/flagged`)).body.data;

describe("the feed", () => {
  test("brings the orders of the sede to registers that take them, and ends an open wait", async () => {
    const plain = await enrol(service, shop.accountId, { name: "Caja vieja" });
    const { cursor } = (await till.pull()).body;
    const wait = till.pull(`?cursor=${cursor}&wait=20`);
    const order = await place();
    const [change] = (await wait).body.changes.filter(({ type }: Json) => type === "order");
    expect(change).toMatchObject({ id: order.id, deleted: false, data: order });
    expect(await ordersDown(plain)).toEqual([]);
  });

  test("keeps the orders of another sede away", async () => {
    const owner = await openAgain(service, shop, "");
    const { body: north } = await owner.post("/locations", { name: "Norte" });
    const far = await place({ location_id: north.id });
    const near = await place();
    const own = await ordersDown();
    expect(own.map(({ id, deleted, data }: Json) => [id, deleted, data?.number])).toEqual([
      [far.id, true, undefined],
      [near.id, false, near.number],
    ]);
  });
});

describe("accepting", () => {
  test("keeps apart what was ordered until it is handed over, once", async () => {
    const order = await place();
    expect(await step(order.id, "accepted", till, { minutes: 20 })).toMatchObject({ status: "applied" });
    const accepted = await read(order.id);
    expect(accepted).toMatchObject({ status: "accepted", register_id: till.deviceId });
    expect(Date.parse(accepted.promised_at) - Date.parse(accepted.accepted_at)).toBe(20 * minute);
    expect(await reserved()).toBe(2);
    expect(await step(order.id, "ready")).toMatchObject({ status: "applied" });
    expect(await reserved()).toBe(2);
    const { sale } = await sell(order);
    expect(await read(order.id)).toMatchObject({ status: "completed", sale_id: sale.id, extra_sale_ids: [] });
    expect(await reserved()).toBe(0);
    expect(await events()).toEqual(["order.placed", "order.accepted", "order.ready", "order.completed"]);
  });

  test("the first register has it, and the other is told", async () => {
    const order = await place();
    expect(await step(order.id, "accepted", other)).toMatchObject({ status: "applied" });
    const late = await step(order.id, "accepted", till);
    expect(late).toMatchObject({ status: "merged", record: { id: order.id, register_id: other.deviceId } });
    expect(await step(order.id, "accepted", other)).toMatchObject({ status: "duplicate" });
    expect(await step(order.id, "rejected", till, { reason: "No hay" })).toMatchObject({ status: "applied" });
    expect(await step(order.id, "ready", other)).toMatchObject({ status: "merged", record: { status: "rejected" } });
    expect(await reserved()).toBe(0);
    expect(await events()).toEqual(["order.placed", "order.accepted", "order.rejected"]);
    expect((await read(order.id)).rejected_reason).toBe("No hay");
  });

  test("after it was cancelled is too late, and what the API wrote holds", async () => {
    const order = await place();
    await shop.api.post(`/orders/${order.id}/cancel`, {});
    expect(await step(order.id, "accepted")).toMatchObject({ status: "merged", record: { status: "cancelled" } });
    expect(await reserved()).toBe(0);
  });

  test("cancelling, rejecting and expiring give back what was kept apart", async () => {
    const in5 = new Date(Date.now() + 5 * minute).toISOString();
    const [cancelled, rejected, expired] = [await place(), await place(), await place({ expires_at: in5 })];
    for (const { id } of [cancelled, rejected, expired]) await step(id, "accepted");
    expect(await reserved()).toBe(6);
    await shop.api.post(`/orders/${cancelled.id}/cancel`, {});
    await step(rejected.id, "rejected");
    expect(await reserved()).toBe(2);
    service.deps.clock.shiftTo(service.deps.clock.offsetMs() + 6 * minute);
    try {
      await endDueOrders(service.deps);
    } finally {
      service.deps.clock.shiftTo(0);
    }
    expect(await reserved()).toBe(0);
  });

  test("what keeps no stock is not kept apart", async () => {
    const { body: service19 } = await shop.api.post("/products", {
      name: "Corte",
      base_price: 1,
      tax_class: "service_19",
    });
    const order = await place({ items: [{ product_id: service19.id, quantity: 1 }] });
    expect(await step(order.id, "accepted")).toMatchObject({ status: "applied" });
    expect(await reserved(service19.id)).toBe(0);
    expect(product.sku).toBe("GAS");
  });

  test("a step that is none, an order of nobody and a register that never said it takes orders are kept aside", async () => {
    const order = await place();
    expect(await step(order.id, "completed")).toMatchObject({ status: "quarantined", code: "ORDER_STEP_UNKNOWN" });
    expect(await step(randomUUID(), "accepted")).toMatchObject({ status: "quarantined", code: "ORDER_UNKNOWN" });
    const plain = await enrol(service, shop.accountId, { name: "Caja vieja" });
    expect(await step(order.id, "accepted", plain)).toMatchObject({ code: "CAPABILITY_MISSING" });
    expect(await events()).toEqual(["order.placed"]);
  });
});

describe("the sale of an order", () => {
  test("takes over what whoever ordered keeps on it", async () => {
    const order = await place({ external_id: "WC-7", metadata: { canal: "web" } });
    const { sale, result } = await sell(order);
    expect(result).toMatchObject({ status: "applied" });
    const { body } = await shop.api.get(`/sales/${sale.id}`);
    expect(body).toMatchObject({ external_id: "WC-7", metadata: { canal: "web" }, total: order.total });
    expect(await read(order.id)).toMatchObject({ status: "completed", sale_id: sale.id });
    expect(await flagged()).toEqual([]);
  });

  test("is one: a second one stays a sale, linked and flagged", async () => {
    const order = await place();
    const first = await sell(order, other);
    const second = await sell(order);
    expect(second.result).toMatchObject({ status: "applied" });
    expect(await read(order.id)).toMatchObject({ sale_id: first.sale.id, extra_sale_ids: [second.sale.id] });
    expect((await shop.api.get(`/sales/${second.sale.id}`)).body.status).toBe("completed");
    expect(await flagged()).toMatchObject([{ record_id: second.sale.id, findings: [{ field: "order_id" }] }]);
    expect(await events()).toEqual(["order.placed", "order.completed"]);
  });

  test("of an order that is over stays a sale, and the order stays over", async () => {
    const order = await place();
    await shop.api.post(`/orders/${order.id}/cancel`, {});
    const { sale } = await sell(order);
    expect(await read(order.id)).toMatchObject({ status: "cancelled", sale_id: null, extra_sale_ids: [sale.id] });
    expect(await flagged()).toMatchObject([{ record_id: sale.id }]);
  });

  test("that is still open completes nothing until it is charged, and once", async () => {
    const order = await place();
    const { sale } = await sell(order, till, { status: "open" });
    expect((await read(order.id)).status).toBe("placed");
    const { items, total, occurred_at } = sale;
    const data = { status: "completed", items, total, occurred_at, order_id: order.id };
    await till.put("sale", { id: sale.id, ...data });
    await till.put("sale", { id: sale.id, ...data, notes: "con servilletas" });
    expect(await read(order.id)).toMatchObject({ status: "completed", sale_id: sale.id, extra_sale_ids: [] });
    expect(await events()).toEqual(["order.placed", "order.completed"]);
  });

  test("of a register that does not take orders is a sale and nothing else", async () => {
    const order = await place();
    const plain = await enrol(service, shop.accountId, { name: "Caja vieja" });
    await sell(order, plain);
    expect((await read(order.id)).status).toBe("placed");
  });

  test("an order accepted, readied and sold in one push goes through each once", async () => {
    const order = await place();
    const at = await enrol(service, shop.accountId, { name: "Caja 3", capabilities: takesOrders });
    const steps = ["accepted", "ready"].map((status) => ({ type: "order", id: order.id, data: { status } }));
    const answer = await at.push(steps);
    expect(answer.body.results.map(({ status }: Json) => status)).toEqual(["applied", "applied"]);
    await sell(order, at);
    expect(await events()).toEqual(["order.placed", "order.accepted", "order.ready", "order.completed"]);
  });
});
