import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readEntries } from "../../simulator/register.ts";
import { type Summary, simulate } from "../../simulator/simulate.ts";
import { selectorOf } from "../../src/access/devices/create-enrolment-code.ts";
import { createPool } from "../../src/db/create-pool.ts";
import { readMigrations } from "../../src/db/migrate.ts";
import type { Pool } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { hashToken } from "../../src/lib/token.ts";
import { apiClient } from "../support/client.ts";
import { shared } from "../support/fixtures.ts";
import { type FormerVersion, fillWith, formerVersion } from "../support/former-version.ts";
import { startLoad } from "../support/mixed-load.ts";
import { drained, loadProblems } from "../support/mixed-load-checks.ts";
import { mostrador, projectDir, type StartedService, startMostrador } from "../support/process.ts";
import { type Receiver, receiverHost, startReceiver } from "../support/receiver.ts";
import { rollingProxy } from "../support/rolling-proxy.ts";
import { type Business, emptyDatabase } from "../support/service.ts";

const isLong = Boolean(process.env.LONG);
const rounds = isLong ? 3 : 1;
/** Acknowledged writes of each business between two steps. */
const between = isLong ? 100 : 6;
const stepMs = 300_000;

const former = shared(async () => {
  const found = await formerVersion();
  return { found, [Symbol.asyncDispose]: async () => found?.[Symbol.asyncDispose]() };
});

describe("a database that the former version filled", () => {
  test.for(Array.from({ length: rounds }, (_, i) => i + 1))(
    "is upgraded one process at a time under simulate, API writes and webhooks: nothing is lost, doubled or set aside (%i)",
    { timeout: 1_800_000 },
    async (seed, context) => {
      const { found } = former;
      if (!found)
        return context.skip("this tree does not have the commit of the former version: an export, or a shallow clone");
      await upgradeOnce(found, seed);
    },
  );
});

async function upgradeOnce({ project }: FormerVersion, seed: number): Promise<void> {
  await using database = await emptyDatabase();
  await using receiver = await startReceiver({ now: () => new Date() });
  const env = settings(database.url, receiver);
  const made = await fillWith(project, env);
  for (const [accountId, secret] of Object.entries(made.secrets)) receiver.secrets.set(`/${accountId}`, [secret]);
  await using processes = processesOf(env);
  await using proxy = await rollingProxy();
  const pool = createPool({ url: database.url, max: 4, applicationName: "test" });
  await using _ended = { [Symbol.asyncDispose]: () => pool.end() };

  const old = [await processes.start(project), await processes.start(project)];
  for (const process of old) await proxy.add(process);
  expect(await verified(env, project), "before").toEqual([]);
  const target = {
    url: proxy.url,
    receiver,
    codes: made.codes,
    shop: businessOf(proxy.url, made.shop),
    office: businessOf(proxy.url, made.office),
  };
  await using load = await startLoad(target, { seed, others: [made.store.accountId] });
  await using selling = simulated(proxy.url, pool, made.store.accountId, seed);
  await load.more(between, stepMs);
  expect(await verified(env, project), "before, under load").toEqual([]);

  for (const [i, process] of old.entries()) {
    proxy.remove(process);
    await processes.stop(process);
    await load.more(between, stepMs);
    await proxy.add(await processes.start(projectDir));
    await load.more(between, stepMs);
    expect(await verified(env), `after ${i + 1} of 2`).toEqual([]);
  }
  expect(await appliedCount(pool)).toBe((await readMigrations()).length);

  const books = await selling.end();
  await load.end();
  await drained(pool, stepMs);
  await load.endReading();
  expect(proxy.turnedAway).toBe(0);
  expect(await loadProblems(pool, target, load)).toEqual([]);
  expect(await simulatedProblems(pool, made.store.accountId, books)).toEqual([]);
  const { rows: aside } = await pool.query("select account_id, reason from quarantined_records");
  expect(aside).toEqual([]);
  // Nobody counts by the former rule any more: from here on verify holds the sums too.
  expect((await mostrador(["recount"], env)).code).toBe(0);
  expect(await verified(env), "after").toEqual([]);

  const late = await mostrador(["start"], env, "", project);
  expect(late.code).toBe(1);
  expect(late.stderr).toContain("La base de datos es de una versión más nueva de Mostrador");
}

function settings(url: string, receiver: Receiver): Record<string, string> {
  return {
    DATABASE_URL: url,
    SECRET_KEY: "k".repeat(32),
    RATE_LIMIT_PER_SECOND: "0",
    LOG_LEVEL: "fatal",
    DRAIN_SECONDS: "1",
    WEBHOOK_RESOLVE: `${receiverHost}=127.0.0.1:${receiver.port}`,
    WEBHOOK_CA_FILE: receiver.caFile,
  };
}

function businessOf(url: string, made: Omit<Business, "api">): Business {
  return { ...made, api: apiClient(url, { authorization: `Bearer ${made.key}` }) };
}

function processesOf(env: Record<string, string>) {
  const running = new Set<StartedService>();
  return {
    async start(project: string): Promise<StartedService> {
      const service = await startMostrador(env, [], undefined, project);
      running.add(service);
      return service;
    },
    async stop(service: StartedService): Promise<void> {
      expect(await service.stop()).toBe(0);
      running.delete(service);
    },
    async [Symbol.asyncDispose]() {
      for (const service of running) await service.kill();
    },
  };
}

/** What `mostrador verify` of a version finds. */
async function verified(env: Record<string, string>, project = projectDir): Promise<string[]> {
  const { stdout, stderr } = await mostrador(["verify", "--json"], env, "", project);
  return stderr ? [stderr] : JSON.parse(stdout).problems;
}

/** Days of `mostrador simulate` one after the other, until it is ended. Resolves with the folders of the registers' books. */
function simulated(baseUrl: string, pool: Pool, accountId: string, seed: number) {
  let isOn = true;
  const running = (async () => {
    const parent = await mkdtemp(join(tmpdir(), "mostrador-upgrade-"));
    const days: Summary[] = [];
    for (let day = 0; isOn; day++) {
      const newCode = () => codeOfAnyVersion(pool, accountId);
      const folder = join(parent, String(day));
      days.push(
        await simulate({
          baseUrl,
          registers: 2,
          rate: 3,
          forMs: 5_000,
          offline: 0.2,
          folder,
          seed: seed + day,
          newCode,
        }),
      );
    }
    return { parent, days };
  })();
  running.catch(() => {});
  return {
    async end(): Promise<Summary[]> {
      isOn = false;
      return (await running).days;
    },
    async [Symbol.asyncDispose]() {
      isOn = false;
      const ended = await running.catch(() => undefined);
      if (ended) await rm(ended.parent, { recursive: true, force: true });
    },
  };
}

/** An enrolment code that says only what both versions' tables can hold: a day may begin before the first migration. */
async function codeOfAnyVersion(pool: Pool, accountId: string): Promise<string> {
  for (;;) {
    const code = Array.from({ length: 10 }, () => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[randomInt(32)]).join("");
    const made = await pool.query(sql`
      insert into enrolment_codes (selector, code_hash, account_id, name, expires_at)
      values (${selectorOf(code)}, ${hashToken(code)}, ${accountId}, 'Caja simulada', now() + interval '10 minutes')
      on conflict (selector) do nothing`);
    if (made.rowCount === 1) return code;
  }
}

/** Each sale in the registers' books is stored and announced exactly once, and nothing else is. */
async function simulatedProblems(pool: Pool, accountId: string, days: readonly Summary[]): Promise<string[]> {
  const books = days.flatMap(({ folders }) => folders.flatMap(readEntries));
  const sold = [...new Set(books.filter(({ type }) => type === "sale").map(({ id }) => id))].toSorted();
  const { rows: stored } = await pool.query<{ id: string }>(
    sql`select id from sales where account_id = ${accountId} order by id`,
  );
  const { rows: told } = await pool.query<{ id: string }>(sql`
    select body->'data'->'object'->>'id' as id from events
    where account_id = ${accountId} and type = 'sale.created' order by 1`);
  const is = (rows: { id: string }[]) => JSON.stringify(rows.map(({ id }) => id).toSorted()) === JSON.stringify(sold);
  return [
    ...(sold.length > 0 ? [] : ["nothing was sold"]),
    ...(is(stored) ? [] : [`${stored.length} sales are stored, and ${sold.length} were made`]),
    ...(is(told) ? [] : [`${told.length} sales were announced, and ${sold.length} were made`]),
    ...days.filter(({ pending }) => pending > 0).map(({ pending }) => `${pending} records never arrived`),
  ];
}

async function appliedCount(pool: Pool): Promise<number> {
  return (await pool.query("select from migrations")).rowCount ?? 0;
}
