import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type RateLimiter, rateLimited, rateLimiter } from "./rate-limit.ts";

/** A limiter whose clock stands still until the test moves it. */
function limiterAt(perSecond: number, burst: number): { limiter: RateLimiter; pass: (ms: number) => void } {
  let now = 1_000_000;
  return {
    limiter: rateLimiter(perSecond, burst, () => now),
    pass: (ms) => {
      now += ms;
    },
  };
}

const taken = (limiter: RateLimiter, times: number, name = "key") =>
  Array.from({ length: times }, () => limiter.take(name)).filter(Boolean).length;

describe("a token bucket", () => {
  test("lets its burst through, then requests at its rate", () => {
    const { limiter, pass } = limiterAt(50, 100);
    expect(taken(limiter, 150)).toBe(100);
    pass(19);
    expect(taken(limiter, 2)).toBe(0);
    pass(1);
    expect(taken(limiter, 2)).toBe(1);
    pass(1000);
    expect(taken(limiter, 100)).toBe(50);
  });

  test("charges a heavy request its weight, or the whole bucket if it weighs more", () => {
    const { limiter, pass } = limiterAt(10, 100);
    expect([limiter.take("key", 60), limiter.take("key", 60), limiter.take("key", 40)]).toEqual([true, false, true]);
    expect(limiter.state("key", 60).retryAfterSeconds).toBe(6);
    pass(10_000);
    expect([limiter.take("key", 500), limiter.take("key")]).toEqual([true, false]);
  });

  test("never holds more than its burst, however long it is idle", () => {
    const { limiter, pass } = limiterAt(50, 100);
    pass(1e12);
    expect(taken(limiter, 150)).toBe(100);
  });

  test("is separate for each name", () => {
    const { limiter } = limiterAt(1, 2);
    expect(taken(limiter, 5, "a")).toBe(2);
    expect(taken(limiter, 5, "b")).toBe(2);
  });

  test("accepts a token back, but not beyond its burst", () => {
    const { limiter } = limiterAt(1, 2);
    expect(taken(limiter, 2)).toBe(2);
    limiter.giveBack("key");
    expect(taken(limiter, 2)).toBe(1);
    for (let i = 0; i < 5; i++) limiter.giveBack("key");
    expect(taken(limiter, 5)).toBe(2);
  });

  test("reports what is left, when it is full again and when to retry", () => {
    const { limiter, pass } = limiterAt(2, 10);
    expect(limiter.state("key")).toMatchObject({ limit: 10, remaining: 10, resetSeconds: 0 });
    taken(limiter, 10);
    expect(limiter.state("key")).toEqual({ limit: 10, remaining: 0, resetSeconds: 5, retryAfterSeconds: 1 });
    pass(1750);
    expect(limiter.state("key")).toMatchObject({ remaining: 3, resetSeconds: 4 });
  });

  test("tells the client of a slow bucket to wait long enough", () => {
    const { limiter, pass } = limiterAt(0.1, 1);
    taken(limiter, 1);
    expect(limiter.state("key").retryAfterSeconds).toBe(10);
    expect(rateLimited(limiter.state("key")).headers).toEqual({ "retry-after": "10" });
    pass(10_000);
    expect(limiter.take("key")).toBe(true);
  });

  test("never lets more through than burst + rate × time, and a client that waits Retry-After is admitted", () => {
    const settings = fc.record({
      perSecond: fc.integer({ min: 1, max: 100 }),
      burst: fc.integer({ min: 1, max: 200 }),
    });
    const steps = fc.array(fc.record({ ms: fc.nat(3000), requests: fc.nat(50) }), { maxLength: 30 });
    fc.assert(
      fc.property(settings, steps, ({ perSecond, burst }, moves) => {
        const { limiter, pass } = limiterAt(perSecond, burst);
        let elapsedMs = 0;
        let admitted = 0;
        for (const { ms, requests } of moves) {
          pass(ms);
          elapsedMs += ms;
          admitted += taken(limiter, requests);
          const { remaining, retryAfterSeconds } = limiter.state("key");
          expect(remaining).toBeGreaterThanOrEqual(0);
          expect(remaining).toBeLessThanOrEqual(burst);
          expect(retryAfterSeconds).toBeGreaterThanOrEqual(1);
        }
        expect(admitted).toBeLessThanOrEqual(burst + (elapsedMs / 1000) * perSecond + 1e-6);
        taken(limiter, 1000);
        pass(limiter.state("key").retryAfterSeconds * 1000);
        expect(limiter.take("key")).toBe(true);
      }),
    );
  });
});

test("a flood of new names neither drops the busy ones nor gets slower with each", () => {
  const { limiter, pass } = limiterAt(1, 2);
  taken(limiter, 2, "busy");
  // With a full sweep per name this would take minutes.
  for (let i = 0; i < 200_000; i++) limiter.take(`passer-by ${i}`);
  expect(limiter.take("busy")).toBe(false);
  pass(2000);
  for (let i = 0; i < 200_000; i++) limiter.take(`other ${i}`);
  expect(taken(limiter, 5, "busy")).toBe(2);
});
