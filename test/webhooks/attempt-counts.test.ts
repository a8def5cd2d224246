import { beforeEach, expect, test } from "vitest";
import { hour, minute } from "../../src/lib/clock.ts";
import { claimDeliveries } from "../../src/webhooks/queue/claim.ts";
import { recordResults } from "../../src/webhooks/queue/record-results.ts";
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

const figures = async () => (await portal.get(`/webhook-endpoints/${endpoint.id}/figures?period=24h`)).body;
const listed = async () => (await portal.get("/webhook-endpoints")).body.data[0];

test("an outage shows with its first failed attempt, while the delivery is still being retried", async () => {
  hooks.receiver.answers.set(endpoint.path, failWith(503));
  await hooks.writeCustomer(portal.business, "Ana");
  await deliveryOf(hooks.service, endpoint.id, "pending", ({ attempts }) => attempts.length === 1);
  const { totals, steps } = await figures();
  expect(totals).toMatchObject({ delivered: 0, failed: 1, dropped: 0, success_rate: 0 });
  expect(steps.at(-1)).toMatchObject({ failed: 1 });
  expect(await listed()).toMatchObject({
    last_day: { delivered: 0, failed: 1, dropped: 0, success_rate: 0 },
    last_failure: { failure: "status", status: 503 },
  });
});

test("each attempt counts in the hour it was made, and the share of success includes what was given up", async () => {
  // From the beginning of an hour, so that each of the next attempts falls into the one after it.
  hooks.advance(hour - (hooks.service.deps.clock.now().getTime() % hour));
  hooks.receiver.answers.set(endpoint.path, failWith(500));
  await hooks.writeCustomer(portal.business, "Ana");
  await hooks.receiver.arrivals(endpoint.path, 1);
  hooks.advance(hour + minute);
  await hooks.receiver.arrivals(endpoint.path, 2);
  hooks.receiver.answers.delete(endpoint.path);
  hooks.advance(hour);
  await deliveryOf(hooks.service, endpoint.id, "delivered");
  const { totals, steps } = await figures();
  expect(steps.slice(-3).map((one: { delivered: number; failed: number }) => [one.delivered, one.failed])).toEqual([
    [0, 1],
    [0, 1],
    [1, 0],
  ]);
  expect(totals.success_rate).toBeCloseTo(1 / 3);
  expect(totals.p50_ms).toBeGreaterThanOrEqual(0);

  await hooks.setStatus(portal.business, endpoint, "pause");
  await hooks.writeCustomer(portal.business, "Eva");
  await hooks.setStatus(portal.business, endpoint, "resume");
  hooks.receiver.answers.set(endpoint.path, failWith(500));
  await hooks.writeCustomer(portal.business, "Luz");
  await hooks.receiver.arrivals(endpoint.path, 4);
  await eventually(async () => (await listed()).last_day.failed === 3);
  await hooks.setPlan(portal.business, "basic");
  expect((await listed()).last_day).toMatchObject({ delivered: 1, failed: 3, dropped: 1, success_rate: 0.2 });
});

test("tests of the owner count for nothing, and a batch that is written twice counts once", async () => {
  await hooks.sendTest(portal.business, endpoint);
  await deliveryOf(hooks.service, endpoint.id, "delivered");
  expect((await listed()).last_day.success_rate).toBeNull();
  await hooks.stopWorker();
  await hooks.writeCustomer(portal.business, "Ana");
  const { deps } = hooks.service;
  const { deliveries } = await claimDeliveries(
    deps.pool,
    [{ accountId: portal.accountId, endpointId: endpoint.id, size: 1, perRecord: 8, passed: [] }],
    deps.clock.now(),
  );
  const result = {
    delivery: deliveries[0]!,
    attempt: {
      at: deps.clock.now().toISOString(),
      duration_ms: 30,
      status: 200,
      failure: null,
      remote_address: null,
    },
    next: { kind: "delivered" as const },
  };
  await recordResults(deps.pool, [result], deps.clock.now());
  await recordResults(deps.pool, [result], deps.clock.now());
  expect((await listed()).last_day).toMatchObject({ delivered: 1, failed: 0, success_rate: 1 });
  await hooks.restart();
});
