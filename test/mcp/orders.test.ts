import { describe, expect, test } from "vitest";
import type { Scope } from "../../src/engine/resources/scopes.ts";
import { assistantOverHttp, assistantOverStdio } from "../support/assistant.ts";
import { orderingShop } from "../support/orders.ts";

const { service, shop, product, place, read, step, reserved, events } = orderingShop();

const withKey = async (scopes?: Scope[]) => {
  const { key } = scopes ? await service.key(shop.accountId, { scopes }) : shop;
  return assistantOverHttp(service.baseUrl, key);
};
const audited = async () =>
  (await shop.api.get("/audit-log?actor=assistant&order=asc")).body.data.map(({ action, details }: Audited) => [
    action,
    details.order_id,
  ]);
interface Audited {
  action: string;
  details: { order_id: string };
}

describe("orders in the hands of an assistant", () => {
  test("are listed while somebody has to act, the one that waits longest first, and shown whole", async () => {
    await using assistant = await withKey();
    const [first, second, third] = [await place({ external_id: "A-1" }), await place(), await place()];
    await step(second.id, "accepted");
    await step(third.id, "rejected", undefined, { reason: "No hay" });
    const { orders, has_more } = await assistant.use("waiting_orders");
    expect(orders.map(({ id, status }: typeof first) => [id, status])).toEqual([
      [first.id, "placed"],
      [second.id, "accepted"],
    ]);
    expect([has_more, orders[0].waiting_minutes, orders[0].lines]).toEqual([false, 0, 1]);
    expect((await assistant.use("waiting_orders", { limit: 1 })).orders).toHaveLength(1);
    expect((await assistant.use("waiting_orders", { status: "rejected" })).orders[0].id).toBe(third.id);
    const shown = await assistant.use("show_order", { external_id: "A-1" });
    expect(shown.orders).toEqual([await read(first.id)]);
    expect((await assistant.use("show_order", { order_id: second.id })).orders[0].id).toBe(second.id);
    expect(await assistant.refusal("show_order", {})).toMatchObject({ param: "order_id" });
    expect(await assistant.refusal("show_order", { external_id: "NADA" })).toMatchObject({ code: "NOT_FOUND" });
  });

  test("are made when their total was agreed to, once, with a line in the audit log", async () => {
    await using assistant = await withKey(["orders:write"]);
    const order = { items: [{ product_id: product.id, quantity: 60 }], contact: { name: "Eva" } };
    const shown = await assistant.use("create_order", order);
    expect(shown).toMatchObject({
      done: false,
      summary: "Se haría un pedido de Eva, para recoger, por $192.000.",
      total: 192_000,
    });
    expect(shown.warnings).toEqual([expect.stringMatching(/^No alcanza: se piden 60 de Gaseosa y hay 50\.$/)]);
    expect(await events()).toEqual([]);
    const sure = { ...order, confirmation: shown.confirmation };
    const made = await assistant.use("create_order", sure);
    expect(made).toMatchObject({ done: true, order: { status: "placed", total: 192_000 } });
    expect((await assistant.use("create_order", sure)).order.id).toBe(made.order.id);
    expect(await events()).toEqual(["order.placed"]);
    expect(await audited()).toEqual([["assistant.order_created", made.order.id]]);
    const other = { ...sure, items: [{ product_id: product.id, quantity: 61 }] };
    expect(await assistant.refusal("create_order", other)).toMatchObject({ param: "confirmation" });
  });

  test("are cancelled as they were shown: not if somebody readied them meanwhile", async () => {
    await using assistant = await assistantOverStdio(service.baseUrl, shop.key);
    const order = await place({ payment: { status: "paid", method: "NEQUI" } });
    await step(order.id, "accepted");
    expect(await reserved()).toBe(2);
    const wanted = { order_id: order.id, reason: "Ya no viene" };
    const shown = await assistant.use("cancel_order", wanted);
    expect(shown.warnings).toEqual([expect.stringContaining("devolver el dinero")]);
    await step(order.id, "ready");
    expect(await assistant.refusal("cancel_order", { ...wanted, confirmation: shown.confirmation })).toMatchObject({
      code: "CONFLICT",
    });
    expect((await read(order.id)).status).toBe("ready");
    const { confirmation } = await assistant.use("cancel_order", wanted);
    for (const _twice of [1, 2])
      expect(await assistant.use("cancel_order", { ...wanted, confirmation })).toMatchObject({
        done: true,
        order: { status: "cancelled" },
      });
    expect([await reserved(), (await read(order.id)).cancelled_reason]).toEqual([0, "Ya no viene"]);
    expect(await audited()).toEqual([["assistant.order_cancelled", order.id]]);
  });

  test("are out of reach of a key without their scopes", async () => {
    await using reader = await withKey(["orders:read"]);
    const names = (await reader.toolNames()).filter((name) => name.includes("order"));
    expect(names).toEqual(["waiting_orders", "show_order"]);
    const { id } = await place();
    for (const [tool, input] of [
      ["cancel_order", { order_id: id }],
      ["create_order", { items: [{ product_id: product.id, quantity: 1 }] }],
    ] as const)
      expect(await reader.refusal(tool, input)).toMatchObject({ code: "INSUFFICIENT_SCOPE" });
    expect((await read(id)).status).toBe("placed");
  });
});
