import fc from "fast-check";
import { expect, test } from "vitest";
import { charge, mainMethod, quickNotes, roundedCash } from "./charge.ts";

test("cash is what the other means leave, and the change is what was handed over too much", () => {
  const card = { payment_method: "CARD", amount: 30_000 };
  expect(charge(51_057, [card], { rounding: 0, tendered: 25_000 })).toEqual({
    charge: {
      payments: [{ payment_method: "CASH", amount: 21_057 }, card],
      tendered: 25_000,
      change: 3_943,
      cash_rounding: 0,
    },
  });
});

test("cash is rounded to $50 only if the business says so, and half goes to the customer", () => {
  expect(roundedCash(10_024, 0)).toBe(10_024);
  expect([10_000, 10_024, 10_025, 10_026, 10_049].map((amount) => roundedCash(amount, 50))).toEqual([
    10_000, 10_000, 10_000, 10_050, 10_050,
  ]);
  expect(charge(10_026, [], { rounding: 50, tendered: 20_000 })).toMatchObject({
    charge: { payments: [{ payment_method: "CASH", amount: 10_026 }], change: 9_950, cash_rounding: 24 },
  });
});

test("too little cash and too much by card are told apart", () => {
  expect(charge(5_000, [], { rounding: 0, tendered: 4_000 })).toEqual({
    problem: { kind: "not_enough_cash", missing: 1_000 },
  });
  expect(charge(5_000, [{ payment_method: "NEQUI", amount: 6_000 }], { rounding: 0 })).toEqual({
    problem: { kind: "too_much", excess: 1_000 },
  });
});

test("the parts always add up to the total, and the published means has the largest of them", () => {
  const part = fc.record({ payment_method: fc.constantFrom("CARD", "NEQUI", "CASH"), amount: fc.nat(50_000) });
  fc.assert(
    fc.property(
      fc.nat(500_000),
      fc.array(part, { maxLength: 4 }),
      fc.constantFrom(0, 50, 100),
      (rest, others, rounding) => {
        const total = rest + others.reduce((sum, { amount }) => sum + amount, 0);
        const result = charge(total, others, { rounding });
        if (!("charge" in result)) throw new Error("refused");
        const { payments, change } = result.charge;
        expect(payments.reduce((sum, { amount }) => sum + amount, 0)).toBe(total);
        expect(new Set(payments.map((one) => one.payment_method)).size).toBe(payments.length);
        expect(change).toBe(0);
        const largest = Math.max(...payments.map(({ amount }) => amount));
        expect(payments.find((one) => one.payment_method === mainMethod(payments))!.amount).toBe(largest);
      },
    ),
  );
});

test("the sums offered begin with the exact amount, and are few and round, however large it is", () => {
  expect(quickNotes(73)).toEqual([73, 100, 2_000, 5_000]);
  expect(quickNotes(7_300)).toEqual([7_300, 8_000, 10_000, 20_000]);
  expect(quickNotes(21_057)).toEqual([21_057, 22_000, 30_000, 50_000]);
  expect(quickNotes(50_000)).toEqual([50_000, 100_000]);
  expect(quickNotes(234_567)).toEqual([234_567, 240_000, 250_000, 300_000]);
  expect(quickNotes(1_234_567)).toEqual([1_234_567, 1_240_000, 1_250_000, 1_300_000]);
  expect(quickNotes(12_000_000)).toEqual([12_000_000]);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e12 }), (due) => {
      const [exact, ...others] = quickNotes(due);
      expect(exact).toBe(due);
      expect(others.length).toBeLessThanOrEqual(3);
      expect([due, ...others]).toEqual([...others, due].sort((a, b) => a - b));
      for (const sum of others) expect(sum - due).toBeLessThan(100_000);
    }),
  );
});
