import fc from "fast-check";
import { expect, test } from "vitest";
import { type EndpointHealth, healthAfter, healthy, judgeHealth } from "./endpoint-health.ts";

const start = new Date("2026-09-28T12:00:00Z");
const after = (hours: number, seconds = 0) => new Date(start.getTime() + hours * 3_600_000 + seconds * 1000);
const failing = (consecutiveFailures: number): EndpointHealth => ({ consecutiveFailures, failingSince: start });

test.each([
  [20, after(24, 1), "deactivate"],
  [21, after(48), "deactivate"],
  [20, new Date(after(24).getTime() + 1), "deactivate"],
  [20, after(24), "half_way"],
  [20, after(23, 59 * 60), "half_way"],
  [19, after(24, 1), "half_way"],
  [19, after(24 * 30), "half_way"],
  [10, after(12, 1), "half_way"],
  [10, after(12), "active"],
  [9, after(12, 1), "active"],
  [9, after(24 * 30), "active"],
  [1000, after(1), "active"],
  [1, start, "active"],
] as const)("%i failures until %s: %s", (failures, at, verdict) => {
  expect(judgeHealth(failing(failures), at)).toBe(verdict);
});

test("an endpoint that does not fail is active at any time", () => {
  expect(judgeHealth(healthy, after(24 * 365))).toBe("active");
});

test("a success ends the run: the count and the time start over", () => {
  const recovered = healthAfter(failing(19), true, after(24, 1));
  expect(recovered).toEqual({ consecutiveFailures: 0, failingSince: null });
  expect(healthAfter(recovered, false, after(25))).toEqual({ consecutiveFailures: 1, failingSince: after(25) });
});

test("a failure recorded late moves the start of the run back", () => {
  expect(healthAfter(failing(3), false, after(-1))).toEqual({ consecutiveFailures: 4, failingSince: after(-1) });
  expect(healthAfter(failing(3), false, after(1))).toEqual({ consecutiveFailures: 4, failingSince: start });
});

test("any history: deactivated exactly when 20 or more failed in a row and the run is older than 24 h", () => {
  // One success in about 60 attempts, so that runs of 20 do occur.
  const attempt = fc.record({ delivered: fc.nat(60).map((n) => n === 0), waitMs: fc.nat(4 * 3_600_000) });
  fc.assert(
    fc.property(fc.array(attempt, { minLength: 1, maxLength: 60, size: "max" }), (attempts) => {
      let at = start;
      const history = attempts.map(({ delivered, waitMs }) => {
        at = new Date(at.getTime() + waitMs);
        return { delivered, at };
      });
      const health = history.reduce((before, one) => healthAfter(before, one.delivered, one.at), healthy);
      const run = history.slice(history.findLastIndex((one) => one.delivered) + 1);
      const isDeactivated = run.length >= 20 && at.getTime() - run[0]!.at.getTime() > 86_400_000;
      expect(judgeHealth(health, at) === "deactivate").toBe(isDeactivated);
    }),
    { numRuns: 500 },
  );
});
