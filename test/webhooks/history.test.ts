import { describe, expect, test } from "vitest";
import { withAccountLock } from "../../src/access/accounts/account-lock.ts";
import { sql } from "../../src/db/sql.ts";
import { day, hour, minute } from "../../src/lib/clock.ts";
import { continueResend, readResend, startResend } from "../../src/webhooks/queue/resend-period.ts";
import { eventually } from "../support/eventually.ts";
import { perTest } from "../support/fixtures.ts";
import { refuseTransaction } from "../support/interfere.ts";
import { openAgain, openPortal } from "../support/portal.ts";
import { failWith, sharedHooks } from "../support/webhooks.ts";

const hooks = sharedHooks();

const portal = perTest(() => openPortal(hooks.service));
const endpoint = perTest(() => hooks.endpoint(portal.business, { types: ["customer.created", "customer.updated"] }));

const list = async (query = "") => (await portal.get(`/webhook-endpoints/${endpoint.id}/deliveries${query}`)).body;
const settled = (state: string, count: number) =>
  eventually(async () => {
    const { data } = await list(`?state=${state}&limit=100`);
    return data.length === count && data;
  });

test("a delivery shows its attempts, the next one, and what to do about a failure", async () => {
  hooks.receiver.answers.set(endpoint.path, failWith(404));
  await portal.business.api.post("/customers", { name: "Ana" });
  await hooks.receiver.arrivals(endpoint.path, 1);
  const [pending] = await eventually(async () => {
    const { data } = await list("?state=pending");
    return data[0]?.attempts.length === 1 && data;
  });
  expect(pending).toMatchObject({
    event_type: "customer.created",
    state: "pending",
    attempts: [{ status: 404, failure: "status", remote_address: "127.0.0.1", hint: expect.stringContaining("404") }],
  });
  const [attempt] = pending.attempts;
  expect(new Date(pending.next_attempt_at).getTime() - new Date(attempt.at).getTime()).toBe(minute);
  expect((await portal.get(`/deliveries/${pending.id}`)).body).toEqual(pending);
});

test("a search finds a delivery by its own id or its event's, in any state", async () => {
  for (let i = 0; i < 3; i++) await portal.business.api.post("/customers", { name: `${i}` });
  const delivered = await settled("delivered", 3);
  for (const { id, event_id } of delivered) {
    expect((await list(`?q=${id}`)).data.map((one: { id: string }) => one.id)).toEqual([id]);
    expect((await list(`?q=${event_id.toUpperCase()}`)).data.map((one: { id: string }) => one.id)).toEqual([id]);
  }
  hooks.receiver.answers.set(endpoint.path, failWith(500));
  await portal.business.api.post("/customers", { name: "pendiente" });
  const [pending] = await settled("pending", 1);
  expect((await list(`?q=${pending.event_id}`)).data).toHaveLength(1);
  expect((await list("?q=4b7b4d1c-2f3e-4f6e-9a51-3a5c0d0f0c11")).data).toEqual([]);
  expect((await portal.get(`/webhook-endpoints/${endpoint.id}/deliveries?q=nada`)).body.error.param).toBe("q");
});

test("a delivery that completes while the list is being read appears in it once", async () => {
  let writing = true;
  const writes = Array.from({ length: 60 }, (_, i) => portal.business.api.post("/customers", { name: `${i}` }));
  const written = Promise.all(writes).finally(() => {
    writing = false;
  });
  let most = 0;
  while (writing || most < 60) {
    const { data } = await list("?limit=100");
    expect(new Set(data.map((one: { id: string }) => one.id)).size).toBe(data.length);
    // Nothing that was listed disappears while it moves from the queue to the history.
    expect(data.length).toBeGreaterThanOrEqual(most);
    most = data.length;
  }
  await written;
});

test("pages have no gaps and no repetitions, whatever is still pending", async () => {
  for (let i = 0; i < 12; i++) await portal.business.api.post("/customers", { name: `${i}` });
  await settled("delivered", 12);
  hooks.receiver.answers.set(endpoint.path, failWith(500));
  for (let i = 0; i < 5; i++) await portal.business.api.post("/customers", { name: `${i}` });
  await settled("pending", 5);
  const seen: string[] = [];
  for (let cursor = ""; ; ) {
    const page = await list(`?limit=4${cursor}`);
    seen.push(...page.data.map((one: { id: string }) => one.id));
    if (!page.has_more) break;
    cursor = `&starting_after=${page.next_cursor}`;
  }
  const all = (await list("?limit=100")).data.map((one: { id: string }) => one.id);
  expect(seen).toEqual(all);
  expect(new Set(seen).size).toBe(17);
  expect(seen).toEqual([...seen].sort().reverse());
  const first = await list("?limit=4");
  const stolen = await portal.get(
    `/webhook-endpoints/${endpoint.id}/deliveries?limit=4&state=failed&starting_after=${first.next_cursor}`,
  );
  expect(stolen.body.error.code).toBe("INVALID_CURSOR");
});

test("the list is filtered by type and by time", async () => {
  const { body } = await portal.business.api.post("/customers", { name: "Ana" });
  await settled("delivered", 1);
  hooks.advance(hour);
  const between = hooks.service.deps.clock.now().toISOString();
  await portal.business.api.patch(`/customers/${body.id}`, { name: "Luz" });
  await settled("delivered", 2);
  const types = async (query: string) => (await list(query)).data.map((one: { event_type: string }) => one.event_type);
  expect(await types("?type=customer.updated")).toEqual(["customer.updated"]);
  expect(await types(`?created_until=${between}`)).toEqual(["customer.created"]);
  expect(await types(`?created_since=${between}`)).toEqual(["customer.updated"]);
});

test("a delivery can be resent any number of times, under its own id and with the same bytes", async () => {
  await portal.business.api.post("/customers", { name: "Ana" });
  const [delivery] = await settled("delivered", 1);
  for (let i = 2; i <= 4; i++) {
    expect((await portal.post(`/deliveries/${delivery.id}/resend`)).status).toBe(202);
    await hooks.receiver.arrivals(endpoint.path, i);
    await eventually(async () => (await portal.get(`/deliveries/${delivery.id}`)).body.attempts.length === i);
    await settled("delivered", 1);
  }
  const all = hooks.receiver.on(endpoint.path);
  expect(new Set(all.map(({ deliveryId }) => deliveryId))).toEqual(new Set([delivery.id]));
  expect(new Set(all.map(({ raw }) => raw.toString())).size).toBe(1);
  const test = (await portal.post(`/webhook-endpoints/${endpoint.id}/test`)).body.delivery_id;
  await eventually(async () => (await portal.get(`/deliveries/${test}`)).body.state === "delivered");
  expect((await portal.post(`/deliveries/${test}/resend`)).status).toBe(202);
  await hooks.receiver.arrivals(endpoint.path, 6);
});

test("a delivery that is pending, another account's, or of a deactivated endpoint cannot be resent", async () => {
  await portal.business.api.post("/customers", { name: "Ana" });
  const [delivery] = await settled("delivered", 1);
  expect((await (await openPortal(hooks.service)).post(`/deliveries/${delivery.id}/resend`)).status).toBe(404);
  await hooks.service.deps.pool.query(
    sql`update webhook_endpoints set status = 'deactivated' where id = ${endpoint.id}`,
  );
  expect((await portal.post(`/deliveries/${delivery.id}/resend`)).body.error.code).toBe("ENDPOINT_STATE");
  await hooks.service.deps.pool.query(sql`update webhook_endpoints set status = 'active' where id = ${endpoint.id}`);
  hooks.receiver.answers.set(endpoint.path, failWith(500));
  await portal.post(`/deliveries/${delivery.id}/resend`);
  const again = await portal.post(`/deliveries/${delivery.id}/resend`);
  expect([again.status, again.body.error.code]).toEqual([409, "DELIVERY_PENDING"]);
});

test("the failures of a period are counted and resent with visible progress, each only once", async () => {
  await hooks.stopWorker();
  const since = hooks.service.deps.clock.now().toISOString();
  const total = 1203;
  for (let i = 0; i < 3; i++) await hooks.writeCustomers(portal.business, total / 3);
  await hooks.service.deps.pool.query(sql`
    with moved as (delete from webhook_queue where endpoint_id = ${endpoint.id} returning *)
    insert into webhook_deliveries (account_id, created_at, id, endpoint_id, event_id, event_type, is_test, state, attempts)
    select account_id, created_at, id, endpoint_id, event_id, event_type, false, 'failed', '[]' from moved`);
  // Each version takes a millisecond of its own, so that so many at once run ahead of the clock.
  const until = new Date(hooks.service.deps.clock.now().getTime() + total + 1_000).toISOString();
  const period = { since, until };
  const query = new URLSearchParams(period);
  expect((await portal.get(`/webhook-endpoints/${endpoint.id}/failed-count?${query.toString()}`)).body).toEqual({
    count: total,
    failed: total,
    dropped: 0,
  });
  await hooks.restart();
  const started = await portal.post(`/webhook-endpoints/${endpoint.id}/resends`, period);
  expect([started.status, started.body]).toMatchObject([202, { total, resent: 0, state: "running" }]);
  const path = `/webhook-endpoints/${endpoint.id}/resends/${started.body.id}`;
  await eventually(async () => (await portal.get(path)).body.state === "done");
  expect((await portal.get(path)).body).toMatchObject({ total, resent: total });
  const all = await hooks.receiver.arrivals(endpoint.path, total);
  expect(new Set(all.map(({ deliveryId }) => deliveryId)).size).toBe(total);
  expect(all).toHaveLength(total);
});

test("after 30 days the history is dropped with its partitions, and the queue keeps moving", async () => {
  await portal.business.api.post("/customers", { name: "Ana" });
  const [delivery] = await settled("delivered", 1);
  hooks.advance(29 * day);
  expect((await portal.get(`/deliveries/${delivery.id}`)).status).toBe(401);
  const later = await openAgain(hooks.service, portal.business, portal.email);
  expect((await later.get(`/deliveries/${delivery.id}`)).status).toBe(200);
  hooks.receiver.answers.set(endpoint.path, failWith(500));
  expect((await later.post(`/deliveries/${delivery.id}/resend`)).status).toBe(202);
  await eventually(async () => (await later.get(`/deliveries/${delivery.id}`)).body.attempts.length === 2);
  hooks.advance(2 * day);
  const { deps } = hooks.service;
  const dropped = await deps.partitions.dropExpired(deps.clock.now());
  expect(dropped.some((name) => name.startsWith("webhook_deliveries_"))).toBe(true);
  expect(dropped.some((name) => name.startsWith("mails_"))).toBe(true);
  // Its event was dropped with the same day: when its next attempt is due nothing can be sent, and nothing remains.
  hooks.advance(day);
  await eventually(
    async () => (await deps.pool.query(sql`select 1 from webhook_queue where id = ${delivery.id}`)).rowCount === 0,
  );
});

test("a resend over the widest period that can be named ends too", async () => {
  const period = { since: "0001-01-01T00:00:00+14:00", until: "9999-12-31T23:59:59.999-14:00" };
  await hooks.writeCustomer(portal.business, "Ana");
  hooks.receiver.answers.set(endpoint.path, failWith(410));
  await hooks.receiver.arrivals(endpoint.path, 1);
  await hooks.service.deps.pool.query(sql`
    with ended as (delete from webhook_queue where endpoint_id = ${endpoint.id} returning *)
    insert into webhook_deliveries (account_id, created_at, id, endpoint_id, event_id, event_type, is_test, state, attempts)
    select account_id, created_at, id, endpoint_id, event_id, event_type, false, 'failed', attempts from ended`);
  const started = await portal.post(`/webhook-endpoints/${endpoint.id}/resends`, period);
  expect([started.status, started.body.since, started.body.until]).toEqual([
    202,
    "0000-12-31T10:00:00.000Z",
    "+010000-01-01T13:59:59.999Z",
  ]);
  await eventually(async () => {
    const { body } = await portal.get(`/webhook-endpoints/${endpoint.id}/resends/${started.body.id}`);
    return body.state === "done";
  });
});

describe("a resend", () => {
  const begin = async () => {
    const { deps } = hooks.service;
    const { accountId } = portal.business;
    await hooks.writeCustomer(portal.business, "Ana");
    await deps.pool.query(sql`
      with ended as (delete from webhook_queue where endpoint_id = ${endpoint.id} returning *)
      insert into webhook_deliveries (account_id, created_at, id, endpoint_id, event_id, event_type, is_test, state, attempts)
      select account_id, created_at, id, endpoint_id, event_id, event_type, false, 'failed', attempts from ended`);
    const states = ["failed"] as const;
    const period = { accountId, endpointId: endpoint.id, since: new Date(0), until: new Date("9999-12-31"), states };
    return withAccountLock(deps, accountId, (client) => startResend(client, period, deps.clock.now()));
  };
  const stateOf = async (id: string) =>
    (await readResend(hooks.service.deps.pool, portal.business.accountId, endpoint.id, id))!.state;

  test("that the database interrupted continues without a restart", async () => {
    const { deps } = hooks.service;
    await hooks.stopWorker();
    const { id } = await begin();
    const { connect } = deps.pool;
    refuseTransaction(deps.pool);
    await hooks.restart();
    await eventually(() => deps.pool.connect === connect);
    hooks.advance(minute);
    await eventually(async () => (await stateOf(id)) === "done");
    await hooks.receiver.arrivals(endpoint.path, 1);
  });

  test("stops when its account loses the plan, and leaves the remaining deliveries as they were", async () => {
    await hooks.stopWorker();
    const { id } = await begin();
    await hooks.setPlan(portal.business, "basic");
    await continueResend(hooks.service.deps, portal.business.accountId, id);
    expect(await stateOf(id)).toBe("stopped");
    expect((await hooks.deliveries(endpoint)).map(({ state }) => state)).toEqual(["failed"]);
  });
});
