import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { minute } from "../../src/lib/clock.ts";
import { readGuides } from "../../src/sites/docs/guides.ts";
import { resultOf } from "../../src/webhooks/queue/attempt.ts";
import { type ClaimedDelivery, claimDeliveries } from "../../src/webhooks/queue/claim.ts";
import { recordResults } from "../../src/webhooks/queue/record-results.ts";
import { startWebhookWorker } from "../../src/webhooks/queue/worker.ts";
import type { Outcome } from "../../src/webhooks/sending/failure-classes.ts";
import { eventually } from "../support/eventually.ts";
import { sharedFolder } from "../support/fixtures.ts";
import { chance, randomPushes } from "../support/random-pushes.ts";
import { enrol } from "../support/register.ts";
import { sale } from "../support/registered-shop.ts";
import type { Business } from "../support/service.ts";
import { sharedHooks, type TestEndpoint } from "../support/webhooks.ts";

const hooks = sharedHooks();
const folder = sharedFolder("mostrador-order-");

// biome-ignore lint/suspicious/noExplicitAny: read as an integrator would, without types
type Json = any;

function versionsOf(id: string, ...changes: object[]) {
  return changes.map((change) => {
    const { id: _, ...data } = sale(change);
    return { type: "sale", id, data };
  });
}

async function eventsOf(business: Business): Promise<Json[]> {
  return (await business.api.get("/events?order=asc&limit=100")).body.data;
}

const isRising = (values: readonly (string | number)[]) =>
  values.every((value, i) => i === 0 || value > values[i - 1]!);

test("the versions of one record in one push have instants of their own and count up", async () => {
  const business = await hooks.service.business();
  const till = await enrol(hooks.service, business.accountId);
  const [first, second] = [randomUUID(), randomUUID()];
  const states = [{ status: "open" }, { status: "open", notes: "Mesa 4" }, { status: "completed", notes: "Mesa 4" }];
  await till.push([...versionsOf(first, ...states), ...versionsOf(second, { status: "completed" })]);
  const events = await eventsOf(business);
  expect(events.map(({ type, data }) => [type, data.object.version])).toEqual([
    ["sale.created", 1],
    ["sale.updated", 2],
    ["sale.updated", 3],
    ["sale.completed", 3],
    ["sale.created", 1],
    ["sale.completed", 1],
  ]);
  expect(isRising(events.map(({ sequence }) => sequence))).toBe(true);
  expect(isRising(events.map(({ created_at }) => created_at))).toBe(true);
  const own = events.filter(({ data }) => data.object.id === first).map(({ data }) => data.object);
  expect(isRising([...new Set(own.map(({ updated_at }) => updated_at))])).toBe(true);
  expect(new Set(own.map(({ updated_at }) => updated_at)).size).toBe(3);
  expect(new Set(own.map(({ created_at }) => created_at)).size).toBe(1);
  expect((await business.api.get(`/sales/${first}`)).body).toEqual(own.at(-1));
  const again = await till.push(versionsOf(first, { status: "cancelled" }));
  expect(again.body.results).toMatchObject([{ status: "applied" }]);
  expect((await business.api.get(`/sales/${first}`)).body.version).toBe(4);
});

test("the answer to a write of the API has the version that is read afterwards, and its tag", async () => {
  const { api } = await hooks.service.business();
  const made = await api.post("/customers", { name: "Ana" });
  expect(made.body.version).toBe(1);
  const changed = await api.patch(`/customers/${made.body.id}`, { name: "Ana María" });
  const read = await api.get(`/customers/${made.body.id}`);
  expect(changed.body).toEqual(read.body);
  expect(read.body.version).toBe(2);
  expect(changed.headers.get("etag")).toBe(read.headers.get("etag"));
});

test("a list from the last instant seen hands out that record, not all of the last push", async () => {
  const business = await hooks.service.business();
  const till = await enrol(hooks.service, business.accountId);
  await till.push(Array.from({ length: 40 }, () => versionsOf(randomUUID(), {})[0]!));
  const { body } = await business.api.get("/sales?limit=100");
  const last = body.data
    .map(({ updated_at }: Json) => updated_at)
    .toSorted()
    .at(-1);
  const since = await business.api.get(`/sales?updated_since=${last}`);
  expect(since.body.data.map(({ updated_at }: Json) => updated_at)).toEqual([last]);
});

test("a record from before versions were counted has none, and its next change is its first", async () => {
  const { api, accountId } = await hooks.service.business();
  const { body } = await api.post("/customers", { name: "Ana" });
  await hooks.service.deps.pool.query(
    "update customers set version = null, body = (body::jsonb - 'version')::json where account_id = $1",
    [accountId],
  );
  expect((await api.get(`/customers/${body.id}`)).body).not.toHaveProperty("version");
  expect((await api.patch(`/customers/${body.id}`, { name: "Eva" })).body.version).toBe(1);
});

test("the count goes on after a process of the former release wrote the record without it", async () => {
  const { api, accountId } = await hooks.service.business();
  const { body } = await api.post("/customers", { name: "Ana" });
  await api.patch(`/customers/${body.id}`, { name: "Eva" });
  await hooks.service.deps.pool.query(
    "update customers set body = (body::jsonb - 'version')::json, seq = seq where account_id = $1",
    [accountId],
  );
  expect((await api.patch(`/customers/${body.id}`, { name: "Isa" })).body.version).toBe(3);
});

test("deliveries of one record follow each other, also with two workers, and those of others go at the same time", async () => {
  const { deliveries: _, metrics: __, ...apart } = hooks.service.deps;
  const other = startWebhookWorker(apart);
  const business = await hooks.service.business();
  const till = await enrol(hooks.service, business.accountId);
  const endpoint = await hooks.endpoint(business, { types: ["sale.created", "sale.updated"] });
  const open = new Map<string, number>();
  const seen = new Map<string, number[]>();
  let most = 0;
  let overlapping = 0;
  hooks.receiver.answers.set(endpoint.path, ({ body: { data } }, response) => {
    const { id, version } = data.object;
    seen.set(id, [...(seen.get(id) ?? []), version]);
    if (open.has(id)) overlapping += 1;
    open.set(id, version);
    most = Math.max(most, open.size);
    setTimeout(() => {
      open.delete(id);
      response.writeHead(200).end();
    }, Math.random() * 30);
  });
  const ids = Array.from({ length: 6 }, () => randomUUID());
  const rounds = 12;
  for (let round = 0; round < rounds; round++) {
    const changes = ids.flatMap((id) => versionsOf(id, { notes: `${round} a` }, { notes: `${round} b` }));
    await till.push(changes);
  }
  await hooks.receiver.arrivals(endpoint.path, ids.length * rounds * 2);
  await eventually(async () => (await hooks.deliveries(endpoint)).every(({ state }) => state === "delivered"));
  await other.stop();
  expect(overlapping).toBe(0);
  expect(most).toBeGreaterThan(1);
  for (const id of ids) expect(seen.get(id)).toEqual(Array.from({ length: rounds * 2 }, (_, i) => i + 1));
});

test("while one process has a delivery of a record, no other claims the next, until it has ended or failed", async () => {
  await hooks.stopWorker();
  const { deps } = hooks.service;
  const business = await hooks.service.business();
  const endpoint = await hooks.endpoint(business, { types: ["customer.created", "customer.updated"] });
  const { body: ana } = await business.api.post("/customers", { name: "Ana" });
  for (const name of ["Eva", "Isa"]) await business.api.patch(`/customers/${ana.id}`, { name });
  const { body: other } = await business.api.post("/customers", { name: "Otra" });
  const claim = async (size: number) => {
    const claims = [{ accountId: business.accountId, endpointId: endpoint.id, size, perRecord: 8, passed: [] }];
    const { deliveries, held } = await claimDeliveries(deps.pool, claims, deps.clock.now());
    const shown = deliveries.map(({ eventText }) => JSON.parse(eventText!).data.object);
    return {
      deliveries,
      shown: shown.map(({ id, version }) => [id, version]),
      held: held.get(endpoint.id)?.count ?? 0,
    };
  };
  const now = deps.clock.now();
  const end = (delivery: ClaimedDelivery, delivered: boolean) => {
    const outcome = delivered ? { delivered, status: 200 } : { delivered, failure: "status" as const, status: 500 };
    const sent = { outcome: undefined, durationMs: 1, remoteAddress: null };
    const result = resultOf(delivery, { at: now, signedAt: now }, outcome as Outcome, sent);
    return recordResults(deps.pool, [result], now);
  };

  const first = await claim(1);
  expect(first.shown).toEqual([[ana.id, 1]]);
  expect(await claim(10)).toMatchObject({ shown: [[other.id, 1]], held: 2 });
  await end(first.deliveries[0]!, true);
  const second = await claim(1);
  expect(second).toMatchObject({ shown: [[ana.id, 2]], held: 0 });
  expect(await claim(10)).toMatchObject({ shown: [], held: 1 });
  await end(second.deliveries[0]!, false);
  expect(await claim(10)).toMatchObject({ shown: [[ana.id, 3]], held: 0 });
  await hooks.restart();
});

test("a delivery that failed holds up none of the later ones", async () => {
  const business = await hooks.service.business();
  const endpoint = await hooks.endpoint(business, { types: ["customer.created", "customer.updated"] });
  hooks.receiver.answers.set(endpoint.path, ({ body }, response) => {
    response.writeHead(body.type === "customer.created" ? 500 : 200).end();
  });
  const { body } = await business.api.post("/customers", { name: "Ana" });
  await business.api.patch(`/customers/${body.id}`, { name: "Eva" });
  const arrived = await hooks.receiver.arrivals(endpoint.path, 2);
  expect(arrived.map((one) => one.body.data.object.version)).toEqual([1, 2]);
});

/** The five lines of the guide, as it prints them. */
async function guideLines(): Promise<{ guardar: (copy: Map<string, Json>, event: Json) => void }> {
  const { fences } = readGuides("http://127.0.0.1:3000").find(({ slug }) => slug === "webhooks")!;
  const fence = fences.find(({ attributes }) => attributes.archivo === "guardar.mjs")!;
  const file = join(folder.path, "guardar.mjs");
  await writeFile(file, fence.text);
  return import(file);
}

async function recordsOf({ api }: Business, path: string): Promise<Json[]> {
  const all: Json[] = [];
  for (let after = ""; ; ) {
    const { body } = await api.get(`${path}?limit=100${after}`);
    all.push(...body.data);
    if (!body.has_more) return all;
    after = `&starting_after=${body.next_cursor}`;
  }
}

/** Lets everything be tried that is due, until nothing waits for another attempt. */
async function settle({ id }: TestEndpoint): Promise<void> {
  const { pool, clock } = hooks.service.deps;
  const count = async (text: string) =>
    (await pool.query<{ count: number }>(`select count(*) from webhook_queue where endpoint_id = $1 ${text}`, [id]))
      .rows[0]!.count;
  for (;;) {
    await eventually(async () => (await count(`and due_at <= '${clock.now().toISOString()}'`)) === 0);
    if ((await count("")) === 0) return;
    hooks.advance(11 * 60 * minute);
  }
}

test("a receiver that follows the guide ends with what the API says, whatever fails on the way", async () => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32));
  const draw = chance(seed);
  const { guardar } = await guideLines();
  const business = await hooks.service.business();
  const till = await enrol(hooks.service, business.accountId);
  const endpoint = await hooks.endpoint(business);

  const copy = new Map<string, Json>();
  hooks.receiver.answers.set(endpoint.path, ({ body }, response) => {
    const luck = Math.random();
    setTimeout(() => {
      if (luck < 0.08) return response.destroy();
      if (luck < 0.16) return response.writeHead(503).end();
      guardar(copy, body);
      return response.writeHead(luck < 0.2 ? 500 : 200).end();
    }, luck * 20);
  });

  const { next, pools } = randomPushes(till, draw);
  const pushes = process.env.LONG ? 500 : 40;
  for (let i = 0; i < pushes; i++) {
    await next();
    if (draw() < 0.1) hooks.advance(2 * minute);
    const known = draw() < 0.2 && [...copy.values()].find(({ object }) => object === "customer");
    if (known) await business.api.patch(`/customers/${known.id}`, { name: `Desde la API ${i}` });
  }
  await settle(endpoint);

  const paths = ["/sales", "/customers", "/products", "/cash-sessions", "/inventory/movements"];
  const records = (await Promise.all(paths.map((path) => recordsOf(business, path)))).flat();
  // Stock moves a product without an event: the copy has the product's last event.
  const silent = new Set(pools.moved);
  const loud = records.filter(({ id }) => !silent.has(id));
  expect(loud.length).toBeGreaterThan(15);
  for (const record of loud) expect([seed, copy.get(record.id)]).toEqual([seed, record]);
  for (const record of records.filter(({ id }) => silent.has(id)))
    expect(copy.get(record.id)).toMatchObject({ name: record.name });
});
