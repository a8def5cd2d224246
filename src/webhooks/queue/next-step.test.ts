import fc from "fast-check";
import { expect, test } from "vitest";
import { maxAttempts, nextStep, retryWaitsMs } from "./next-step.ts";

const failed = { delivered: false } as const;
const delivered = { delivered: true } as const;

test("the eight attempts fall due to the second", () => {
  const due = ["2026-09-28T12:00:00.000Z"];
  for (let attempt = 1; ; attempt++) {
    const step = nextStep(failed, attempt, new Date(due.at(-1)!));
    if (step.kind !== "retry") {
      expect([attempt, step.kind]).toEqual([8, "failed"]);
      break;
    }
    due.push(step.at.toISOString());
  }
  expect(due).toEqual([
    "2026-09-28T12:00:00.000Z",
    "2026-09-28T12:01:00.000Z",
    "2026-09-28T12:06:00.000Z",
    "2026-09-28T12:36:00.000Z",
    "2026-09-28T14:36:00.000Z",
    "2026-09-28T19:36:00.000Z",
    "2026-09-29T05:36:00.000Z",
    "2026-09-29T15:36:00.000Z",
  ]);
});

test("eight attempts take about 28 hours", () => {
  expect(maxAttempts).toBe(8);
  expect(retryWaitsMs.reduce((sum, waitMs) => sum + waitMs, 0) / 3_600_000).toBeCloseTo(27.6, 6);
});

test("a delivered attempt ends it, whichever it was", () => {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    expect(nextStep(delivered, attempt, new Date())).toEqual({ kind: "delivered" });
  }
});

test("an attempt beyond the eighth is not followed by another", () => {
  expect(nextStep(failed, 9, new Date())).toEqual({ kind: "failed" });
});

test.each([0, -1, 1.5, Number.NaN])("there is no attempt %s", (attempt) => {
  expect(() => nextStep(failed, attempt, new Date())).toThrow(RangeError);
});

test("any late attempt moves the next one by its own delay and no more", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 7 }),
      fc.date({ noInvalidDate: true, max: new Date("2100-01-01") }),
      (attempt, at) => {
        expect(nextStep(failed, attempt, at)).toEqual({
          kind: "retry",
          at: new Date(at.getTime() + retryWaitsMs[attempt - 1]!),
        });
      },
    ),
  );
});
