import { expect, test } from "vitest";
import { day } from "../../src/lib/clock.ts";
import { readSentRequest } from "../../src/webhooks/history/sent-request.ts";
import { deliveryOf, sharedHooks } from "../support/webhooks.ts";

const hooks = sharedHooks();

test("after the test clock was moved ahead, an event has its time and the signature the world's", async () => {
  const { service, receiver } = hooks;
  const business = await service.business();
  const endpoint = await hooks.endpoint(business, { types: ["customer.created"] });
  hooks.advance(3 * day);
  await business.api.post("/customers", { name: "Ana" });
  // The receiver checks every signature with a foreign library, by the world's clock and its 300 s.
  const [got] = await receiver.arrivals(endpoint.path, 1);
  const header = String(got!.headers["service-signature"]);
  const signedAt = Number(/^t=(\d+),/.exec(header)![1]) * 1000;
  expect(Math.abs(signedAt - Date.now())).toBeLessThan(60_000);
  expect(Date.parse(got!.body.created_at) - Date.now()).toBeGreaterThan(2.9 * day);

  const { id, attempts } = await deliveryOf(service, endpoint.id, "delivered");
  expect(Date.parse(attempts[0].at) - Date.now()).toBeGreaterThan(2.9 * day);
  const shown = await readSentRequest(service.deps, business.accountId, id);
  expect(shown!.headers["Service-Signature"]).toBe(header);
});
