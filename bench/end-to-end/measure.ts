import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { requestsPerSecond } from "../support/measure.ts";
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
  /** Calls a second whose webhook has arrived. */
  rate: number;
  /** Processor of service and database for each, in ms. */
  cpuMs: number;
}

/** POST /customers until the time is over, then the wait for the last webhook. */
export async function measureThroughput(side: Side, receiver: Receiver, seconds: number): Promise<Throughput> {
  const before = (await receiver.report()).count;
  const eventsBefore = await eventsOf(side);
  const cpuBefore = side.cpuSeconds();
  const startedAt = performance.now();
  let turn = 0;
  await requestsPerSecond(
    {
      url: `${side.url}/public/v1/customers`,
      method: "POST",
      request: () => ({ headers: headersFor(side.keys[turn++ % side.keys.length]!), body }),
    },
    seconds,
    connections,
  );
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
  const elapsed = (loadedMs + waitedMs) / 1000;
  return { rate: arrived / elapsed, cpuMs: ((side.cpuSeconds() - cpuBefore) * 1000) / arrived };
}

function headersFor(key: string): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "idempotency-key": randomUUID(),
  };
}

async function eventsOf({ pool }: Side): Promise<number> {
  const { rows } = await pool.query<{ count: number }>("select count(*) from events");
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
