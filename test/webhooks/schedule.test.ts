import { expect, test } from "vitest";
import { hour, minute } from "../../src/lib/clock.ts";
import { caps } from "../../src/webhooks/queue/concurrency-caps.ts";
import { eventually } from "../support/eventually.ts";
import { deliveryOf, failWith, sharedHooks } from "../support/webhooks.ts";

// All tests of this file move the one clock forward.
const hooks = sharedHooks();

test("each of the eight attempts is due to the second, with the same bytes and delivery id; then the delivery has failed", async () => {
  const business = await hooks.service.business();
  const endpoint = await hooks.endpoint(business, { types: ["customer.created"] });
  hooks.receiver.answers.set(endpoint.path, failWith(500));
  await business.api.post("/customers", { name: "Ana" });
  const waits = [minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];
  for (const [i, wait] of waits.entries()) {
    await hooks.receiver.arrivals(endpoint.path, i + 1);
    const delivery = await eventually(async () => {
      const [found] = await hooks.deliveries(endpoint);
      return found!.attempts.length === i + 1 && found;
    });
    const attemptedAt = new Date(delivery.attempts.at(-1)!.at).getTime();
    expect(delivery.due_at!.getTime() - attemptedAt).toBe(wait);
    // Nothing is sent before its time. The clock keeps running while the worker polls.
    hooks.advance(delivery.due_at!.getTime() - minute / 2 - hooks.service.deps.clock.now().getTime());
    await hooks.looked();
    expect(hooks.receiver.on(endpoint.path)).toHaveLength(i + 1);
    hooks.advance(minute / 2);
  }
  const all = await hooks.receiver.arrivals(endpoint.path, 8);
  const delivery = await deliveryOf(hooks.service, endpoint.id, "failed");
  expect(delivery.attempts.map(({ status, failure }) => [status, failure])).toEqual(Array(8).fill([500, "status"]));
  expect(new Set(all.map(({ raw }) => raw.toString())).size).toBe(1);
  expect(new Set(all.map(({ deliveryId }) => deliveryId))).toEqual(new Set([delivery.id]));
  hooks.advance(48 * hour);
  await hooks.looked();
  expect(hooks.receiver.on(endpoint.path)).toHaveLength(8);
});

test("a retry that succeeds ends the delivery", async () => {
  const business = await hooks.service.business();
  const endpoint = await hooks.endpoint(business, { types: ["customer.created"] });
  hooks.receiver.answers.set(endpoint.path, failWith(503));
  await business.api.post("/customers", { name: "Ana" });
  await hooks.receiver.arrivals(endpoint.path, 1);
  await eventually(async () => (await hooks.deliveries(endpoint))[0]!.attempts.length === 1);
  hooks.receiver.answers.delete(endpoint.path);
  hooks.advance(minute);
  const delivery = await deliveryOf(hooks.service, endpoint.id, "delivered");
  expect(delivery.attempts.map(({ status }) => status)).toEqual([503, 200]);
});

test("after a rotation, deliveries carry two signatures for 24 h, the new secret's first, and one from then on", async () => {
  const business = await hooks.service.business();
  const endpoint = await hooks.endpoint(business, { types: ["customer.created"] });
  const next = await hooks.rotate(business, endpoint);
  hooks.receiver.secrets.set(endpoint.path, [next, endpoint.secret]);
  const signaturesOf = async (count: number) => {
    await business.api.post("/customers", { name: "Ana" });
    const got = (await hooks.receiver.arrivals(endpoint.path, count)).at(-1)!;
    return String(got.headers["service-signature"]).match(/v1=[0-9a-f]{64}/g)!;
  };
  expect(await signaturesOf(1)).toHaveLength(2);
  hooks.advance(24 * hour - minute);
  const both = await signaturesOf(2);
  expect(both).toHaveLength(2);
  hooks.receiver.secrets.set(endpoint.path, [next]);
  hooks.advance(minute);
  expect(await signaturesOf(3)).toHaveLength(1);
});

test("a paused endpoint keeps its pending deliveries and queues no new ones; resumed, it continues", async () => {
  const business = await hooks.service.business();
  const endpoint = await hooks.endpoint(business, { types: ["customer.created"] });
  hooks.receiver.answers.set(endpoint.path, failWith(500));
  await business.api.post("/customers", { name: "antes" });
  await eventually(async () => (await hooks.deliveries(endpoint))[0]?.attempts.length === 1);
  await hooks.setStatus(business, endpoint, "pause");
  await business.api.post("/customers", { name: "durante" });
  hooks.advance(hour);
  await hooks.looked();
  expect(hooks.receiver.on(endpoint.path)).toHaveLength(1);
  hooks.receiver.answers.delete(endpoint.path);
  await hooks.setStatus(business, endpoint, "resume");
  await hooks.receiver.arrivals(endpoint.path, 2);
  await business.api.post("/customers", { name: "después" });
  const all = await hooks.receiver.arrivals(endpoint.path, 3);
  expect(all.map(({ body }) => body.data.object.name)).toEqual(["antes", "antes", "después"]);
});

test("losing Pro discards pending deliveries at once and records no events; regaining it resends nothing", async () => {
  const business = await hooks.service.business();
  const endpoint = await hooks.endpoint(business, { types: ["customer.created"] });
  hooks.receiver.answers.set(endpoint.path, failWith(500));
  await business.api.post("/customers", { name: "antes" });
  await eventually(async () => (await hooks.deliveries(endpoint))[0]?.attempts.length === 1);
  await hooks.setPlan(business, "basic");
  expect(await deliveryOf(hooks.service, endpoint.id, "dropped")).toMatchObject({ attempts: [{ status: 500 }] });
  await hooks.writeCustomer(business, "sin Pro");
  hooks.advance(3 * hour);
  await hooks.looked();
  await hooks.setPlan(business, "pro");
  hooks.receiver.answers.delete(endpoint.path);
  hooks.advance(40 * hour);
  await hooks.writeCustomer(business, "con Pro");
  const all = await hooks.receiver.arrivals(endpoint.path, 2);
  expect(all.map(({ body }) => body.data.object.name)).toEqual(["antes", "con Pro"]);
  const events = (await business.api.get("/events")).body.data;
  expect(events.map((event: { data: { object: { name: string } } }) => event.data.object.name)).toEqual([
    "con Pro",
    "antes",
  ]);
});

test("an attempt under way when Pro is lost is not retried", async () => {
  const business = await hooks.service.business();
  const endpoint = await hooks.endpoint(business, { types: ["customer.created"] });
  let release = () => {};
  hooks.receiver.answers.set(endpoint.path, (_got, response) => {
    release = () => response.writeHead(500).end();
  });
  await business.api.post("/customers", { name: "Ana" });
  await hooks.receiver.arrivals(endpoint.path, 1);
  await hooks.setPlan(business, "basic");
  release();
  const delivery = await deliveryOf(hooks.service, endpoint.id, "dropped");
  expect(delivery.attempts.map(({ status }) => status)).toEqual([500]);
});

test("deliveries that a worker has claimed but not sent are discarded too when Pro is lost", async () => {
  const business = await hooks.service.business();
  const endpoint = await hooks.endpoint(business, { types: ["customer.created"] });
  await hooks.writeCustomer(business, "calienta");
  await deliveryOf(hooks.service, endpoint.id, "delivered");
  const open: (() => void)[] = [];
  hooks.receiver.answers.set(endpoint.path, (_got, response) => {
    open.push(() => response.writeHead(204).end());
  });
  await hooks.writeCustomers(business, 2 * caps.perEndpoint);
  await hooks.receiver.arrivals(endpoint.path, 1 + caps.perEndpoint);
  await hooks.setPlan(business, "basic");
  hooks.receiver.answers.delete(endpoint.path);
  for (const answer of open) answer();
  const states = await eventually(async () => {
    const all = (await hooks.deliveries(endpoint)).map(({ state }) => state);
    return !all.includes("pending") && all;
  });
  expect(states.filter((state) => state === "dropped")).toHaveLength(caps.perEndpoint);
  expect(hooks.receiver.on(endpoint.path)).toHaveLength(1 + caps.perEndpoint);
});
