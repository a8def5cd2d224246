import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RateLimiter, rateLimiter } from "../../src/api/http/rate-limit.ts";
import { type SharedLimits, shareLimits } from "../../src/api/http/shared-limits.ts";
import { createPool } from "../../src/db/create-pool.ts";
import type { Pool } from "../../src/db/pool.ts";
import { newToken } from "../../src/lib/token.ts";
import { apiClient } from "../support/client.ts";
import { sharedService } from "../support/fixtures.ts";
import { serverGone } from "../support/interfere.ts";
import { type StartedService, startMostrador } from "../support/process.ts";

let pool: Pool;
const errors: Error[] = [];
const service = sharedService();
beforeAll(async () => {
  pool = createPool({ url: service.databaseUrl, max: 4 });
});
afterAll(async () => {
  await pool.end();
});

interface Member extends AsyncDisposable {
  limiter: RateLimiter;
  limits: SharedLimits;
}

/** One process: a limiter that shares its use with the others. Hardly any tokens are added while a test runs. */
function member(kind: string, { burst = 10, perSecond = 0.001, on = pool } = {}): Member {
  const limiter = rateLimiter(perSecond, burst);
  const limits = shareLimits(on, (error) => errors.push(error));
  limits.join(kind, limiter);
  return { limiter, limits, [Symbol.asyncDispose]: () => limits.stop() };
}

function takeAll(limiter: RateLimiter, name: string): number {
  let taken = 0;
  while (limiter.take(name)) taken += 1;
  return taken;
}

test("tokens that one process takes are missing in the other", async () => {
  await using one = member("a");
  await using other = member("a");
  for (let i = 0; i < 6; i++) one.limiter.take("key");
  await one.limits.sync();
  expect(other.limiter.take("key")).toBe(true);
  await other.limits.sync();
  expect(other.limiter.state("key").remaining).toBe(3);
  expect(takeAll(other.limiter, "key")).toBe(3);
  await other.limits.sync();
  one.limiter.giveBack("key");
  await one.limits.sync();
  expect(one.limiter.state("key").remaining).toBe(1);
});

test("tokens that both took in excess are a debt: nobody gets more until it is repaid", async () => {
  await using one = member("b", { perSecond: 1 });
  await using other = member("b", { perSecond: 1 });
  expect(takeAll(one.limiter, "key") + takeAll(other.limiter, "key")).toBeGreaterThanOrEqual(20);
  await one.limits.sync();
  await other.limits.sync();
  const { remaining, retryAfterSeconds } = other.limiter.state("key");
  expect(remaining).toBe(0);
  // A debt of ten at one per second, and one more to take.
  expect(retryAfterSeconds).toBeGreaterThanOrEqual(9);
});

test("each kind and each name has its own bucket", async () => {
  await using one = member("c");
  await using other = member("d");
  takeAll(one.limiter, "key");
  await one.limits.sync();
  other.limiter.take("key");
  one.limiter.take("another key");
  await Promise.all([one.limits.sync(), other.limits.sync()]);
  expect(other.limiter.state("key").remaining).toBe(9);
  expect(one.limiter.state("another key").remaining).toBe(9);
});

test("while the database is away each process limits on its own and reports later", async () => {
  const away = createPool({ url: service.databaseUrl.replace(/\/test_\w+$/, "/gone") });
  await using alone = member("e", { on: away });
  await using neighbour = member("e");
  for (let i = 0; i < 4; i++) alone.limiter.take("key");
  await alone.limits.sync();
  expect(errors.splice(0).length).toBeGreaterThan(0);
  expect(takeAll(alone.limiter, "key")).toBe(6);
  neighbour.limiter.take("key");
  await neighbour.limits.sync();
  expect(neighbour.limiter.state("key").remaining).toBe(9);
  await away.end();
});

test("debt repaid while the database was away is not owed when it returns", async () => {
  const returning = createPool({ url: service.databaseUrl, max: 2 });
  await using alone = member("f", { on: returning, perSecond: 100 });
  alone.limiter.take("key");
  await alone.limits.sync();
  const { query } = returning;
  returning.query = (() => serverGone()) as typeof query;
  // Never more than the bucket allows, for several times as long as it takes to fill.
  for (let i = 0; i < 8; i++) {
    for (let j = 0; j < 5; j++) expect(alone.limiter.take("key")).toBe(true);
    await alone.limits.sync();
    await delay(60);
  }
  returning.query = query;
  await alone.limits.sync();
  expect(errors.splice(0).length).toBeGreaterThan(0);
  expect(alone.limiter.take("key")).toBe(true);
  await alone.limits.stop();
  await returning.end();
});

test("two processes together allow a key, and a guesser's address, as much as one would", async () => {
  const { key } = await service.business();
  const burst = 40;
  const env = {
    DATABASE_URL: service.databaseUrl,
    SECRET_KEY: service.deps.config.secretKey,
    RATE_LIMIT_PER_SECOND: "1",
    RATE_LIMIT_BURST: String(burst),
  };
  const processes = await Promise.all([startMostrador(env, ["--only", "api"]), startMostrador(env, ["--only", "api"])]);
  try {
    const [one, other] = processes as [StartedService, StartedService];
    const granted = async (process: StartedService, bearer: () => string, refusedAs: number) => {
      for (let count = 0; ; count++) {
        const api = apiClient(process.url, { authorization: `Bearer ${bearer()}` });
        const { status } = await api.get("/customers");
        if (status === 429) return count;
        expect(status).toBe(refusedAs);
      }
    };
    expect(await granted(one, () => key, 200)).toBeGreaterThanOrEqual(burst);
    expect(await granted(other, () => key, 200)).toBeLessThan(burst);
    const guess = () => newToken("mst_test_");
    expect(await granted(one, guess, 401)).toBeGreaterThanOrEqual(30);
    expect(await granted(other, guess, 401)).toBeLessThan(30);
  } finally {
    await Promise.all(processes.map((process) => process.stop()));
  }
});
