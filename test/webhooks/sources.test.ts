import { expect, test } from "vitest";
import { withAccountLock } from "../../src/access/accounts/account-lock.ts";
import type { EventType } from "../../src/engine/events/event-types.ts";
import { createEndpoint } from "../../src/webhooks/endpoints/create-endpoint.ts";
import { secretBox } from "../../src/webhooks/endpoints/secret-box.ts";
import { orderingShop } from "../support/orders.ts";
import { openAgain } from "../support/portal.ts";
import { deliveriesOf } from "../support/webhooks.ts";

const { service, shop, till, place, sell } = orderingShop();
const types: EventType[] = ["order.placed", "order.completed", "sale.completed", "customer.created"];

async function endpoint(sources: string[] | null) {
  const { deps } = service;
  const owner = await openAgain(service, shop, "");
  const url = "https://hooks.example.com/x";
  const { id } = await withAccountLock(deps, shop.accountId, (client) =>
    createEndpoint(client, secretBox(deps.config.secretKey), shop.accountId, { url, event_types: types }, new Date()),
  );
  const set = await owner.patch(`/webhook-endpoints/${id}/sending`, { sources });
  expect(set.body.sources).toEqual(sources);
  return async () => (await deliveriesOf(service, id)).map(({ event_type }) => event_type).toSorted();
}

test("an endpoint of some sources gets their orders and the sales that came of them, and what has no source", async () => {
  const all = await endpoint(null);
  const rappi = await endpoint(["rappi"]);
  const counter = await endpoint(["Caja"]);
  const both = await endpoint(["Rappi", "Caja"]);
  const order = await place({ source: "Rappi" });
  await place({ source: "Web" });
  await sell(order, till);
  await sell({ ...order, id: undefined }, till);
  await shop.api.post("/customers", { name: "De nadie" });
  const ofRappi = ["customer.created", "order.completed", "order.placed", "sale.completed"];
  expect(await rappi()).toEqual(ofRappi);
  expect(await counter()).toEqual(["customer.created", "sale.completed"]);
  expect(await both()).toEqual([...ofRappi, "sale.completed"]);
  expect(await all()).toEqual([...ofRappi, "order.placed", "sale.completed"].toSorted());
});

test.each([[[]], [[" "]], [["a", "a"]], [Array.from({ length: 21 }, (_, i) => `f${i}`)], ["Rappi"]])(
  "%j is refused",
  async (sources) => {
    const owner = await openAgain(service, shop, "");
    await endpoint(null);
    const [{ id }] = (await owner.get("/webhook-endpoints")).body.data;
    const refused = await owner.patch(`/webhook-endpoints/${id}/sending`, { sources });
    expect(refused.status).toBe(400);
    expect(refused.body.error.param).toMatch(/^sources/);
  },
);
