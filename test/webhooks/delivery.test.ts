import { expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { eventually } from "../support/eventually.ts";
import { interfere } from "../support/interfere.ts";
import { deliveryOf, sharedHooks } from "../support/webhooks.ts";

const hooks = sharedHooks();

test("an event reaches a subscribed endpoint with the documented body and headers", async () => {
  const business = await hooks.service.business();
  const endpoint = await hooks.endpoint(business, { types: ["customer.created"] });
  const customer = (await business.api.post("/customers", { name: "Ana Ñáñez «☕»" })).body;
  const [got] = await hooks.receiver.arrivals(endpoint.path, 1);

  const [event] = (await business.api.get("/events")).body.data;
  expect(Object.keys(got!.body)).toEqual(["id", "type", "created_at", "sequence", "api_version", "data"]);
  expect(got!.body).toEqual({
    id: event.id,
    type: "customer.created",
    created_at: event.created_at,
    sequence: event.sequence,
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
  const delivery = await deliveryOf(hooks.service, endpoint.id, "delivered");
  expect(delivery).toMatchObject({ id: got!.deliveryId, event_id: event.id });
  expect(delivery.attempts).toEqual([
    {
      at: expect.any(String),
      duration_ms: expect.any(Number),
      status: 200,
      failure: null,
      remote_address: "127.0.0.1",
    },
  ]);
});

test("only the subscribed types are delivered, and each endpoint gets its own delivery", async () => {
  const business = await hooks.service.business();
  const both = await hooks.endpoint(business, { types: ["customer.created", "customer.updated"] });
  const one = await hooks.endpoint(business, { types: ["customer.updated"] });
  const { body } = await business.api.post("/customers", { name: "Ana" });
  await business.api.patch(`/customers/${body.id}`, { name: "Ana María" });
  const twice = await hooks.receiver.arrivals(both.path, 2);
  const [once] = await hooks.receiver.arrivals(one.path, 1);
  const updated = twice.find((got) => got.body.type === "customer.updated")!;
  expect(once!.raw.equals(updated.raw)).toBe(true);
  expect(once!.deliveryId).not.toBe(updated.deliveryId);
  expect(hooks.receiver.on(one.path)).toHaveLength(1);
});

test("any 2xx counts as delivered", async () => {
  const business = await hooks.service.business();
  const endpoint = await hooks.endpoint(business);
  const statuses = [200, 201, 202, 204, 299];
  hooks.receiver.answers.set(endpoint.path, (_got, response) => response.writeHead(statuses.shift()!).end());
  for (let i = 0; i < 5; i++) await business.api.post("/customers", { name: `${i}` });
  await hooks.receiver.arrivals(endpoint.path, 5);
  const found = await eventually(async () => {
    const all = await hooks.deliveries(endpoint);
    return all.every(({ state }) => state === "delivered") && all;
  });
  expect(found.flatMap(({ attempts }) => attempts.map(({ status }) => status)).toSorted((a, b) => a - b)).toEqual([
    200, 201, 202, 204, 299,
  ]);
});

test("an endpoint's connections are reused: a hundred deliveries open no more than its cap", async () => {
  const business = await hooks.service.business();
  const endpoint = await hooks.endpoint(business);
  const before = hooks.receiver.connections;
  for (let i = 0; i < 100; i++) await business.api.post("/customers", { name: `${i}` });
  await hooks.receiver.arrivals(endpoint.path, 100);
  expect(hooks.receiver.connections - before).toBeLessThanOrEqual(32);
});

test("an account without endpoints queues nothing, and one without Pro records no events", async () => {
  const business = await hooks.service.business();
  await business.api.post("/customers", { name: "Ana" });
  const { rows } = await hooks.service.deps.pool.query("select 1 from webhook_queue where account_id = $1", [
    business.accountId,
  ]);
  expect(rows).toEqual([]);
});

test("a worker that stops finishes the deliveries under way, and the next one sends those that are pending", async () => {
  const business = await hooks.service.business();
  const endpoint = await hooks.endpoint(business);
  let release = () => {};
  hooks.receiver.answers.set(endpoint.path, (_got, response) => {
    release = () => response.writeHead(200).end();
  });
  await business.api.post("/customers", { name: "Ana" });
  await hooks.receiver.arrivals(endpoint.path, 1);
  const stopping = hooks.stopWorker();
  await business.api.post("/customers", { name: "Luz" });
  release();
  await stopping;
  expect((await hooks.deliveries(endpoint)).map(({ state }) => state)).toEqual(["delivered", "pending"]);
  hooks.receiver.answers.delete(endpoint.path);
  await hooks.restart();
  await hooks.receiver.arrivals(endpoint.path, 2);
});

test("a delivery is not sent again while the database cannot store its result", async () => {
  const { pool } = hooks.service.deps;
  const business = await hooks.service.business();
  const endpoint = await hooks.endpoint(business, { types: ["customer.created"] });
  const back = Promise.withResolvers<void>();
  // The results of several accounts are stored together: this one must come alone to be held up.
  await eventually(async () => (await pool.query("select from webhook_queue")).rowCount === 0);
  interfere(pool, "insert into webhook_hours", async (run) => {
    await back.promise;
    return run();
  });
  await hooks.writeCustomer(business, "Ana");
  await hooks.receiver.arrivals(endpoint.path, 1);
  await pool.query(sql`
    update webhook_queue set leased_until = statement_timestamp() - interval '1 second' where endpoint_id = ${endpoint.id}`);
  // Its lease has expired, so the worker finds it due and claims it again.
  await eventually(async () => {
    const { rows } = await pool.query(sql`
      select from webhook_queue where endpoint_id = ${endpoint.id} and leased_until > clock_timestamp()`);
    return rows.length === 1;
  });
  await hooks.looked();
  back.resolve();
  await deliveryOf(hooks.service, endpoint.id, "delivered");
  expect(hooks.receiver.on(endpoint.path)).toHaveLength(1);
});
