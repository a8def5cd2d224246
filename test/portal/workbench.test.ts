import { beforeEach, describe, expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { eventTypes } from "../../src/engine/events/event-types.ts";
import { eventually } from "../support/eventually.ts";
import { openPortal, type Portal } from "../support/portal.ts";
import { deliveryOf, failWith, sharedHooks, type TestEndpoint } from "../support/webhooks.ts";

const hooks = sharedHooks();
let portal: Portal;
let endpoint: TestEndpoint;

beforeEach(async () => {
  portal = await openPortal(hooks.service);
  endpoint = await hooks.endpoint(portal.business);
});

describe("a pending delivery", () => {
  test("is tried again at once when its owner asks, as the next attempt of its series", async () => {
    hooks.receiver.answers.set(endpoint.path, failWith(500));
    await hooks.writeCustomer(portal.business, "Ana");
    const { id } = await deliveryOf(hooks.service, endpoint.id, "pending", ({ attempts }) => attempts.length === 1);
    hooks.receiver.answers.delete(endpoint.path);
    expect((await portal.post(`/deliveries/${id}/retry`)).status).toBe(202);
    const ended = await deliveryOf(hooks.service, endpoint.id, "delivered");
    expect(ended.attempts).toHaveLength(2);
    const again = await portal.post(`/deliveries/${id}/retry`);
    expect([again.status, again.body.error.code]).toEqual([409, "DELIVERY_ENDED"]);
  });

  test("of a paused endpoint waits, and one of another account does not exist", async () => {
    hooks.receiver.answers.set(endpoint.path, failWith(500));
    await hooks.writeCustomer(portal.business, "Ana");
    const { id } = await deliveryOf(hooks.service, endpoint.id, "pending", ({ attempts }) => attempts.length === 1);
    const stranger = await openPortal(hooks.service);
    expect((await stranger.post(`/deliveries/${id}/retry`)).status).toBe(404);
    await hooks.setStatus(portal.business, endpoint, "pause");
    const refused = await portal.post(`/deliveries/${id}/retry`);
    expect([refused.status, refused.body.error.code]).toEqual([409, "ENDPOINT_STATE"]);
  });
});

describe("the recovery of a period", () => {
  const period = () => {
    const now = hooks.service.deps.clock.now().getTime();
    return { since: new Date(now - 3_600_000).toISOString(), until: new Date(now + 60_000).toISOString() };
  };
  /** Ended deliveries of real events. */
  async function ended(failed: number, dropped: number): Promise<void> {
    await hooks.stopWorker();
    await hooks.writeCustomers(portal.business, failed + dropped);
    await hooks.service.deps.pool.query(sql`
      with moved as (delete from webhook_queue where endpoint_id = ${endpoint.id} returning *)
      insert into webhook_deliveries (account_id, created_at, id, endpoint_id, event_id, event_type, is_test, state, attempts)
      select account_id, created_at, id, endpoint_id, event_id, event_type, false,
        case when row_number() over (order by id) <= ${failed} then 'failed' else 'dropped' end, '[]' from moved`);
  }

  test("counts failed and dropped deliveries first, and sends both again", async () => {
    await ended(3, 191);
    const query = new URLSearchParams(period());
    const counted = await portal.get(`/webhook-endpoints/${endpoint.id}/failed-count?${query}`);
    expect(counted.body).toEqual({ count: 3, failed: 3, dropped: 191 });
    await hooks.restart();
    const started = await portal.post(`/webhook-endpoints/${endpoint.id}/resends`, {
      ...period(),
      states: ["failed", "dropped"],
    });
    expect([started.status, started.body.total]).toEqual([202, 194]);
    await hooks.receiver.arrivals(endpoint.path, 194);
    const done = await eventually(async () => {
      const { body } = await portal.get(`/webhook-endpoints/${endpoint.id}/resends/${started.body.id}`);
      return body.state === "done" && body;
    });
    expect(done.resent).toBe(194);
  });

  test("can be stopped: what is back in the queue stays there, the rest is left", async () => {
    await ended(700, 0);
    const { deps } = hooks.service;
    await deps.pool.query(sql`update webhook_endpoints set status = 'paused' where id = ${endpoint.id}`);
    const started = await portal.post(`/webhook-endpoints/${endpoint.id}/resends`, period());
    const stopped = await portal.post(`/webhook-endpoints/${endpoint.id}/resends/${started.body.id}/stop`);
    expect(stopped.status).toBe(200);
    expect(["cancelled", "done"]).toContain(stopped.body.state);
    const left = await deps.pool.query(sql`
      select count(*) from webhook_deliveries where endpoint_id = ${endpoint.id} and state = 'failed'`);
    expect(left.rows[0].count).toBe(700 - stopped.body.resent);
    await hooks.restart();
  });

  test("takes no state that arrived", async () => {
    const refused = await portal.post(`/webhook-endpoints/${endpoint.id}/resends`, {
      ...period(),
      states: ["delivered"],
    });
    expect([refused.status, refused.body.error.param]).toEqual([400, "states.0"]);
  });
});

describe("an example", () => {
  test.each(eventTypes)("of %s arrives signed, marked as a test, and is not in the log", async (type) => {
    const sent = await portal.post(`/webhook-endpoints/${endpoint.id}/example`, { type });
    const [received] = await hooks.receiver.arrivals(endpoint.path, 1);
    expect(received!.deliveryId).toBe(sent.body.delivery_id);
    expect(received!.headers["service-test"]).toBe("true");
    expect(received!.headers["service-event-type"]).toBe(type);
    expect(received!.body).toMatchObject({
      type,
      api_version: "2026-09-28",
      data: { object: { id: expect.any(String) } },
    });
    const delivery = (await portal.get(`/deliveries/${sent.body.delivery_id}`)).body;
    expect(delivery).toMatchObject({ is_test: true, event_type: type });
    expect((await portal.get(`/events/${delivery.event_id}`)).status).toBe(404);
    const request = (await portal.get(`/deliveries/${sent.body.delivery_id}/request`)).body;
    expect(request.headers["Service-Test"]).toBe("true");
    expect(request.body).toBe(received!.raw.toString());
  });

  test("is of a known type, and webhook.test stays as it was", async () => {
    const refused = await portal.post(`/webhook-endpoints/${endpoint.id}/example`, { type: "sale.paid" });
    expect([refused.status, refused.body.error.param]).toEqual([400, "type"]);
    await portal.post(`/webhook-endpoints/${endpoint.id}/test`);
    const [received] = await hooks.receiver.arrivals(endpoint.path, 1);
    expect(received!.body).toMatchObject({ type: "webhook.test", data: { object: { object: "test" } } });
    expect(received!.headers).not.toHaveProperty("service-test");
  });
});

test("an endpoint has a name of the owner's own, which needs no code to change", async () => {
  const made = await portal.confirmed("/webhook-endpoints", {
    url: "https://tienda.com.co/webhooks",
    event_types: ["sale.completed"],
    name: "Contabilidad",
  });
  expect(made.body.endpoint.name).toBe("Contabilidad");
  const { id } = made.body.endpoint;
  const changed = await portal.patch(`/webhook-endpoints/${id}`, { name: "Bodega" });
  expect([changed.status, changed.body.name, changed.body.url]).toEqual([
    200,
    "Bodega",
    "https://tienda.com.co/webhooks",
  ]);
  expect((await portal.patch(`/webhook-endpoints/${id}`, { name: null })).body.name).toBeNull();
  const long = await portal.patch(`/webhook-endpoints/${id}`, { name: "x".repeat(61) });
  expect([long.status, long.body.error.param]).toEqual([400, "name"]);
  const twoLines = await portal.patch(`/webhook-endpoints/${id}`, { name: "a\nb" });
  expect([twoLines.status, twoLines.body.error.param]).toEqual([400, "name"]);
});

describe("the request log", () => {
  test("opens a request with its query, its error and its headers, without secrets or bodies", async () => {
    const { api, key } = portal.business;
    const headers = { cookie: "a=b", "x-own": "visible" };
    const answer = await api.get(`/products?limit=500&q=${key}`, headers);
    expect(answer.status).toBe(400);
    await api.post("/customers", { name: "Nombre que no se guarda" });
    const list = await portal.get("/requests?result=error");
    const requestId = answer.headers.get("request-id");
    expect(list.body.data).toMatchObject([
      {
        method: "GET",
        path: "/public/v1/products",
        status: 400,
        error_code: "VALIDATION_ERROR",
        request_id: requestId,
      },
    ]);
    const opened = await portal.get(`/requests/${requestId}`);
    expect(opened.body).toMatchObject({
      query: "limit=500&q=(oculto)",
      error_code: "VALIDATION_ERROR",
      request_headers: { authorization: `Bearer mst_test_…${key.slice(-4)}`, cookie: "(oculto)", "x-own": "visible" },
      response_headers: { "request-id": requestId, "content-type": expect.stringContaining("application/json") },
    });
    const { rows } = await hooks.service.deps.pool.query("select * from request_log");
    expect(JSON.stringify(rows)).not.toContain(key.slice(9, 30));
    expect(JSON.stringify(rows)).not.toContain("Nombre que no se guarda");
  });

  test("is filtered by key, method, path and time, and shows nothing of another account", async () => {
    const { api, accountId } = portal.business;
    const other = await hooks.service.key(accountId, { name: "otra" });
    await api.get("/products");
    await other.api.get("/sales");
    await api.post("/customers", { name: "Ana" });
    const paths = async (query: string) =>
      (await portal.get(`/requests?${query}`)).body.data.map(({ path }: { path: string }) => path.split("/").at(-1));
    expect(await paths(`key_id=${other.keyId}`)).toEqual(["sales"]);
    expect(await paths("method=POST")).toEqual(["customers"]);
    expect(await paths("path=PROD")).toEqual(["products"]);
    expect(await paths("limit=2")).toHaveLength(2);
    expect(await paths("created_since=2999-01-01T00:00:00Z")).toEqual([]);
    const [any] = (await portal.get("/requests")).body.data;
    const stranger = await openPortal(hooks.service);
    expect((await stranger.get("/requests")).body.data).toEqual([]);
    expect((await stranger.get(`/requests/${any.request_id}`)).status).toBe(404);
    expect((await portal.get("/requests/req_nada")).status).toBe(400);
  });
});

test("a business without tax data is told so, and one without numbers too", async () => {
  const kinds = async () => (await portal.get("/attention")).body.data.map(({ kind }: { kind: string }) => kind);
  expect(await kinds()).toContain("fiscal_profile_missing");
});

test("an owner without Pro is told whom to ask, not to ask the owner", async () => {
  const basic = await openPortal(hooks.service, { plan: "basic" });
  const refused = await basic.post("/webhook-endpoints", {
    url: "https://a.com.co/x",
    event_types: ["sale.completed"],
  });
  expect(refused.body.error.code).toBe("PLAN_REQUIRED");
  expect(refused.body.error.message).not.toMatch(/titular/);
});
