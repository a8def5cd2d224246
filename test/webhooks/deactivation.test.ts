import { beforeEach, describe, expect, test } from "vitest";
import { withAccountLock } from "../../src/access/accounts/account-lock.ts";
import type { Client } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { hour, minute, second } from "../../src/lib/clock.ts";
import { startMaintenance } from "../../src/operations/start/maintenance.ts";
import { deleteEndpoint } from "../../src/webhooks/endpoints/delete-endpoint.ts";
import { caps } from "../../src/webhooks/queue/concurrency-caps.ts";
import { eventually } from "../support/eventually.ts";
import { perTest } from "../support/fixtures.ts";
import { interfere, serverGone } from "../support/interfere.ts";
import { failWith, sharedHooks } from "../support/webhooks.ts";

const hooks = sharedHooks();

const business = perTest(() => hooks.service.business());
const endpoint = perTest(() => hooks.endpoint(business, { types: ["customer.created"] }));
beforeEach(() => {
  hooks.receiver.answers.set(endpoint.path, failWith(500));
});

async function state() {
  const { rows } = await hooks.service.deps.pool.query(sql`
    select status, consecutive_failures, failing_since from webhook_endpoints where id = ${endpoint.id}`);
  return rows[0];
}

async function mails(): Promise<string[]> {
  const { rows } = await hooks.service.deps.pool.query(sql`
    select kind from mails where account_id = ${business.accountId} order by created_at, id`);
  return rows.map((row) => row.kind);
}

/** Fails new deliveries, each once, until the run of failures has this length. */
async function failUpTo(count: number): Promise<void> {
  const { consecutive_failures: already } = await state();
  for (let i = already; i < count; i++) await business.api.post("/customers", { name: `${i}` });
  await eventually(async () => (await state()).consecutive_failures >= count);
}

/** Moves the first failure of the run this far back; no retries fall due, so only new failures count. */
async function startedAgo(ms: number): Promise<void> {
  await hooks.service.deps.pool.query(sql`
    update webhook_endpoints set failing_since = ${new Date(hooks.service.deps.clock.now().getTime() - ms)} where id = ${endpoint.id}`);
}

describe("a delivery that a worker has claimed but not yet sent", () => {
  const dropped = async () => {
    const all = (await hooks.deliveries(endpoint)).map(({ state }) => state);
    return !all.includes("pending") && all.filter((state) => state === "dropped").length;
  };
  /** As many deliveries as allowed are under way, as many again wait, and the endpoint answers only after `change`. */
  const changeWhileWaiting = async (change: (client: Client) => Promise<unknown>) => {
    hooks.receiver.answers.delete(endpoint.path);
    await hooks.writeCustomer(business, "calienta");
    await eventually(async () => (await hooks.deliveries(endpoint))[0]?.state === "delivered");
    const open: (() => void)[] = [];
    hooks.receiver.answers.set(endpoint.path, (_got, response) => void open.push(() => response.writeHead(204).end()));
    await hooks.writeCustomers(business, 2 * caps.perEndpoint);
    await hooks.receiver.arrivals(endpoint.path, 1 + caps.perEndpoint);
    await withAccountLock(hooks.service.deps, business.accountId, change);
    const restarted = hooks.restart();
    for (const answer of open) answer();
    await restarted;
  };

  test("is dropped like the rest when its endpoint is deleted", async () => {
    const { deps } = hooks.service;
    await changeWhileWaiting((client) => deleteEndpoint(client, business.accountId, endpoint.id, deps.clock.now()));
    const maintenance = startMaintenance(deps);
    expect(await eventually(dropped)).toBe(caps.perEndpoint);
    await maintenance.stop();
  });

  test("is dropped like the rest when its endpoint is deactivated", async () => {
    await changeWhileWaiting((client) =>
      client.query(sql`update webhook_endpoints set status = 'deactivated' where id = ${endpoint.id}`),
    );
    const maintenance = startMaintenance(hooks.service.deps);
    expect(await eventually(dropped)).toBe(caps.perEndpoint);
    await maintenance.stop();
  });
});

describe("an endpoint", () => {
  test("with 19 consecutive failures over days stays active", async () => {
    await failUpTo(18);
    await startedAgo(72 * hour);
    await failUpTo(19);
    expect(await state()).toMatchObject({ status: "active", consecutive_failures: 19 });
  });

  test("with 20 and more failures within 23 h 59 min stays active", async () => {
    await failUpTo(24);
    await startedAgo(23 * hour + 59 * minute);
    await failUpTo(25);
    expect((await state()).status).toBe("active");
  });

  test("with 20 failures over 24 h and 1 s is deactivated, its pending deliveries are dropped and its owner is notified", async () => {
    await failUpTo(19);
    await startedAgo(24 * hour + second);
    await business.api.post("/customers", { name: "veinte" });
    await eventually(async () => (await state()).status === "deactivated");
    const deliveries = await eventually(async () => {
      const all = await hooks.deliveries(endpoint);
      return all.every((one) => one.state === "dropped") && all;
    });
    expect(deliveries).toHaveLength(20);
    expect((await mails()).at(-1)).toBe("endpoint_deactivated");
    const sent = hooks.receiver.on(endpoint.path).length;

    await business.api.post("/customers", { name: "inactivo" });
    hooks.advance(3 * 24 * hour);
    await hooks.looked();
    hooks.receiver.answers.delete(endpoint.path);
    await hooks.setStatus(business, endpoint, "reactivate");
    await business.api.post("/customers", { name: "de nuevo" });
    const all = await hooks.receiver.arrivals(endpoint.path, sent + 1);
    expect(all.slice(sent).map(({ body }) => body.data.object.name)).toEqual(["de nuevo"]);
    expect(await state()).toMatchObject({ status: "active", consecutive_failures: 0, failing_since: null });
  });

  test("halfway there gets its owner one notice per run of failures", async () => {
    await failUpTo(9);
    await startedAgo(12 * hour + second);
    await failUpTo(13);
    // It is judged once its failures are stored.
    await expect.poll(mails).toEqual(["endpoint_failing"]);
    hooks.receiver.answers.delete(endpoint.path);
    await business.api.post("/customers", { name: "sano" });
    await eventually(async () => (await state()).consecutive_failures === 0);
    hooks.receiver.answers.set(endpoint.path, failWith(500));
    await failUpTo(9);
    await startedAgo(13 * hour);
    await failUpTo(10);
    await eventually(async () => (await mails()).length === 2);
  });

  test("counts a failure once, even when the database stored it and could not confirm it", async () => {
    interfere(hooks.service.deps.pool, "judged as", async (run) => {
      await run();
      return serverGone();
    });
    await hooks.writeCustomer(business, "Ana");
    await hooks.receiver.arrivals(endpoint.path, 1);
    await hooks.writeCustomer(business, "Berta");
    await eventually(async () => (await hooks.deliveries(endpoint)).every(({ attempts }) => attempts.length === 1));
    expect((await state()).consecutive_failures).toBe(2);
  });

  test("ends its run of failures with one success", async () => {
    await failUpTo(19);
    await startedAgo(30 * hour);
    hooks.receiver.answers.delete(endpoint.path);
    await business.api.post("/customers", { name: "sano" });
    await eventually(async () => (await state()).consecutive_failures === 0);
    expect((await state()).failing_since).toBeNull();
  });
});

describe("a test event", () => {
  test("goes to a deactivated and to a paused endpoint, is tried once, and is not in the event log", async () => {
    for (const status of ["deactivated", "paused", "active"]) {
      await hooks.service.deps.pool.query(
        sql`update webhook_endpoints set status = ${status} where id = ${endpoint.id}`,
      );
      const before = hooks.receiver.on(endpoint.path).length;
      const id = await hooks.sendTest(business, endpoint);
      const got = (await hooks.receiver.arrivals(endpoint.path, before + 1)).at(-1)!;
      expect(got.deliveryId).toBe(id);
      expect(got.body).toMatchObject({
        type: "webhook.test",
        api_version: "2026-09-28",
        data: {
          object: {
            object: "test",
            id: expect.any(String),
            message: expect.any(String),
            created_at: got.body.created_at,
          },
        },
      });
      expect(got.headers).toMatchObject({ "service-event-type": "webhook.test", "service-event-id": got.body.id });
      await eventually(async () => (await hooks.deliveries(endpoint)).find((one) => one.id === id)?.state === "failed");
    }
    expect(await state()).toMatchObject({ consecutive_failures: 0 });
    expect((await business.api.get("/events")).body.data).toEqual([]);
    expect((await business.api.get(`/events/${hooks.receiver.on(endpoint.path)[0]!.body.id}`)).status).toBe(404);
  });
});
