import { afterAll, beforeAll, expect, test } from "vitest";
import { listenerName } from "../../src/access/accounts/test-clock.ts";
import { createPool } from "../../src/db/create-pool.ts";
import { poolReadOnlyReason } from "../../src/db/read-only.ts";
import { type ShortReads, sharedReads } from "../../src/db/shared-reads.ts";
import { sql } from "../../src/db/sql.ts";
import { transaction } from "../../src/db/transaction.ts";
import { shiftedClock } from "../../src/lib/clock.ts";
import { listenForChanges } from "../../src/operations/start/listener.ts";
import { type ApiClient, apiClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { sharedService } from "../support/fixtures.ts";
import { type StartedService, startMostrador } from "../support/process.ts";
import { freshDatabase, onServer } from "../support/service.ts";

const service = sharedService();
let running: StartedService;
let api: ApiClient;
beforeAll(async () => {
  const { key } = await service.business();
  const env = { DATABASE_URL: service.databaseUrl, SECRET_KEY: service.deps.config.secretKey, LOG_LEVEL: "info" };
  running = await startMostrador(env);
  api = apiClient(running.url, { authorization: `Bearer ${key}` });
});
afterAll(async () => {
  await running.stop();
});

function nameOf(databaseUrl: string): string {
  return new URL(databaseUrl).pathname.slice(1);
}

/** New sessions are read-only and open ones are closed, as if the address now led to a standby. */
async function demote(databaseUrl: string): Promise<void> {
  await onServer(`alter database ${nameOf(databaseUrl)} set default_transaction_read_only = on`);
  await cutConnections(databaseUrl);
}

async function cutConnections(databaseUrl: string): Promise<void> {
  await onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${nameOf(databaseUrl)}'`);
}

/** New sessions accept writes again; open ones stay read-only, like connections to the old server. */
async function switchOver(databaseUrl: string): Promise<void> {
  await onServer(`alter database ${nameOf(databaseUrl)} reset default_transaction_read_only`);
}

async function readiness(query = ""): Promise<{ status: number; problems: string[] }> {
  const answer = await fetch(`${running.adminUrl}/readyz${query}`);
  return { status: answer.status, problems: ((await answer.json()) as { problems: string[] }).problems };
}

/** The warnings and errors that the process logged, in order. */
// biome-ignore lint/suspicious/noExplicitAny: log lines are what they are
function warnings(): any[] {
  const lines = running.printed().split("\n");
  const read = lines.filter((line) => line.startsWith("{") && line.endsWith("}")).map((line) => JSON.parse(line));
  return read.filter(({ level }) => level >= 40);
}

/** Which server process answers a shared read. */
async function backendOf(reads: ShortReads): Promise<number> {
  const { rows } = await reads.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
  return rows[0]!.pid;
}

test("a read-only database counts as away; after a switchover everything moves to the new server without a restart", async () => {
  expect((await api.post("/customers", { name: "Antes" })).status).toBe(201);
  expect((await readiness()).status).toBe(200);

  await demote(service.databaseUrl);
  const { problems } = await eventually(async () => {
    const found = await readiness();
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

  await switchOver(service.databaseUrl);
  await eventually(async () => (await api.post("/customers", { name: "Después" })).status === 201);
  await eventually(async () => (await readiness()).status === 200);
  expect((await api.post("/customers", { name: "Y después" })).status).toBe(201);
}, 300_000);

test("an outage is logged with one line when it begins and one when it ends, without connection internals", async () => {
  await eventually(() => warnings().at(-1)?.msg === "the database is back");
  const before = warnings().length;
  await onServer(`alter database ${nameOf(service.databaseUrl)} allow_connections false`);
  await cutConnections(service.databaseUrl);
  const away = "the database is away; requests get 503 until it is back";
  await eventually(() =>
    warnings()
      .slice(before)
      .some(({ msg }) => msg === away),
  );
  // Long enough for every worker to fail several times.
  for (const until = performance.now() + 4_000; performance.now() < until; ) {
    const answers = await Promise.all([1, 2, 3].map((n) => api.post("/customers", { name: `Cliente ${n}` })));
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
  }
  await onServer(`alter database ${nameOf(service.databaseUrl)} allow_connections true`);
  const back = await eventually(() =>
    warnings()
      .slice(before)
      .find(({ msg }) => msg === "the database is back"),
  );
  await eventually(async () => (await readiness()).status === 200);

  expect(
    warnings()
      .slice(before)
      .map(({ msg }) => msg),
  ).toEqual([away, back.msg]);
  expect(back.away_seconds).toBeGreaterThan(3);
  expect(back.lines_left_out).toBeGreaterThan(20);
  expect(running.printed()).not.toMatch(/"(client|secretKey|processID|connectionParameters|internalQuery)":/);
}, 300_000);

test("one refused write closes every connection to that server, including those of shared reads", async () => {
  const { url, drop } = await freshDatabase();
  await demote(url);
  const pool = createPool({ url, max: 4 });
  const reads = sharedReads(pool);
  const before = await backendOf(reads);
  await Promise.all([1, 2].map(() => pool.query("select pg_sleep(0.01)")));
  await switchOver(url);
  await expect(transaction(pool, (client) => client.query("delete from rate_buckets"))).rejects.toThrow(/read-only/);
  await expect.poll(() => backendOf(reads)).not.toBe(before);
  for (let i = 0; i < 4; i++) await transaction(pool, (client) => client.query("delete from rate_buckets"));
  await reads.stop();
  await pool.end();
  await drop();
});

test("a probe that meets a read-only connection is enough to leave it, though nobody writes", async () => {
  const { url, drop } = await freshDatabase();
  await demote(url);
  const pool = createPool({ url, max: 4 });
  await Promise.all([1, 2, 3].map(() => pool.query("select pg_sleep(0.01)")));
  await switchOver(url);
  expect(await poolReadOnlyReason(pool)).toMatch(/takes no writes/);
  expect(await Promise.all([1, 2, 3, 4].map(() => poolReadOnlyReason(pool)))).toEqual(Array(4).fill(undefined));
  await pool.end();
  await drop();
});

test("no connection exceeds its maximum age: neither the pool's, the shared reads' nor the listening one", async () => {
  const { url, drop } = await freshDatabase();
  const pool = createPool({ url, max: 4, maxAgeMs: 50 });
  const reads = sharedReads(pool);
  const pooled = async () => (await pool.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]!.pid;
  const listening = async () => {
    const { rows } = await service.deps.pool.query<{ pid: number }>(sql`
      select pid from pg_stat_activity where application_name = ${listenerName} and datname = ${nameOf(url)}`);
    return rows.map(({ pid }) => pid);
  };
  const states: boolean[] = [];
  const listener = await listenForChanges({
    url,
    pool,
    access: service.deps.access,
    clock: shiftedClock(),
    onState: (connected) => states.push(connected),
    checkEveryMs: 20,
    maxAgeMs: 50,
  });
  const first = [await pooled(), await backendOf(reads), ...(await listening())];
  await eventually(async () => !first.includes(await pooled()));
  await eventually(async () => !first.includes(await backendOf(reads)));
  await eventually(async () => !(await listening()).some((pid) => first.includes(pid)));
  // The next connection is open before the last one is closed.
  expect(states).not.toContain(false);
  await listener.stop();
  await reads.stop();
  await pool.end();
  await drop();
});

test("of several servers in the address, the one that answers and takes writes is used", async () => {
  const { url, drop } = await freshDatabase();
  const { host } = new URL(url);
  const pool = createPool({ url: url.replace(host, `127.0.0.1:1,${host}`), max: 2 });
  const outcome = () =>
    pool.query("select 1").then(
      () => "answered",
      ({ code }: { code?: string }) => code,
    );
  expect([await outcome(), await outcome(), await outcome()]).toEqual(["ECONNREFUSED", "answered", "answered"]);
  await demote(url);
  await eventually(async () => (await outcome()) === "25006");
  await switchOver(url);
  await eventually(async () => (await outcome()) === "answered");
  await pool.end();
  await drop();
});
