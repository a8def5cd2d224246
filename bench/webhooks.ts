import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { Pool as HttpPool } from "undici";
import { createCustomer } from "../src/business/customers/operations.ts";
import { writing } from "../src/engine/writing/writing.ts";
import { day } from "../src/lib/clock.ts";
import { signatureHeader } from "../src/webhooks/endpoints/signature.ts";
import { readHistory } from "../src/webhooks/history/delivery-history.ts";
import { startWebhookWorker } from "../src/webhooks/queue/worker.ts";
import { type Figure, median } from "./support/measure.ts";
import { type Stage, startStage } from "./support/webhook-stage.ts";

const deliveries = 15_000;
const historyRows = 5_000_000;

/** The webhook worker compared with a bare undici loop to the same receiver, in turns; medians of both. */
export async function run({
  rounds = 3,
  note = () => {},
}: {
  rounds?: number;
  note?: (text: string) => void;
} = {}): Promise<Figure[]> {
  const stage = await startStage();
  try {
    note("webhooks: a bare undici loop, and the engine, in turns");
    await bareRound(stage, 2_000);
    const bare: number[] = [];
    const ours: { perSecond: number; statements: number }[] = [];
    for (let i = 0; i < rounds; i++) {
      bare.push(await bareRound(stage, deliveries));
      ours.push(await workerRound(stage, deliveries));
    }
    note("webhooks: from commit to receipt");
    const quietAccount = await stage.account();
    await stage.endpoint(quietAccount, "/timed");
    const latencies = await withWorker(stage, () => latency(stage, quietAccount, 200, 10));
    note("webhooks: beside four endpoints that hang");
    const isolated = await isolation(stage, Math.min(rounds, 3));
    note("webhooks: idle");
    const idle = await idleQueries(stage, 10);
    note("webhooks: a search in a long history");
    const search = await searchHistory(stage, historyRows);
    return [
      figure(
        "deliveries, HTTPS keep-alive, 1.5 KB, with history and lanes",
        "1/s",
        median(ours.map(({ perSecond }) => perSecond)),
        median(bare),
      ),
      figure("SQL statements per delivery", "statements", median(ours.map(({ statements }) => statements)), 4),
      figure("commit → receipt at 200/s, p50", "ms", quantile(latencies, 0.5), 8),
      figure("commit → receipt at 200/s, p99", "ms", quantile(latencies, 0.99), 40),
      figure("p99 added by four hanging endpoints with 20 000 pending", "ms", isolated, 50),
      figure("queries per second while idle", "1/s", idle, 2),
      figure(`one delivery by its id among ${historyRows} rows`, "ms", search, 100),
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

const sameHeaders = {
  "content-type": "application/json",
  "service-event-id": randomUUID(),
  "service-event-type": "sale.created",
  "service-delivery-id": randomUUID(),
  "user-agent": "Service-Webhooks/1.0 (+http://127.0.0.1:3000/docs)",
};

/** Signed posts with the same headers and size, as fast as undici can: no database, no history, no per-endpoint queues. */
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
        const headers = { ...sameHeaders, "service-signature": signature };
        const response = await pool.request({ path: "/bare", method: "POST", headers, body });
        await response.body.dump();
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  await pool.close();
  return count / seconds;
}

/** Delivers a backlog of one account with two endpoints, from the worker's start to the last recorded result. */
async function workerRound(stage: Stage, count: number): Promise<{ perSecond: number; statements: number }> {
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
  const worker = startWebhookWorker(stage.workerDeps, stage.network);
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

async function withWorker<T>({ workerDeps, network }: Stage, work: () => Promise<T>): Promise<T> {
  const worker = startWebhookWorker(workerDeps, network);
  try {
    return await work();
  } finally {
    await worker.stop();
  }
}

/** Milliseconds from the commit of a write in this process to its receipt in the other, at a constant rate. */
async function latency(stage: Stage, accountId: string, perSecond: number, seconds: number): Promise<number[]> {
  const { deps } = stage;
  const committed = new Map<string, bigint>();
  const writes: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let i = 0; i < perSecond * seconds; i++) {
    const wait = startedAt + (i * 1000) / perSecond - performance.now();
    if (wait > 0) await delay(wait);
    writes.push(
      writing(deps, accountId, (write) => createCustomer(write, { name: "x".repeat(100) })).then((customer) => {
        committed.set(customer.id, process.hrtime.bigint());
      }),
    );
  }
  await Promise.all(writes);
  const { rows } = await deps.pool.query<{ id: string; customer: string }>(
    "select id, body -> 'data' -> 'object' ->> 'id' as customer from events where account_id = $1",
    [accountId],
  );
  const customerOf = new Map(rows.map(({ id, customer }) => [id, customer]));
  const found: number[] = [];
  while (found.length < committed.size) {
    for (const [id, at] of (await stage.receiver.report()).arrived) {
      const since = committed.get(customerOf.get(id) ?? "");
      if (since !== undefined) found.push(Number(BigInt(at) - since) / 1e6);
    }
    await delay(20);
  }
  return found;
}

/** How much four endpoints that never answer slow down the account's fifth: with the four paused and active, in turns. */
async function isolation(stage: Stage, rounds: number): Promise<number> {
  const accountId = await stage.account();
  for (let i = 0; i < 4; i++) await stage.backlog(accountId, await stage.endpoint(accountId, `/hang-${i}`), 5_000);
  await stage.endpoint(accountId, "/timed");
  const others = "update webhook_endpoints set status = $2 where account_id = $1 and url like '%/hang-%'";
  const differences: number[] = [];
  // The four are not subscribed to the measured events, so that their backlog does not grow.
  await stage.deps.pool.query(
    "update webhook_endpoints set event_types = '{sale.created}' where account_id = $1 and url like '%/hang-%'",
    [accountId],
  );
  for (let i = 0; i < rounds; i++) {
    await stage.deps.pool.query(others, [accountId, "paused"]);
    const alone = await withWorker(stage, () => latency(stage, accountId, 100, 6));
    await stage.deps.pool.query(others, [accountId, "active"]);
    const beside = await withWorker(stage, async () => {
      await delay(1_000);
      return latency(stage, accountId, 100, 6);
    });
    differences.push(quantile(beside, 0.99) - quantile(alone, 0.99));
  }
  await stage.deps.pool.query(others, [accountId, "paused"]);
  return median(differences);
}

/** The list route's query, for ids from each of the 30 days of one busy endpoint. */
async function searchHistory(stage: Stage, rows: number): Promise<number> {
  const { deps } = stage;
  const accountId = await stage.account();
  const endpointId = await stage.endpoint(accountId, "/a");
  const perDay = Math.ceil(rows / 30);
  const now = deps.clock.now();
  const samples: string[] = [];
  for (let daysAgo = 0; daysAgo < 30; daysAgo++) {
    const from = new Date(now.getTime() - daysAgo * day - 60_000 * 60);
    await deps.partitions.ensure(from);
    const { rows: made } = await deps.pool.query<{ id: string }>(fillText, [accountId, endpointId, from, perDay]);
    samples.push(made[0]!.id);
  }
  const times: number[] = [];
  for (const search of samples) {
    const startedAt = performance.now();
    const found = await readHistory(deps.pool, { accountId, endpointId, search, limit: 25 }, now);
    times.push(performance.now() - startedAt);
    if (found[0]?.id !== search) throw new Error(`${search} was not found`);
  }
  return quantile(times, 0.95);
}

const fillText = `
  with made as (
    insert into webhook_deliveries (account_id, created_at, id, endpoint_id, event_id, event_type, is_test, state, attempts)
    select $1, t.at, (lpad(to_hex((extract(epoch from t.at) * 1000)::bigint), 12, '0') || '7' || substr(md5(i::text), 1, 3) || '8' || substr(md5(t.at::text || i), 1, 15))::uuid,
      $2, (lpad(to_hex((extract(epoch from t.at) * 1000)::bigint), 12, '0') || '7' || substr(md5(i::text), 1, 3) || '9' || substr(md5(t.at::text || i), 1, 15))::uuid,
      'sale.created', false, case when i % 50 = 0 then 'failed' else 'delivered' end,
      '[{"at":"2026-01-01T00:00:00.000Z","duration_ms":12,"status":200,"failure":null,"remote_address":"1.2.3.4"}]'
    from generate_series(1, $4::int) i cross join lateral (select $3::timestamptz(3) + i * interval '5 ms' as at) t
    returning id)
  select id from made limit 1`;

async function idleQueries({ deps, workerDeps, network }: Stage, seconds: number): Promise<number> {
  const worker = startWebhookWorker(workerDeps, network);
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
