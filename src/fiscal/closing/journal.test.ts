import fc from "fast-check";
import { expect, test } from "vitest";
import { paymentName } from "../../taxes/means.ts";
import { rateText } from "../../taxes/words.ts";
import { defaultCodes } from "./accounting-codes.ts";
import { type Figures, noFigures } from "./figures.ts";
import { type JournalEntry, journalOf } from "./journal.ts";

const words = { payment: paymentName, tax: rateText };
const sum = (entries: JournalEntry[], side: "debit" | "credit") => entries.reduce((all, one) => all + one[side], 0);

const amount = fc.integer({ min: -5_000_000, max: 50_000_000 });
const figures: fc.Arbitrary<Figures> = fc.record({
  count: fc.nat(1000),
  total: amount,
  discount: amount,
  tax: amount,
  tip: amount,
  passthrough: amount,
  taxes: fc.array(
    fc.record({
      code: fc.constantFrom("01", "03", "04", "22", "99", "__proto__"),
      rate: fc.constantFrom(19, 5, 0, 8, null),
      per_unit: fc.constantFrom(null, 73),
      base: amount,
      amount,
    }),
    { maxLength: 6 },
  ),
  rates: fc.constant([]),
  payments: fc.array(
    fc.record({
      payment_method: fc.constantFrom("CASH", "NEQUI", "FIADO", "constructor", ""),
      count: fc.nat(),
      amount,
    }),
    { maxLength: 5 },
  ),
});
const session = fc.record({
  register_name: fc.string(),
  cash_in: fc.nat(1_000_000),
  cash_out: fc.nat(1_000_000),
  difference: fc.option(amount),
});

test("debits equal credits for any figures, and no entry is negative or has both", () => {
  fc.assert(
    fc.property(figures, figures, fc.array(session, { maxLength: 4 }), (sales, returns, sessions) => {
      const entries = journalOf({ sales, returns, sessions }, defaultCodes, words);
      expect(sum(entries, "debit")).toBe(sum(entries, "credit"));
      for (const { debit, credit, account } of entries) {
        expect(Math.min(debit, credit)).toBe(0);
        expect(Math.max(debit, credit)).toBeGreaterThan(0);
        expect(account).toMatch(/^\d{6}$/);
      }
    }),
    { numRuns: 500 },
  );
});

test("a day's sales, a return and a short drawer go to the accounts of the business", () => {
  const sales: Figures = {
    ...noFigures,
    count: 2,
    total: 21_073,
    tax: 1_973,
    tip: 1000,
    passthrough: 5000,
    taxes: [
      { code: "01", rate: 19, per_unit: null, base: 10_000, amount: 1900 },
      { code: "22", rate: null, per_unit: 73, base: 1, amount: 73 },
    ],
    payments: [
      { payment_method: "CASH", count: 1, amount: 20_000 },
      { payment_method: "NEQUI", count: 1, amount: 1073 },
    ],
  };
  const returns: Figures = {
    ...noFigures,
    count: 1,
    total: 1190,
    tax: 190,
    taxes: [{ code: "01", rate: 19, per_unit: null, base: 1000, amount: 190 }],
    payments: [{ payment_method: "CASH", count: 1, amount: 1190 }],
  };
  const sessions = [{ register_name: "Caja 1", cash_in: 0, cash_out: 500, difference: -100 }];
  const codes = {
    ...defaultCodes,
    income: { "01:19": "413505" },
    payments: { ...defaultCodes.payments, NEQUI: "111015" },
  };
  const entries = journalOf({ sales, returns, sessions }, codes, words);
  expect(entries.map((one) => [one.account, one.debit, one.credit])).toEqual([
    ["110505", 20_000, 0],
    ["111015", 1073, 0],
    ["240805", 0, 1900],
    ["413505", 0, 10_000],
    ["249510", 0, 73],
    ["281505", 0, 1000],
    ["281505", 0, 5000],
    ["413595", 0, 3100],
    ["110505", 0, 1190],
    ["240805", 190, 0],
    ["417505", 1000, 0],
    ["110505", 0, 500],
    ["233595", 500, 0],
    ["110505", 0, 100],
    ["136530", 100, 0],
  ]);
});
