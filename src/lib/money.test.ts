import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { divideHalfEven } from "./money.ts";

describe("half to even", () => {
  test("ties go to the even neighbour", () => {
    expect([1n, 3n, 5n, 7n, 9n].map((halves) => divideHalfEven(halves, 2n))).toEqual([0n, 2n, 2n, 4n, 4n]);
  });

  test("is never off by more than half, and even at exactly half", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.bigInt({ min: 1n, max: 1000n }), (dividend, divisor) => {
        const rounded = divideHalfEven(dividend, divisor);
        const twiceAway = 2n * (rounded * divisor - dividend);
        expect(twiceAway <= divisor && twiceAway >= -divisor).toBe(true);
        if (twiceAway === divisor || twiceAway === -divisor) expect(rounded % 2n).toBe(0n);
      }),
      { numRuns: 5000 },
    );
  });
});
