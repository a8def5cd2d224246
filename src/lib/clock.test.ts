import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { day, hour, minute, parseDuration, second, shiftedClock } from "./clock.ts";

describe("parseDuration", () => {
  test.each([
    ["26h", 26 * hour],
    ["90s", 90 * second],
    ["1d12h", day + 12 * hour],
    ["5m", 5 * minute],
    ["5min", 5 * minute],
    ["250ms", 250],
    ["1.5h", 90 * minute],
    ["0s", 0],
  ])("%s is a duration", (text, expected) => {
    expect(parseDuration(text)).toBe(expected);
  });

  test.each(["", "5", "h", "-5h", "5 h", "5h ", "1,5h", "5x", "5hours", "h5", "1e3s", ".5h", "5h!", "Infinityh"])(
    "%j is no duration",
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  test("parts add up, in any order and number", () => {
    const units = { ms: 1, s: second, m: minute, min: minute, h: hour, d: day };
    const part = fc.tuple(fc.nat(1000), fc.constantFrom(...(Object.keys(units) as (keyof typeof units)[])));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        const total = parts.reduce((sum, [amount, unit]) => sum + amount * units[unit], 0);
        expect(parseDuration(parts.map(([amount, unit]) => `${amount}${unit}`).join(""))).toBe(total);
      }),
    );
  });
});

test("a clock moves ahead, never back", () => {
  const clock = shiftedClock();
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -day, max: 40 * day })), (offsets) => {
      const before = clock.offsetMs();
      const earliest = Date.now() + before;
      for (const offset of offsets) clock.shiftTo(offset);
      expect(clock.offsetMs()).toBe(Math.max(before, ...offsets));
      expect(clock.now().getTime()).toBeGreaterThanOrEqual(earliest);
    }),
  );
});
