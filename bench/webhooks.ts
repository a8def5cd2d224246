import { setTimeout as delay } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { Pool as HttpPool } from "undici";
import { createCustomer } from "../src/customers/create-customer.ts";
import { signatureHeader } from "../src/webhooks/signature.ts";
import { startWebhookWorker } from "../src/webhooks/worker.ts";
import { writing } from "../src/writing/writing.ts";
import type { Figure } from "./support/measure.ts";
import { type Stage, setStage } from "./support/webhook-stage.ts";

const deliveries = 15_000;
const rounds = 3;

/** The webhook engine against a bare undici loop to the same receiver, in turns, with the medians of both. */
export async function run(): Promise<Figure[]> {
  const stage = await setStage();
  try {
    await bareRound(stage, 2_000);
    const bare: number[] = [];
    const ours: { perSecond: number; statements: number }[] = [];
    for (let i = 0; i < rounds; i++) {
      bare.push(await bareRound(stage, deliveries));
      ours.push(await ownRound(stage, deliveries));
    }
    const bareRate = median(bare);
    const rate = median(ours.map(({ perSecond }) => perSecond));
    const latencies = await latency(stage, 200, 10);
    const idle = await idleQueries(stage, 10);
    return [
      figure("deliveries, HTTPS keep-alive, 1.5 KB, with history and lanes", "1/s", rate, bareRate),
      figure("SQL statements per delivery", "statements", median(ours.map(({ statements }) => statements)), 4),
      figure("commit → receipt at 200/s, p50", "ms", quantile(latencies, 0.5), 8),
      figure("commit → receipt at 200/s, p99", "ms", quantile(latencies, 0.99), 40),
      figure("queries per second while idle", "1/s", idle, 2),
    ];
  } finally {
    await stage.close();
  }
}

function figure(name: string, unit: string, ours: number, limit: number): Figure {
  const rounded = Math.round(ours * 1000) / 1000;
  return {
    name,
    unit,
    ours: rounded,
    limit: Math.round(limit * 1000) / 1000,
    ratio: Math.round((ours / limit) * 100) / 100,
  };
}

/** Signed posts of the same size, as fast as undici goes: no database, no history, no lanes. */
async function bareRound({ receiver, network }: Stage, count: number): Promise<number> {
  const pool = new HttpPool("https://bench.example.com", {
    connections: 64,
    connect: (_options, callback) => {
      const socket = connectTls({
        host: "127.0.0.1",
        port: receiver.port,
        servername: "bench.example.com",
        secureContext: network.secureContext,
      });
      socket.once("secureConnect", () => callback(null, socket)).once("error", (error) => callback(error, null));
    },
  });
  const body = JSON.stringify({
    id: "x".repeat(36),
    type: "sale.created",
    data: { object: { notes: "x".repeat(1_400) } },
  });
  const secret = `whsec_${"0".repeat(64)}`;
  let left = count;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (left-- > 0) {
        const signature = signatureHeader(body, [secret], Math.floor(Date.now() / 1000));
        const headers = { "content-type": "application/json", "service-signature": signature };
        const answer = await pool.request({ path: "/bare", method: "POST", headers, body });
        await answer.body.dump();
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  await pool.close();
  return count / seconds;
}

/** A backlog of one account with two endpoints, from the worker's start to the last recorded outcome. */
async function ownRound(stage: Stage, count: number): Promise<{ perSecond: number; statements: number }> {
  const { deps } = stage;
  const accountId = await stage.account();
  for (const path of ["/a", "/b"]) {
    const endpointId = await stage.endpoint(accountId, path);
    await stage.backlog(accountId, endpointId, count / 2);
  }
  await deps.pool.query("vacuum analyze webhook_queue");
  await deps.pool.query("analyze events");
  await deps.pool.query("select pg_stat_statements_reset()");
  const before = (await stage.receiver.report()).count;
  const startedAt = performance.now();
  const worker = startWebhookWorker(deps, stage.network);
  while ((await stage.receiver.report()).count - before < count) await delay(5);
  const seconds = (performance.now() - startedAt) / 1000;
  await worker.stop();
  const { rows } = await deps.pool.query<{ calls: number }>(
    "select sum(calls)::int as calls from pg_stat_statements where query not like '%pg_stat_statements%'",
  );
  const { rows: left } = await deps.pool.query<{ count: number }>(
    "select count(*) from webhook_deliveries where account_id = $1",
    [accountId],
  );
  if (left[0]!.count !== count) throw new Error(`${left[0]!.count} of ${count} deliveries are in the history`);
  return { perSecond: count / seconds, statements: rows[0]!.calls / count };
}

/** From the commit of a write in this process to the receipt in the other, at an even pace. */
async function latency(stage: Stage, perSecond: number, seconds: number): Promise<number[]> {
  const { deps } = stage;
  const accountId = await stage.account();
  await stage.endpoint(accountId, "/timed");
  const worker = startWebhookWorker(deps, stage.network);
  const committed = new Map<string, bigint>();
  const customers: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let i = 0; i < perSecond * seconds; i++) {
    const wait = startedAt + (i * 1000) / perSecond - performance.now();
    if (wait > 0) await delay(wait);
    customers.push(
      writing(deps, accountId, (write) => createCustomer(write, { name: "x".repeat(100) })).then((customer) => {
        committed.set(customer.id, process.hrtime.bigint());
      }),
    );
  }
  await Promise.all(customers);
  const { rows } = await deps.pool.query<{ id: string; customer: string }>(
    "select id, body -> 'data' -> 'object' ->> 'id' as customer from events where account_id = $1",
    [accountId],
  );
  const customerOf = new Map(rows.map(({ id, customer }) => [id, customer]));
  const found: number[] = [];
  while (found.length < rows.length) {
    for (const [id, at] of (await stage.receiver.report()).arrived)
      found.push(Number(BigInt(at) - committed.get(customerOf.get(id)!)!) / 1e6);
    await delay(20);
  }
  await worker.stop();
  return found;
}

async function idleQueries({ deps, network }: Stage, seconds: number): Promise<number> {
  const worker = startWebhookWorker(deps, network);
  await delay(3_000);
  await deps.pool.query("select pg_stat_statements_reset()");
  await delay(seconds * 1000);
  const { rows } = await deps.pool.query<{ calls: number }>(
    "select sum(calls)::int as calls from pg_stat_statements where query not like '%pg_stat_statements%'",
  );
  await worker.stop();
  return rows[0]!.calls / seconds;
}

function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))]!;
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
