import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { createCustomer } from "../../src/business/customers/operations.ts";
import { customers } from "../../src/business/customers/resource.ts";
import { createPool } from "../../src/db/create-pool.ts";
import { writing } from "../../src/engine/writing/writing.ts";
import { minute, second } from "../../src/lib/clock.ts";
import { claimDeliveries } from "../../src/webhooks/queue/claim.ts";
import { eventually } from "../support/eventually.ts";
import { enrol } from "../support/register.ts";
import { sale } from "../support/registered-shop.ts";
import { sharedHooks, type TestEndpoint } from "../support/webhooks.ts";

const hooks = sharedHooks();

function versions(id: string, count: number) {
  return Array.from({ length: count }, (_, i) => {
    const { id: _id, ...data } = sale({ status: "open", notes: `${i}` });
    return { type: "sale", id, data };
  });
}

/** Leaves requests unanswered until they are let go. */
function holdUp(endpoint: TestEndpoint) {
  const held: { id: string; version: number; response: ServerResponse }[] = [];
  const seen: [id: string, version: number][] = [];
  let isOpen = false;
  hooks.receiver.answers.set(endpoint.path, ({ body }, response) => {
    const { id, version } = body.data.object;
    seen.push([id, version]);
    if (isOpen) response.writeHead(200).end();
    else held.push({ id, version, response });
  });
  return {
    held,
    seen,
    letGo() {
      isOpen = true;
      for (const { response } of held.splice(0)) response.writeHead(200).end();
    },
  };
}

test("a record of hundreds of versions keeps no other record waiting", async () => {
  const business = await hooks.service.business();
  const till = await enrol(hooks.service, business.accountId);
  const endpoint = await hooks.endpoint(business, { types: ["sale.created", "sale.updated"] });
  const { held, seen, letGo } = holdUp(endpoint);
  const [long, alsoLong, last] = [randomUUID(), randomUUID(), randomUUID()];
  await till.push([...versions(long, 80), ...versions(alsoLong, 80), ...versions(last, 1)]);
  await eventually(() => seen.some(([id]) => id === last));
  expect(held.map(({ id, version }) => [id, version])).toEqual([
    [long, 1],
    [alsoLong, 1],
    [last, 1],
  ]);
  letGo();
  await hooks.receiver.arrivals(endpoint.path, 161);
  for (const id of [long, alsoLong])
    expect(seen.filter((one) => one[0] === id).map(([, version]) => version)).toEqual(
      Array.from({ length: 80 }, (_, i) => i + 1),
    );
});

test("what failed is tried again side by side, also where it is of one record", async () => {
  const business = await hooks.service.business();
  const till = await enrol(hooks.service, business.accountId);
  const endpoint = await hooks.endpoint(business, { types: ["sale.created", "sale.updated"] });
  hooks.receiver.answers.set(endpoint.path, (_, response) => response.writeHead(500).end());
  const id = randomUUID();
  await till.push(versions(id, 10));
  const haveFailed = async () => (await hooks.deliveries(endpoint)).every(({ attempts }) => attempts.length === 1);
  await eventually(haveFailed);
  const { held, letGo } = holdUp(endpoint);
  hooks.advance(2 * minute);
  await eventually(() => held.length === 10);
  letGo();
});

test("a new version is not handed over past those that still wait in the queue", async () => {
  const business = await hooks.service.business();
  const till = await enrol(hooks.service, business.accountId);
  const endpoint = await hooks.endpoint(business, { types: ["sale.created", "sale.updated"] });
  const [first, id] = [randomUUID(), randomUUID()];
  // The endpoint is known to be fast now, so that the worker would take what is written next.
  await till.push(versions(first, 1));
  await hooks.receiver.arrivals(endpoint.path, 1);
  await eventually(async () => (await hooks.deliveries(endpoint)).every(({ state }) => state === "delivered"));
  const { held, seen, letGo } = holdUp(endpoint);
  await till.push(versions(id, 150));
  await till.push(versions(id, 150));
  await eventually(() => held.length === 1);
  // Old enough for a delivery of theirs to be over, if it had begun.
  hooks.advance(40 * second);
  await hooks.looked();
  await till.push(versions(id, 1));
  letGo();
  await hooks.receiver.arrivals(endpoint.path, 302);
  expect(seen.map(([, version]) => version)).toEqual(Array.from({ length: 301 }, (_, i) => i + 1));
});

test("of two processes with clocks some milliseconds apart, the one behind queues the next version behind the one before", async () => {
  await hooks.stopWorker();
  const { deps } = hooks.service;
  const business = await hooks.service.business();
  const endpoint = await hooks.endpoint(business, { types: ["customer.created", "customer.updated"] });
  const time = deps.clock.now().getTime() + minute;
  const at = (ms: number) => ({ ...deps, clock: { ...deps.clock, now: () => new Date(time + ms) } });
  const { id } = await writing(at(0), business.accountId, (write) => createCustomer(write, { name: "Ana" }));
  await writing(at(-60), business.accountId, async (write) => {
    const current = await write.load(customers, id);
    const body = { ...current!.body, name: "Eva", updated_at: write.at.toISOString() };
    write.put(customers, { body });
    write.emit("customer.updated", body);
  });
  const claim = async (size: number) => {
    const key = { accountId: business.accountId, endpointId: endpoint.id };
    const { deliveries } = await claimDeliveries(
      deps.pool,
      [{ ...key, size, perRecord: 8, passed: [] }],
      new Date(time - 60),
    );
    return deliveries.map(({ eventText }) => JSON.parse(eventText!).data.object.version);
  };
  expect(await claim(1)).toEqual([1]);
  expect(await claim(10)).toEqual([]);
  await hooks.restart();
});

test("however long a queue is, a claim reads along its index", async () => {
  await hooks.stopWorker();
  const { pool, clock } = hooks.service.deps;
  const business = await hooks.service.business();
  const { accountId } = business;
  const { id } = await hooks.endpoint(business, { types: ["customer.created"] });
  await pool.query(
    `insert into webhook_queue (account_id, endpoint_id, due_at, id, created_at, event_id, event_type, object_id)
     select $1, $2, $3::timestamptz - n * interval '1 millisecond', gen_random_uuid(), $3, gen_random_uuid(), 'customer.created',
       gen_random_uuid() from generate_series(1, 50000) n`,
    [accountId, id, clock.now()],
  );
  await pool.query("analyze webhook_queue");
  // One session, whose counts are kept as soon as it is told to.
  const session = createPool({ url: hooks.service.databaseUrl, max: 1 });
  const fullScans = async () => {
    await session.query("select pg_stat_force_next_flush()");
    const { rows } = await session.query("select seq_scan from pg_stat_user_tables where relname = 'webhook_queue'");
    return Number(rows[0].seq_scan);
  };
  // As a server has it unless told otherwise, where reading all of a table looks cheap to the planner.
  await session.query("set random_page_cost = 4");
  const before = await fullScans();
  for (let i = 0; i < 3; i++) {
    const claim = { accountId, endpointId: id, size: 32, perRecord: 1, passed: [] };
    expect((await claimDeliveries(session, [claim], clock.now())).deliveries).toHaveLength(32);
  }
  expect((await fullScans()) - before).toBe(0);
  await session.end();
  await pool.query("delete from webhook_queue where endpoint_id = $1", [id]);
  await hooks.restart();
});
