import fc from "fast-check";
import { expect, test } from "vitest";
import { baseMilli, type LineInput, linesOf, owedFor, spread, totalsOf } from "./amounts.ts";
import type { PurchaseCharge } from "./schema.ts";

const line = (fields: Partial<LineInput> = {}): LineInput => ({
  ...{
    id: "a",
    product_id: "p",
    variant_id: null,
    supplier_code: null,
    description: "Gaseosa",
    unit: "Caja",
    factor: 24,
  },
  ...{ quantity: 10, unit_cost: 48_000, discount: 0, weight: null, taxes: [] },
  ...fields,
});
const charge = (fields: Partial<PurchaseCharge> = {}): PurchaseCharge => ({
  ...{ object: "purchase_charge", id: "c", description: "Flete", amount: 20_000, tax: 0 },
  ...{ spread_by: "value", in_invoice: true },
  ...fields,
});
const cost = (fields: Partial<LineInput>, charges: PurchaseCharge[] = [], recovers = true) =>
  linesOf([line(fields)], charges, recovers)[0]?.landed_unit_cost;

test.each<[string, number, Partial<LineInput>, PurchaseCharge[], boolean]>([
  ["less its discount", 1875, { discount: 30_000 }, [], true],
  ["with freight", 2083.333333, {}, [charge()], true],
  ["without the IVA that comes back", 2000, { taxes: [{ code: "01", rate: 19 }] }, [], true],
  ["with the IVA that does not", 2380, { taxes: [{ code: "01", rate: 19 }] }, [], false],
  ["with a consumption tax", 2160, { taxes: [{ code: "04", rate: 8 }] }, [], true],
  ["with a tax by its amount", 2001, { taxes: [{ code: "34", rate: null, amount: 240 }] }, [], true],
  ["of what is free, with its freight", 83.333333, { unit_cost: 0 }, [charge()], true],
  ["of half a kilo", 9000, { factor: 0.5, quantity: 2, unit_cost: 4_500 }, [], true],
])("a unit costs %s: %d", (_what, expected, fields, charges, recovers) => {
  expect(cost(fields, charges, recovers)).toBe(expected);
});

test("what is spread adds up, however it is divided, with its rest on the heaviest line", () => {
  expect(spread(100, [1n, 1n, 1n])).toEqual([34, 33, 33]);
  expect(spread(-5, [1n, 3n])).toEqual([-1, -4]);
  expect(spread(7, [0n, 0n])).toEqual([0, 0]);
  fc.assert(
    fc.property(
      fc.integer({ min: -1e9, max: 1e9 }),
      fc.array(fc.bigInt(0n, 10n ** 12n), { minLength: 1 }),
      (amount, weights) => {
        const sum = spread(amount, weights).reduce((all, one) => all + one, 0);
        expect(sum).toBe(weights.some((weight) => weight > 0n) ? amount : 0);
      },
    ),
  );
});

test("a charge that another bills is in the cost and not in the total", () => {
  const charges = [charge({ in_invoice: false })];
  const lines = linesOf([line()], charges, true);
  expect(totalsOf({ lines, charges, rounding: -3 })).toMatchObject({ charges_total: 20_000, total: 479_997 });
  expect(lines[0]?.landed_unit_cost).toBe(2083.333333);
});

test("whatever came in parts, all of it is owed the total, and nothing of it nothing", () => {
  const input = fc.record({
    quantity: fc.integer({ min: 1, max: 50_000 }).map((milli) => milli / 1000),
    unit_cost: fc.integer({ min: 0, max: 9_999_999 }).map((cents) => cents / 100),
    rate: fc.constantFrom(0, 5, 19),
  });
  fc.assert(
    fc.property(
      fc.array(input, { minLength: 1, maxLength: 6 }),
      fc.nat(99_999),
      fc.integer({ min: -2, max: 2 }),
      (inputs, amount, rounding) => {
        const charges = [charge({ amount })];
        const made = inputs.map(({ quantity, unit_cost, rate }, i) =>
          line({ id: `${i}`, quantity, unit_cost, taxes: [{ code: "01", rate }] }),
        );
        const lines = linesOf(made, charges, true);
        expect(owedFor({ lines, charges, rounding })).toBe(0);
        const all = lines.map((one) => ({ ...one, received: one.quantity }));
        expect(owedFor({ lines: all, charges, rounding })).toBe(totalsOf({ lines, charges, rounding }).total);
        const back = all.map((one) => ({ ...one, returned: one.quantity }));
        expect(owedFor({ lines: back, charges, rounding })).toBe(0);
        for (const one of lines) expect(baseMilli(one)).toBeGreaterThan(0n);
      },
    ),
  );
});
