import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool } from "../../src/db/pool.ts";
import { type ShortReads, sharedReads } from "../../src/db/shared-reads.ts";
import { sql } from "../../src/db/sql.ts";
import { transaction } from "../../src/db/transaction.ts";
import { shiftedClock } from "../../src/lib/clock.ts";
import { listenerName, listenForChanges } from "../../src/start/listener.ts";
import { type ApiClient, apiClient } from "../support/client.ts";
import { type StartedService, startMostrador } from "../support/process.ts";
import { type Business, onServer, type Service, startService } from "../support/service.ts";
import { eventually } from "../support/webhooks.ts";

let service: Service;
let shop: Business;
beforeAll(async () => {
  service = await startService();
  shop = await service.business();
});
afterAll(() => service[Symbol.asyncDispose]());

function databaseName(): string {
  return new URL(service.databaseUrl).pathname.slice(1);
}

/** From here on a new session takes no writes, and those that are open are gone: the address leads to a standby. */
async function demote(): Promise<void> {
  await onServer(`alter database ${databaseName()} set default_transaction_read_only = on`);
  await onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${databaseName()}'`);
}

/** New sessions take writes again; those that are open stay as they are, as connections to the old server do. */
async function switchOver(): Promise<void> {
  await onServer(`alter database ${databaseName()} reset default_transaction_read_only`);
}

async function readiness(adminUrl: string): Promise<{ status: number; problems: string[] }> {
  const answer = await fetch(`${adminUrl}/readyz`);
  return { status: answer.status, problems: ((await answer.json()) as { problems: string[] }).problems };
}

/** Which server process answers a shared read. */
async function backendOf(reads: ShortReads): Promise<number> {
  const { rows } = await reads.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  return rows[0]!.pid;
}

test("a database that takes no writes is away; after a switchover everything moves without a restart", async () => {
  const env = { DATABASE_URL: service.databaseUrl, SECRET_KEY: service.deps.config.secretKey, ENVIRONMENT: "test" };
  const running: StartedService = await startMostrador(env, ["--only", "api,sync"]);
  try {
    const api: ApiClient = apiClient(running.url, { authorization: `Bearer ${shop.key}` });
    expect((await api.post("/customers", { name: "Antes" })).status).toBe(201);
    expect((await readiness(running.adminUrl)).status).toBe(200);

    await demote();
    const { problems } = await eventually(async () => {
      const found = await readiness(running.adminUrl);
      return found.problems.some((problem) => problem.includes("takes no writes")) && found;
    });
    expect(problems).toContain("database: takes no writes: default_transaction_read_only is on");
    const refused = await eventually(async () => {
      const answer = await api.post("/customers", { name: "Durante" });
      return answer.status === 503 && answer;
    });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const scraped = await (await fetch(`${running.adminUrl}/metrics`)).text();
    expect(scraped).toContain("mostrador_database_up 0");

    await switchOver();
    await eventually(async () => (await api.post("/customers", { name: "Después" })).status === 201);
    await eventually(async () => (await readiness(running.adminUrl)).status === 200);
    expect((await api.post("/customers", { name: "Y después" })).status).toBe(201);
  } finally {
    await running.stop();
    await switchOver();
  }
}, 60_000);

test("one refused write ends every connection to that server, those of shared reads too", async () => {
  await demote();
  const pool = createPool({ url: service.databaseUrl, max: 4 });
  const reads = sharedReads(pool);
  const before = await backendOf(reads);
  await Promise.all([1, 2].map(() => pool.query("select pg_sleep(0.01)")));
  await switchOver();
  await expect(transaction(pool, (client) => client.query("delete from rate_buckets"))).rejects.toThrow(/read-only/);
  expect(await backendOf(reads)).not.toBe(before);
  for (let i = 0; i < 4; i++) await transaction(pool, (client) => client.query("delete from rate_buckets"));
  await reads.stop();
  await pool.end();
});

test("no connection outlives its time, neither of the pool, of shared reads nor the listening one", async () => {
  const pool = createPool({ url: service.databaseUrl, max: 4, longestLifeMs: 50 });
  const reads = sharedReads(pool);
  const pooled = async () => (await pool.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]!.pid;
  const listening = async () => {
    const { rows } = await service.deps.pool.query<{ pid: number }>(sql`
      select pid from pg_stat_activity where application_name = ${listenerName} and datname = current_database()`);
    return rows.map(({ pid }) => pid);
  };
  const states: boolean[] = [];
  const listener = await listenForChanges({
    url: service.databaseUrl,
    pool,
    access: service.deps.access,
    clock: shiftedClock(),
    onState: (connected) => states.push(connected),
    lookEveryMs: 20,
    longestLifeMs: 50,
  });
  const first = [await pooled(), await backendOf(reads), ...(await listening())];
  await eventually(async () => !first.includes(await pooled()));
  await eventually(async () => !first.includes(await backendOf(reads)));
  await eventually(async () => !(await listening()).some((pid) => first.includes(pid)));
  // The next connection is there before the last one goes.
  expect(states).not.toContain(false);
  await listener.stop();
  await reads.stop();
  await pool.end();
});
