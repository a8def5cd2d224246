import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { requestsPerSecond } from "../support/measure.ts";
import { type BenchProduct, makeBatch, makeProducts } from "../sync/baskets.ts";
import { catalog, pushText } from "../sync/pushes.ts";
import type { Receiver } from "./receiver.ts";
import type { Side } from "./side.ts";

const connections = 32;

/** Close to the longest that the fields allow. */
const body = JSON.stringify({
  name: `María Fernanda ${"x".repeat(80)}`,
  last_name: `Gómez Restrepo ${"y".repeat(80)}`,
  email: "maria.gomez@example.com",
  document_number: "1020456789",
});

export interface Throughput {
  /** Webhooks a second that have arrived. */
  rate: number;
  /** Processor for each, in µs. */
  service: number;
  database: number;
}

/** POST /customers until the time is over, then the wait for the last webhook. */
export async function measureCalls(side: Side, receiver: Receiver, seconds: number): Promise<Throughput> {
  let turn = 0;
  const target = {
    url: `${side.url}/public/v1/customers`,
    method: "POST" as const,
    request: () => ({ headers: headersFor(side.keys[turn++ % side.keys.length]!), body }),
  };
  return measureThroughput(side, receiver, () => requestsPerSecond(target, seconds, connections));
}

/** Every register uploads batches of sales until the time is over, then the wait for the last webhook. */
export async function measurePushes(side: Side, receiver: Receiver, seconds: number): Promise<Throughput> {
  return measureThroughput(side, receiver, async () => {
    const until = performance.now() + seconds * 1000;
    await Promise.all(side.registers.map((token) => pushUntil(side, token, until)));
  });
}

async function measureThroughput(side: Side, receiver: Receiver, load: () => Promise<unknown>): Promise<Throughput> {
  const before = (await receiver.report()).count;
  const eventsBefore = await eventsOf(side);
  const spentBefore = side.cpuSeconds();
  const startedAt = performance.now();
  await load();
  const loadedMs = performance.now() - startedAt;
  // The load ends in the middle of some requests; what they store is announced all the same.
  await delay(200);
  const wanted = (await eventsOf(side)) - eventsBefore;
  const waitingSince = performance.now();
  let arrived = 0;
  let waitedMs = 0;
  while (arrived < wanted) {
    arrived = (await receiver.report()).count - before;
    waitedMs = performance.now() - waitingSince;
    await delay(5);
  }
  const spent = side.cpuSeconds();
  return {
    rate: arrived / ((loadedMs + waitedMs) / 1000),
    service: ((spent.service - spentBefore.service) * 1e6) / arrived,
    database: ((spent.database - spentBefore.database) * 1e6) / arrived,
  };
}

/** What each register has sent so far, by its token. */
const sent = new Map<string, { products: BenchProduct[]; nextSeq: number }>();

async function pushUntil({ url }: Side, token: string, until: number): Promise<void> {
  let register = sent.get(token);
  if (!register) {
    register = { products: makeProducts(), nextSeq: 1 };
    sent.set(token, register);
    await push(url, token, register, catalog(register.products));
  }
  while (performance.now() < until) await push(url, token, register, makeBatch(register.products, new Date()));
}

async function push(
  url: string,
  token: string,
  register: { nextSeq: number },
  records: readonly object[],
): Promise<void> {
  const response = await fetch(`${url}/sync/v1/push`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: pushText(records, register.nextSeq),
  });
  const text = await response.text();
  if (!response.ok || text.includes("quarantined")) throw new Error(text.slice(0, 500));
  register.nextSeq += records.length;
}

function headersFor(key: string): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "idempotency-key": randomUUID(),
  };
}

async function eventsOf({ pool, types }: Side): Promise<number> {
  const { rows } = await pool.query<{ count: number }>("select count(*) from events where type = any($1)", [types]);
  return rows[0]!.count;
}

/** From the answer of a call to the arrival of its webhook, in ms, at a steady rate. */
export async function measureLatency(
  side: Side,
  receiver: Receiver,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<number[]> {
  await receiver.report();
  const answeredAt = new Map<string, bigint>();
  const calls: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let i = 0; i < perSecond * seconds; i++) {
    await delay(Math.max(0, startedAt + (i * 1000) / perSecond - performance.now()));
    calls.push(
      fetch(`${side.url}/public/v1/customers`, {
        method: "POST",
        headers: headersFor(side.keys[i % side.keys.length]!),
        body,
      }).then(async (response) => {
        const at = process.hrtime.bigint();
        answeredAt.set(((await response.json()) as { id: string }).id, at);
      }),
    );
  }
  await Promise.all(calls);
  const arrived = new Map<string, bigint>();
  while (arrived.size < answeredAt.size) {
    await delay(20);
    for (const [id, at] of (await receiver.report()).arrived) arrived.set(id, BigInt(at));
  }
  const { rows } = await side.pool.query<{ id: string; customer: string }>(
    "select id, body->'data'->'object'->>'id' as customer from events",
  );
  return rows.flatMap(({ id, customer }) => {
    const [from, to] = [answeredAt.get(customer), arrived.get(id)];
    return from === undefined || to === undefined ? [] : [Number(to - from) / 1e6];
  });
}
