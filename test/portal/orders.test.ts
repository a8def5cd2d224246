import { describe, expect, test } from "vitest";
import { orderingShop } from "../support/orders.ts";
import { enterAs } from "../support/people.ts";
import { openAgain } from "../support/portal.ts";

const { service, shop, till, place, read, step, reserved, events } = orderingShop();
const owner = () => openAgain(service, shop, "");

describe("Pedidos in the portal", () => {
  test("lists what was ordered, by state, source and who asked", async () => {
    const first = await place({ source: "Tienda web", contact: { name: "María Gómez" }, external_id: "WC-9" });
    const second = await place({ source: "Domicilios" });
    await shop.api.post(`/orders/${second.id}/cancel`, {});
    const portal = await owner();
    const ids = async (query: string) =>
      (await portal.get(`/orders?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids("")).toEqual([second.id, first.id]);
    expect(await ids("status=placed")).toEqual([first.id]);
    expect(await ids("source=Domicilios")).toEqual([second.id]);
    for (const q of ["gomez", "WC-9", `${first.number}`.padStart(1)])
      if (q.length >= 2) expect(await ids(`q=${q}`)).toEqual([first.id]);
    expect((await portal.get("/orders/totals")).body).toEqual({ count: 2, open: 1, total: 0 });
    const file = (await portal.download("/tables/orders.csv")).bytes.toString("utf8");
    expect(file).toContain("María Gómez");
    expect((await portal.get(`/orders/${first.id}`)).body.order).toEqual(await read(first.id));
  });

  test("accepting keeps stock apart, and stands in the audit log", async () => {
    const order = await place();
    const portal = await owner();
    const { status, body } = await portal.post(`/orders/${order.id}/accept`, { minutes: 25 });
    expect([status, body.order]).toEqual([200, expect.objectContaining({ status: "accepted", register_id: null })]);
    expect(await read(order.id)).toEqual(body.order);
    expect(await reserved()).toBe(2);
    expect(await events()).toEqual(["order.placed", "order.accepted"]);
    const [entry] = (await portal.get("/audit-log")).body.data;
    expect(entry.action).toBe("order.accepted");
  });

  test("whoever is second is told how the order stands", async () => {
    const order = await place();
    await step(order.id, "accepted", till);
    const portal = await owner();
    const { status, body } = await portal.post(`/orders/${order.id}/accept`, {});
    expect([status, body.error.code]).toEqual([409, "CONFLICT"]);
    const rejected = await portal.post(`/orders/${order.id}/reject`, { reason: "Se acabó el gas" });
    expect(rejected.body.order).toMatchObject({ status: "rejected", rejected_reason: "Se acabó el gas" });
    expect(await reserved()).toBe(0);
    expect(await step(order.id, "ready", till)).toMatchObject({ status: "merged", record: { status: "rejected" } });
  });

  test("who only reads decides nothing, and a stranger sees nothing", async () => {
    const order = await place();
    const accountant = await enterAs(service, shop, "accountant");
    expect((await accountant.get(`/orders/${order.id}`)).status).toBe(200);
    expect((await accountant.post(`/orders/${order.id}/accept`, {})).status).toBe(403);
    const stranger = await openAgain(service, await service.business(), "");
    expect((await stranger.get(`/orders/${order.id}`)).status).toBe(404);
    expect((await stranger.post(`/orders/${order.id}/accept`, {})).status).toBe(404);
    expect((await read(order.id)).status).toBe("placed");
  });
});
