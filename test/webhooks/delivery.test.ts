import { afterAll, beforeAll, expect, test } from "vitest";
import { deliveriesOf, eventually, type Hooks, startHooks } from "../support/webhooks.ts";

let hooks: Hooks;
beforeAll(async () => {
  hooks = await startHooks();
});
afterAll(() => hooks[Symbol.asyncDispose]());

test("an event reaches a subscribed endpoint with the documented body and headers", async () => {
  const business = await hooks.service.business();
  const endpoint = await hooks.endpoint(business, { types: ["customer.created"] });
  const customer = (await business.api.post("/customers", { name: "Ana Ñáñez «☕»" })).body;
  const [got] = await hooks.receiver.arrivals(endpoint.path, 1);

  const [event] = (await business.api.get("/events")).body.data;
  expect(Object.keys(got!.body)).toEqual(["id", "type", "created_at", "api_version", "data"]);
  expect(got!.body).toEqual({
    id: event.id,
    type: "customer.created",
    created_at: event.created_at,
    api_version: "2026-09-28",
    data: { object: customer },
  });
  expect(got!.headers).toMatchObject({
    "content-type": "application/json",
    "service-event-id": event.id,
    "service-event-type": "customer.created",
    "service-delivery-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    "service-signature": expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
    "user-agent": expect.stringMatching(/^Service-Webhooks\/1\.0 /),
  });
  const [delivery] = await eventually(async () => {
    const found = await deliveriesOf(hooks.service, endpoint.id);
    return found[0]?.state === "delivered" && found;
  });
  expect(delivery).toMatchObject({ id: got!.deliveryId, event_id: event.id, state: "delivered" });
  expect(delivery!.attempts).toEqual([
    {
      at: expect.any(String),
      duration_ms: expect.any(Number),
      status: 200,
      failure: null,
      remote_address: "127.0.0.1",
    },
  ]);
});
