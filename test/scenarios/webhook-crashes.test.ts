import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { eventually } from "../support/eventually.ts";
import { sessionsEnded } from "../support/hold-clock.ts";
import { receiverHost } from "../support/receiver.ts";
import type { Business } from "../support/service.ts";
import { sharedHooks, type TestEndpoint } from "../support/webhooks.ts";

/** The full number with `TEST_LONG=1`; the everyday run shows the same with fewer. */
const kills = process.env.TEST_LONG ? 50 : 4;

let settings: Record<string, string>;
/** Each with the application name of its connections. */
const workers = new Map<ChildProcess, string>();
const hooks = sharedHooks();
let started = 0;
beforeAll(async () => {
  await hooks.stopWorker();
  const { config } = hooks.service.deps;
  settings = {
    SECRET_KEY: config.secretKey,
    LOG_LEVEL: "silent",
    WEBHOOK_RESOLVE: `${receiverHost}=127.0.0.1:${hooks.receiver.port}`,
    WEBHOOK_CA_FILE: hooks.receiver.caFile,
  };
});
afterAll(async () => {
  await Promise.all([...workers.keys()].map((worker) => end(worker, "SIGKILL")));
});

async function startWorker(): Promise<ChildProcess> {
  const name = `worker-${++started}`;
  const worker = fork(new URL("../support/worker-process.ts", import.meta.url), {
    env: {
      ...process.env,
      TEST_DATABASE_URL: hooks.service.databaseUrl,
      TEST_APPLICATION_NAME: name,
      TEST_SETTINGS: JSON.stringify(settings),
    },
    execArgv: [],
  });
  workers.set(worker, name);
  await once(worker, "message");
  return worker;
}

async function end(worker: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const name = workers.get(worker);
  if (!name) return;
  workers.delete(worker);
  const exited = once(worker, "exit");
  worker.kill(signal);
  await exited;
  // PostgreSQL finishes the last statement of a process that was killed.
  await sessionsEnded(hooks.service.deps, name);
}

/** Counts how often each delivery reached a path, and lists each event's deliveries. */
function arrivals(endpoint: TestEndpoint) {
  const times = new Map<string, number>();
  const eventOf = new Map<string, Set<string>>();
  for (const { deliveryId, body } of hooks.receiver.on(endpoint.path)) {
    times.set(deliveryId, (times.get(deliveryId) ?? 0) + 1);
    eventOf.set(body.id, (eventOf.get(body.id) ?? new Set()).add(deliveryId));
  }
  return { times, eventOf };
}

async function eventIds({ accountId }: Business): Promise<Set<string>> {
  const { rows } = await hooks.service.deps.pool.query(sql`select id from events where account_id = ${accountId}`);
  return new Set(rows.map((row) => row.id));
}

test(`after ${kills} kills with -9 under load nothing is lost, and only what was in flight arrives twice`, async () => {
  const business = await hooks.service.business();
  const endpoint = await hooks.endpoint(business, { types: ["customer.created"] });
  const underWay = new Set<string>();
  // Half of the responses take a moment, so that each kill interrupts something.
  hooks.receiver.answers.set(endpoint.path, (_got, response) => {
    setTimeout(() => response.writeHead(200).end(), Math.random() * 20);
  });
  let isWriting = true;
  const load = (async () => {
    // Always some hundreds ahead of the worker, but few enough for a slow machine to drain.
    for (let written = 0; isWriting; await delay(5)) {
      if (written - hooks.receiver.on(endpoint.path).length > 2_000) continue;
      await hooks.writeCustomers(business, 20);
      written += 20;
    }
  })();
  let worker = await startWorker();
  try {
    for (let i = 0; i < kills; i++) {
      const before = hooks.receiver.on(endpoint.path).length;
      await eventually(() => hooks.receiver.on(endpoint.path).length > before + 30);
      await end(worker, "SIGKILL");
      // Deliveries it had claimed and not recorded. Their lease ends after 20 s; the test does not wait for each.
      const { rows } = await hooks.service.deps.pool.query(sql`
        update webhook_queue set leased_until = leased_until - interval '20 seconds' where leased_until is not null returning id`);
      for (const { id } of rows) underWay.add(id);
      worker = await startWorker();
    }
  } finally {
    isWriting = false;
    await load;
  }
  await eventually(async () => {
    const { rows } = await hooks.service.deps.pool.query(sql`select count(*) from webhook_queue`);
    return rows[0].count === 0;
  }, 200_000);
  await end(worker, "SIGTERM");

  const { times, eventOf } = arrivals(endpoint);
  const events = await eventIds(business);
  const lost = [...events].filter((id) => !eventOf.has(id));
  expect(lost).toEqual([]);
  expect([...eventOf.values()].every((deliveries) => deliveries.size === 1)).toBe(true);
  const repeated = [...times].filter(([, count]) => count > 1).map(([id]) => id);
  expect(repeated.length).toBeGreaterThan(0);
  expect(repeated.filter((id) => !underWay.has(id))).toEqual([]);
}, 300_000);

test("deliveries a killed worker had leased are taken over when the lease of 20 s ends", async () => {
  const business = await hooks.service.business();
  const endpoint = await hooks.endpoint(business, { types: ["customer.created"] });
  let isHanging = true;
  hooks.receiver.answers.set(endpoint.path, (_got, response) => {
    if (!isHanging) response.writeHead(200).end();
  });
  const first = await startWorker();
  await hooks.writeCustomers(business, 3);
  await hooks.receiver.arrivals(endpoint.path, 3);
  await end(first, "SIGKILL");
  const { rows } = await hooks.service.deps.pool.query(sql`
    select leased_until <= clock_timestamp() + interval '20 seconds' as ends_in_time from webhook_queue
    where account_id = ${business.accountId}`);
  expect(rows).toEqual(Array(3).fill({ ends_in_time: true }));
  isHanging = false;
  const second = await startWorker();
  const all = await hooks.receiver.arrivals(endpoint.path, 6);
  expect(new Set(all.map(({ deliveryId }) => deliveryId)).size).toBe(3);
  await end(second, "SIGTERM");
}, 300_000);

test("two workers share the work and never send an attempt twice", async () => {
  const business = await hooks.service.business();
  const endpoints = [await hooks.endpoint(business), await hooks.endpoint(business), await hooks.endpoint(business)];
  const both = await Promise.all([startWorker(), startWorker()]);
  for (let i = 0; i < 10; i++) await hooks.writeCustomers(business, 20);
  for (const endpoint of endpoints) {
    await hooks.receiver.arrivals(endpoint.path, 200);
    await eventually(async () => (await hooks.deliveries(endpoint)).every(({ state }) => state === "delivered"));
    const deliveries = await hooks.deliveries(endpoint);
    const { times } = arrivals(endpoint);
    expect(deliveries).toHaveLength(200);
    expect([...times.keys()].sort()).toEqual(deliveries.map(({ id }) => id).sort());
    // One attempt each, unless the machine was starved: then an attempt may end before it has left.
    expect(deliveries.filter(({ id, attempts }) => times.get(id)! > attempts.length)).toEqual([]);
  }
  await Promise.all(both.map((worker) => end(worker, "SIGTERM")));
}, 300_000);
