import { expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import type { EventType } from "../../src/engine/events/event-types.ts";
import { hour } from "../../src/lib/clock.ts";
import { tellOfEndpoints } from "../../src/webhooks/queue/tell-of-endpoints.ts";
import { eventually } from "../support/eventually.ts";
import { perTest } from "../support/fixtures.ts";
import { failWith, sharedHooks } from "../support/webhooks.ts";

const hooks = sharedHooks();
const told: EventType[] = ["webhook_endpoint.failing", "webhook_endpoint.deactivated", "webhook_endpoint.recovered"];
const business = perTest(() => hooks.service.business());
const endpoint = perTest(() => hooks.endpoint(business, { types: ["customer.created", ...told] }));
const witness = perTest(() => hooks.endpoint(business, { types: told }));
const plain = perTest(() => hooks.endpoint(business, { types: ["sale.completed"] }));

const state = async () =>
  (
    await hooks.service.deps.pool.query(sql`
      select status, consecutive_failures, failing_since, to_announce from webhook_endpoints where id = ${endpoint.id}`)
  ).rows[0];

/** Fails until the run has this length and has lasted so long, and tells what came of it. */
async function fail(count: number, forMs: number) {
  const { deps } = hooks.service;
  hooks.receiver.answers.set(endpoint.path, failWith(503));
  const until = async (length: number) => {
    const { consecutive_failures: already } = await state();
    for (let i = already; i < length; i++) await business.api.post("/customers", { name: `${i}` });
    await eventually(async () => (await state()).consecutive_failures >= length);
  };
  await until(count - 1);
  await deps.pool.query(sql`
    update webhook_endpoints set failing_since = ${new Date(deps.clock.now().getTime() - forMs)} where id = ${endpoint.id}`);
  await until(count);
  await eventually(async () => (await state()).to_announce.length > 0);
  await tell();
}
const tell = () => tellOfEndpoints(hooks.service.deps, () => true);

async function recover() {
  hooks.receiver.answers.delete(endpoint.path);
  await business.api.post("/customers", { name: "Vuelve" });
  await eventually(async () => (await state()).consecutive_failures === 0);
}

test("what happens to one endpoint is told to the others that asked, and never to itself", async () => {
  await plain;
  await fail(10, 13 * hour);
  const [failing] = await hooks.receiver.arrivals(witness.path, 1);
  expect(failing?.body).toMatchObject({
    type: "webhook_endpoint.failing",
    data: {
      object: {
        ...{ object: "webhook_endpoint", id: endpoint.id, host: "hooks.example.com", status: "active", version: 1 },
        ...{ consecutive_failures: 10, last_failure: { failure: "status", status: 503 } },
      },
    },
  });
  await recover();
  await eventually(async () => (await state()).to_announce.length > 0);
  await tell();
  const [, recovered] = await hooks.receiver.arrivals(witness.path, 2);
  expect(recovered?.body.data.object).toMatchObject({ consecutive_failures: 0, failing_since: null, version: 2 });

  await fail(20, 25 * hour);
  const all = (await hooks.receiver.arrivals(witness.path, 3)).map(({ body }) => body.type);
  expect(all).toEqual(["webhook_endpoint.failing", "webhook_endpoint.recovered", "webhook_endpoint.deactivated"]);
  expect((await state()).status).toBe("deactivated");
  await hooks.looked();
  expect(hooks.receiver.on(endpoint.path).filter(({ body }) => body.type !== "customer.created")).toEqual([]);
  expect(hooks.receiver.on(plain.path)).toEqual([]);
  expect(hooks.receiver.on(witness.path)).toHaveLength(3);
});

test("a short run that nobody was told of ends without a word, and one that was told of ends once", async () => {
  hooks.receiver.answers.set(endpoint.path, failWith(500));
  await business.api.post("/customers", { name: "Falla" });
  await eventually(async () => (await state()).consecutive_failures > 0);
  await recover();
  expect((await state()).to_announce).toEqual([]);
  await fail(10, 13 * hour);
  await recover();
  await recover();
  await business.api.post("/customers", { name: "Otra vez" });
  await eventually(async () => (await state()).to_announce.length > 0);
  await tell();
  await tell();
  const { body } = await business.api.get("/events?order=asc&type=webhook_endpoint.failing,webhook_endpoint.recovered");
  expect(body.data.map(({ type }: { type: string }) => type)).toEqual(told.filter((type) => !/deac/.test(type)));
});

test("endpoints that fail to hear of each other tell nothing more of it", async () => {
  for (const one of [endpoint, witness]) hooks.receiver.answers.set(one.path, failWith(500));
  await fail(10, 13 * hour);
  await hooks.receiver.arrivals(witness.path, 1);
  await eventually(async () => (await hooks.deliveries(witness))[0]?.attempts.length === 1);
  await tell();
  await hooks.looked();
  const { body } = await business.api.get("/events?type=webhook_endpoint.failing");
  expect(body.data).toHaveLength(1);
});

test("the test environment tells of the newest endpoint what it is asked to", async () => {
  const call = (key: string) =>
    fetch(`${hooks.service.baseUrl}/test/v1/webhook-endpoint-events`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ type: "webhook_endpoint.recovered" }),
    });
  expect((await call((await hooks.service.business()).key)).status).toBe(404);
  const { id } = plain;
  const made = await call(business.key);
  expect([made.status, await made.json()]).toEqual([202, { id }]);
  const { body } = await business.api.get("/events?type=webhook_endpoint.recovered");
  expect(body.data[0].data.object).toMatchObject({ id, object: "webhook_endpoint" });
  const { key } = await hooks.service.key(business.accountId, { scopes: ["events:read"] });
  expect((await call(key)).status).toBe(403);
});
