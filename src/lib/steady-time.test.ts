import { describe, expect, test } from "vitest";
import { day, hour, minute, second } from "./clock.ts";
import { maxTrustedOffsetMs, steadyTime } from "./steady-time.ts";

const noon = Date.UTC(2026, 10, 16, 12);

/** A host whose two clocks the test moves, and a database with the right time. */
function host({ aheadMs = 0 } = {}) {
  let wall = noon + aheadMs;
  let monotonic = 1_000;
  let database = noon;
  const time = steadyTime(
    () => wall,
    () => monotonic,
  );
  let steps = 0;
  time.onStep(() => (steps += 1));
  return {
    time,
    steps: () => steps,
    database: () => database,
    pass(ms: number) {
      wall += ms;
      monotonic += ms;
      database += ms;
    },
    set(ms: number) {
      wall += ms;
    },
    sleep(ms: number) {
      wall += ms;
      database += ms;
    },
    replaceDatabase(ms: number) {
      database += ms;
    },
    /** `givenAt` is the part of the round trip after which the database reads its clock. */
    compare({ roundTripMs = 2, givenAt = 0.5 } = {}) {
      const before = time.now();
      this.pass(roundTripMs * givenAt);
      const shown = database;
      this.pass(roundTripMs * (1 - givenAt));
      time.learn({ before, shown, after: time.now() });
    },
  };
}

describe("a host with the right time", () => {
  test("keeps its own time to the millisecond, whatever the round trips", () => {
    const one = host();
    for (const givenAt of [0, 0.1, 0.9, 1]) {
      one.compare({ roundTripMs: 800, givenAt });
      expect(one.time.now()).toBe(one.database());
      expect(one.time.aheadMs()).toBe(0);
    }
  });

  test("is right again after sleeping, with the next comparison", () => {
    const one = host();
    one.compare();
    one.sleep(3 * hour);
    expect(Math.abs(one.time.aheadMs())).toBeGreaterThan(maxTrustedOffsetMs);
    expect(one.steps()).toBe(1);
    one.compare();
    expect(one.time.aheadMs()).toBe(0);
    expect(one.time.now()).toBe(one.database());
  });

  test("does not follow a new database server with a wrong clock", () => {
    const one = host();
    one.compare();
    one.replaceDatabase(400 * day);
    one.compare();
    expect(one.time.aheadMs()).toBe(-400 * day);
    expect(one.time.now()).toBe(one.database() - 400 * day);
    one.replaceDatabase(-400 * day);
    one.compare();
    expect(one.time.aheadMs()).toBe(0);
  });
});

describe("a host with the wrong time", () => {
  test.each([-400 * day, -hour, -2 * second, 2 * second, minute, 5 * hour, 400 * day])(
    "off by %i ms, knows it from the first comparison and shows the database's time",
    (aheadMs) => {
      const one = host({ aheadMs });
      one.compare();
      expect(one.time.aheadMs()).toBe(aheadMs);
      expect(one.time.now()).toBe(one.database());
    },
  );

  test("whose clock was set knows it before the next comparison, and its time continues undisturbed", () => {
    const one = host();
    one.compare();
    one.pass(10 * second);
    one.set(hour);
    expect(one.time.now()).toBe(one.database());
    expect(one.time.aheadMs()).toBe(hour);
    expect(one.steps()).toBe(1);
    one.compare();
    expect(one.time.aheadMs()).toBe(hour);
    one.set(-hour);
    expect(one.time.aheadMs()).toBe(0);
    expect(one.time.now()).toBe(one.database());
  });

  test("is corrected as it drifts", () => {
    const one = host();
    for (let i = 0; i < 100; i++) {
      one.compare();
      one.pass(minute);
      one.set(100);
      one.compare();
      expect(Math.abs(one.time.now() - one.database())).toBeLessThanOrEqual(1);
    }
    expect(one.time.aheadMs()).toBeCloseTo(10 * second, -2);
  });
});
