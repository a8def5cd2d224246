import fc from "fast-check";
import { expect, test } from "vitest";
import { type LineParts, netOf, nextPart } from "./part-of-line.ts";

const none = (taxes: number): LineParts => ({ base: 0n, taxes: Array.from({ length: taxes }, () => 0n) });

/** Returns the line in steps and gives what each took back. */
function inSteps(whole: LineParts, quantities: readonly bigint[], drift: readonly bigint[] = []): LineParts[] {
  const of = quantities.reduce((total, one) => total + one, 0n);
  let returned = none(whole.taxes.length);
  let quantity = 0n;
  return quantities.map((one) => {
    quantity += one;
    const part = nextPart(whole, returned, quantity, of, drift);
    returned = add(returned, part);
    return part;
  });
}

function add(a: LineParts, b: LineParts): LineParts {
  return { base: a.base + b.base, taxes: a.taxes.map((tax, i) => tax + b.taxes[i]!) };
}

test.each<[string, LineParts, number[], number[]]>([
  ["two sodas of 6500", { base: 10_924n, taxes: [2_076n] }, [1, 1], [6_500, 6_500]],
  ["three of 1000", { base: 2_521n, taxes: [479n] }, [1, 1, 1], [1_000, 1_000, 1_000]],
  ["a kilo and a half of two", { base: 5_200n, taxes: [] }, [1_500, 500], [3_900, 1_300]],
  ["an odd peso, which goes to the even half first", { base: 4n, taxes: [1n] }, [1, 1], [2, 3]],
])("%s", (_name, whole, quantities, refunds) => {
  const parts = inSteps(whole, quantities.map(BigInt));
  expect(parts.map((part) => Number(netOf(part)))).toEqual(refunds);
});

test("any returns of any line sum up to it, and none of their parts is negative", () => {
  const pesos = fc.bigInt({ min: 0n, max: 2_000_000n });
  fc.assert(
    fc.property(
      pesos,
      fc.array(fc.oneof(pesos, fc.bigInt({ min: 0n, max: 3n })), { maxLength: 3 }),
      fc.array(fc.bigInt({ min: 1n, max: 5_000_000n }), { minLength: 1, maxLength: 8 }),
      fc.array(fc.bigInt({ min: -3_000_000n, max: 3_000_000n }), { minLength: 3, maxLength: 3 }),
      (base, taxes, quantities, drift) => {
        const whole = { base, taxes };
        const parts = inSteps(whole, quantities, drift);
        expect(parts.reduce(add, none(taxes.length))).toEqual(whole);
        for (const part of parts) expect([part.base, ...part.taxes].every((value) => value >= 0n)).toBe(true);
      },
    ),
  );
});
