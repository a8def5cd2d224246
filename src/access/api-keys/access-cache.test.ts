import { describe, expect, test } from "vitest";
import type { Pool } from "../../db/pool.ts";
import { second } from "../../lib/clock.ts";
import { hashToken } from "../../lib/token.ts";
import { accessCache } from "./access-cache.ts";

const hash = hashToken("mst_test_");
const row = { hash, id: "key", account_id: "account", scopes: ["sales:read"], active: true, plan: "pro" };

/** A cache over a database whose queries resolve when the test says so. */
function cacheOver() {
  let now = 0;
  const pending: ((rows: object[]) => void)[] = [];
  const pool = { query: () => new Promise((resolve) => pending.push((rows) => resolve({ rows }))) };
  return {
    cache: accessCache(pool as unknown as Pool, () => now),
    async answer(rows: object[]) {
      await expect.poll(() => pending.length).toBe(1);
      pending.shift()!(rows);
    },
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe("what is cached about a key", () => {
  test("is valid for five seconds", async () => {
    const { cache, answer, pass } = cacheOver();
    expect(cache.peek(hash)).toBeUndefined();
    const loaded = cache.load(hash);
    await answer([row]);
    expect(await loaded).toMatchObject({ keyId: "key", plan: "pro" });
    pass(5 * second - 1);
    expect(cache.peek(hash)).toBe(await loaded);
    pass(1);
    expect(cache.peek(hash)).toBeUndefined();
  });

  test("is dropped when a change is announced", async () => {
    const { cache, answer } = cacheOver();
    const loaded = cache.load(hash);
    await answer([row]);
    await loaded;
    cache.clear();
    expect(cache.peek(hash)).toBeUndefined();
  });

  test("is not kept if a change was announced while it was being read", async () => {
    const { cache, answer } = cacheOver();
    const loaded = cache.load(hash);
    cache.clear();
    await answer([row]);
    await loaded;
    expect(cache.peek(hash)).toBeUndefined();
  });

  test("does not include that a key was not found: it may be created the next moment", async () => {
    const { cache, answer } = cacheOver();
    const missing = cache.load(hash);
    await answer([]);
    expect(await missing).toBeUndefined();
    const made = cache.load(hash);
    await answer([row]);
    expect(await made).toBeDefined();
  });
});
