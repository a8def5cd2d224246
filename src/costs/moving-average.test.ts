import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type CostEntry,
  type CostState,
  priceFromText,
  priceOf,
  pricePublished,
  priceText,
  replay,
  valueUnit,
} from "./moving-average.ts";

const nothing: CostState = { milli: 0, average: null };
/** Entries one after another: a quantity, and the price of what comes in. */
const entriesOf = (written: readonly (readonly [quantity: number, price?: number | null])[]): CostEntry[] =>
  written.map(([quantity, price = null], i) => ({
    us: i,
    id: String(i).padStart(4, "0"),
    milli: Math.round(quantity * 1000),
    price: priceOf(price),
  }));
const lived = (written: Parameters<typeof entriesOf>[0], start = nothing) => replay(start, entriesOf(written));
const averageOf = ({ state }: { state: CostState }) => state.average && pricePublished(state.average);
const pesos = (value: bigint | null) => value && Number((value * 10_000n) / valueUnit) / 10_000;
const worthOf = ({ milli, average }: CostState) => BigInt(milli) * (average ?? 0n);

test("what was sold long ago does not weigh: 100 at 1 000 sold and 10 at 2 000 received are worth 2 000 each", () => {
  const now = lived([[100, 1000], [-100], [10, 2000]]);
  expect(averageOf(now)).toBe(2000);
  expect(now.uses.map(({ value }) => pesos(value))).toEqual([100_000, 100_000, 20_000]);
});

test("2 sold without a cost and 20 received at 3.30 cost 3.30, and so do the 2", () => {
  const now = lived([[-2], [20, 3.3]]);
  expect(averageOf(now)).toBe(3.3);
  expect(now.uses[0]).toMatchObject({ owedMilli: 0, value: (66n * valueUnit) / 10n });
  expect(pesos(worthOf(now.state))).toBe(59.4);
});

test("10 delivered without a cost and 5 received at 10 cost 10, and 5 of the 10 wait for the next price", () => {
  const now = lived([[-10], [5, 10]]);
  expect(averageOf(now)).toBe(10);
  expect(now.uses[0]!.owedMilli).toBe(5000);
  const later = lived([[-10], [5, 10], [20, 14]]);
  expect(averageOf(later)).toBe(14);
  expect(pesos(later.uses[0]!.value)).toBe(5 * 10 + 5 * 14);
  expect(later.uses[0]!.owedMilli).toBe(0);
});

test("the bill of 15 received at 2 000 says 5: the 10 sold meanwhile cost 5 too, and nothing is worth less than 0", () => {
  const wrong = lived([[100, 5], [15, 2000], [-10]]);
  expect(averageOf(wrong)).toBe(265.2174);
  const right = lived([[100, 5], [15, 5], [-10]]);
  expect(averageOf(right)).toBe(5);
  expect(pesos(right.uses[2]!.value)).toBe(50);
  expect(pesos(worthOf(right.state))).toBe(525);
});

test("10 sold at a cost of 100 that is 10 from then on, and counted to 0, leave nothing of value", () => {
  const said = (pesos: number): CostState => ({ milli: 0, average: priceOf(pesos) });
  const at = (cost: number) => lived([[-10], [10]], said(cost));
  expect([at(100), at(10)].map(({ state }) => worthOf(state))).toEqual([0n, 0n]);
  expect(at(10).uses.map(({ value }) => pesos(value))).toEqual([100, 100]);
});

test("no price is unknown, and never 0: what comes in without one or with 0 changes no average", () => {
  expect(averageOf(lived([[5, null], [5, 0], [-1]]))).toBeNull();
  expect(
    averageOf(
      lived([
        [5, 100],
        [5, null],
        [5, 0],
      ]),
    ),
  ).toBe(100);
  expect(lived([[5, null], [-1]]).uses.map(({ value }) => value)).toEqual([null, null]);
  // The first price says what all before it cost.
  expect(lived([[5, null], [-1], [4, 50]]).uses.map(({ value }) => pesos(value))).toEqual([250, 50, 200]);
});

test("what customers bring back and suppliers get back comes and goes at the present average", () => {
  const now = lived([[10, 100], [-4], [10, 200], [1], [-2]]);
  expect(averageOf(now)).toBe(162.5);
  expect(now.uses.slice(3).map(({ value }) => pesos(value))).toEqual([162.5, 325]);
});

test("a price is kept as it is written", () => {
  expect(priceText(priceOf(1234.5678)!)).toBe("1234.567800000000");
  expect(priceFromText(priceText(priceOf(0.000001)!))).toBe(priceOf(0.000001));
  expect(priceFromText("7")).toBe(priceOf(7));
  expect([priceOf(0), priceOf(-1), priceOf(Number.NaN), priceOf(1e-9)]).toEqual([null, null, null, null]);
});

const entry = fc.record({
  us: fc.integer({ min: 0, max: 20 }),
  id: fc.uuid(),
  milli: fc.integer({ min: -8000, max: 8000 }),
  price: fc.option(
    fc.integer({ min: 1, max: 9_000_000 }).map((cents) => priceOf(cents / 100)),
    { nil: null },
  ),
});

test("in whatever order entries arrive they say the same, and a replay from any point that owes nothing too", () => {
  const shuffled = fc
    .uniqueArray(entry, { maxLength: 30, selector: ({ id }) => id })
    .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
  fc.assert(
    fc.property(shuffled, ([all, other]) => {
      const whole = replay(nothing, all);
      expect(replay(nothing, other)).toEqual(whole);
      for (const { before, us, id } of whole.steps) {
        if (before.milli < 0 || before.average === null) continue;
        const after = all.filter((one) => one.us > us || (one.us === us && one.id >= id));
        expect(replay(before, after).state).toEqual(whole.state);
      }
    }),
  );
});

test("the value of the stock is what came in less what went out, to less than a thousandth of a peso", () => {
  fc.assert(
    fc.property(fc.uniqueArray(entry, { maxLength: 40, selector: ({ id }) => id }), (all) => {
      const { state, uses } = replay(nothing, all);
      const sum = uses.reduce(
        (left, { entry: { milli }, value }) => left + BigInt(Math.sign(milli)) * (value ?? 0n),
        0n,
      );
      const off = sum - worthOf(state);
      expect(off < valueUnit / 1000n && -off < valueUnit / 1000n).toBe(true);
    }),
  );
});
