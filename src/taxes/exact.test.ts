import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { divideHalfEven } from "../lib/money.ts";
import { shareOut, sum, toScaled } from "./exact.ts";

describe("a decimal becomes a scaled integer", () => {
  test.each([
    [1.735, 6, 1_735_000n],
    ["1.735", 6, 1_735_000n],
    [0.000001, 6, 1n],
    [0.1, 1, 1n],
    ["0", 0, 0n],
    [-0, 0, 0n],
    [19, 4, 190_000n],
    [0.966, 4, 9_660n],
  ])("%s with %i decimals", (value, decimals, scaled) => {
    expect(toScaled(value, decimals)).toBe(scaled);
  });

  test.each([
    ["1.5", 0, "too_precise"],
    [1e-7, 6, "too_precise"],
    ["1.5000000", 6, "too_precise"],
    [-1, 6, "negative"],
    ["-0.5", 6, "negative"],
    [1e21, 6, "too_large"],
    ["9".repeat(1_000), 6, "too_large"],
    ["1e3", 6, "unreadable"],
    ["1,5", 6, "unreadable"],
    [" 1", 6, "unreadable"],
    ["", 6, "unreadable"],
    ["0x10", 6, "unreadable"],
    ["١", 6, "unreadable"],
    [Number.NaN, 6, "unreadable"],
    [Number.POSITIVE_INFINITY, 6, "unreadable"],
    [null, 6, "unreadable"],
    [{ toString: () => "1" }, 6, "unreadable"],
  ])("%s with %i decimals is %s", (value, decimals, problem) => {
    expect(toScaled(value, decimals)).toBe(problem);
  });

  test("every quantity of nine digits and six decimals can be read from its number", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 999_999_999_999_999n }), (scaled) => {
        const text = `${scaled / 1_000_000n}.${String(scaled % 1_000_000n).padStart(6, "0")}`;
        expect(toScaled(text, 6)).toBe(scaled);
        if (scaled >= 1n) expect(toScaled(Number(text), 6)).toBe(scaled);
      }),
      { numRuns: 5000 },
    );
  });
});

describe("rounding together", () => {
  const amount = fc.bigInt({ min: 0n, max: 100_000n });

  test("gives shares that sum up to the rounded sum, each less than one away from its fraction", () => {
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 30 }), fc.bigInt({ min: 1n, max: 500n }), (numerators, divisor) => {
        const shares = shareOut(numerators, divisor);
        expect(sum(shares)).toBe(divideHalfEven(sum(numerators), divisor));
        numerators.forEach((numerator, index) => {
          const away = shares[index]! * divisor - numerator;
          expect(away < divisor && away > -divisor).toBe(true);
        });
      }),
      { numRuns: 2000 },
    );
  });

  test("rounds the larger remainders up, the earlier one among equals", () => {
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 12 }), fc.bigInt({ min: 2n, max: 7n }), (numerators, divisor) => {
        const shares = shareOut(numerators, divisor);
        const isUp = (index: number) => shares[index]! * divisor > numerators[index]!;
        for (const [up, first] of numerators.entries())
          for (const [down, second] of numerators.entries()) {
            if (!isUp(up) || isUp(down)) continue;
            const [larger, smaller] = [first % divisor, second % divisor];
            expect(larger > smaller || (larger === smaller && up < down)).toBe(true);
          }
      }),
      { numRuns: 1000 },
    );
  });
});
