import fc from "fast-check";
import { expect, test } from "vitest";
import { charge } from "./charge.ts";
import type { KeptSale } from "./sale.ts";
import {
  closeShift,
  difference,
  expectedCash,
  openShift,
  shiftDraft,
  withMovement,
  withoutSale,
  withSale,
} from "./shift.ts";

const at = new Date("2026-09-28T19:05:09.120Z");
const opened = openShift({ id: "s", registerName: "Caja 1", at, base: 100_000, by: "Ana" });

function sale(total: number, card: number, rounding: number, number = 1): KeptSale {
  const result = charge(total, card > 0 ? [{ payment_method: "CARD", amount: card }] : [], { rounding });
  if (!("charge" in result)) throw new Error("refused");
  return { id: String(number), number, data: { total }, charge: result.charge } as KeptSale;
}

test("a drawer holds its base, its cash sales as they were rounded, and what was put in and taken out", () => {
  let shift = withSale(opened, sale(10_026, 0, 50));
  shift = withSale(shift, sale(51_057, 30_000, 0, 2));
  shift = withMovement(shift, {
    id: "m",
    type: "out",
    amount: 20_000,
    reason: "Hielo",
    created_by: null,
    occurred_at: "",
  });
  expect(expectedCash(shift)).toBe(100_000 + 10_050 + 21_057 - 20_000);
  expect(shift).toMatchObject({ sales_count: 2, sales_total: 61_083, last_number: 2 });
  expect(shift.payments).toEqual([
    { payment_method: "CASH", count: 2, amount: 31_083 },
    { payment_method: "CARD", count: 1, amount: 30_000 },
  ]);
  const closed = closeShift(shift, { at, counted: 111_000, by: "Ana" });
  expect(difference(closed)).toBe(-107);
  expect(shiftDraft(closed).data).toMatchObject({
    status: "closed",
    expected_amount: 111_107,
    cash_out: 20_000,
  });
});

test("a shift whose sales were all cancelled is as it was opened, whatever was sold", () => {
  const sold = fc.record({ cash: fc.nat(90_000), card: fc.nat(90_000), rounding: fc.constantFrom(0, 50) });
  fc.assert(
    fc.property(fc.array(sold, { maxLength: 8 }), (all) => {
      const sales = all.map(({ cash, card, rounding }, i) => sale(cash + card, card, rounding, i + 1));
      const shift = sales.reduce(withSale, opened);
      const undone = sales.toReversed().reduce(withoutSale, shift);
      expect({ ...undone, last_number: 0 }).toEqual(opened);
    }),
  );
});
