import fc from "fast-check";
import { expect, test } from "vitest";
import { charge, withMeans } from "./charge.ts";
import type { KeptSale } from "./sale.ts";
import type { SaleDocument } from "./sale-document.ts";
import { expectedCash, openShift, shiftDraft, withOtherMeans, withoutSale, withRefund, withSale } from "./shift.ts";
import { shiftReport } from "./shift-report.ts";

const at = new Date("2026-09-28T19:05:09.120Z");
const opened = openShift({ id: "s", registerName: "Caja 1", at, base: 100_000, by: "Ana" });

interface Sold {
  cash: number;
  card: number;
  tax: number;
  tip: number;
  topUp: number;
  discount: number;
  cashier: string | null;
  isCancelled: boolean;
}

function sale(sold: Sold, i: number): KeptSale {
  const total = sold.cash + sold.card;
  const others = sold.card > 0 ? [{ payment_method: "CARD", amount: sold.card }] : [];
  const result = charge(total, others, { rounding: 50 });
  if (!("charge" in result)) throw new Error("refused");
  const tax_breakdown = [
    { code: "01", rate: i % 2 ? 19 : 5, per_unit: null, base: total, amount: sold.tax },
    { code: "22", rate: null, per_unit: 66, base: 1, amount: 66 },
  ];
  const items = [
    { tax_class: "standard", subtotal: total },
    { tax_class: "passthrough", subtotal: sold.topUp },
  ];
  const data = { total, discount: sold.discount, tip_amount: sold.tip, tax: sold.tax + 66, tax_breakdown, items };
  return {
    ...{ id: String(i), number: i + 1, shift_id: "s", cashier_name: sold.cashier, charge: result.charge },
    data: { ...data, status: sold.isCancelled ? "cancelled" : "completed" },
    line_discount: i,
  } as unknown as KeptSale;
}

const sold = fc.record({
  cash: fc.nat(90_000),
  card: fc.nat(90_000),
  tax: fc.nat(9_000),
  tip: fc.nat(5_000),
  topUp: fc.nat(9_000),
  discount: fc.nat(5_000),
  cashier: fc.constantFrom(null, "Ana", "Luz"),
  isCancelled: fc.boolean(),
});
const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);

test("the parts of a report add up: cashiers, means and taxes each make the whole", () => {
  fc.assert(
    fc.property(fc.array(sold, { maxLength: 12 }), (all) => {
      const sales = all.map(sale);
      let shift = sales.reduce(withSale, opened);
      for (const one of sales) if (one.data.status === "cancelled") shift = withoutSale(shift, one);
      const report = shiftReport(shift, sales, [], { hasDocuments: true });
      const made = sales.filter(({ data }) => data.status === "completed");
      const { sums } = report;
      // Cancelled sales count, and are taken back.
      expect([sums.tickets, sums.reversals]).toEqual([sales.length, sales.length - made.length]);
      expect(sums.gross).toBe(sum(all.map(({ cash, card, tip, topUp }) => cash + card - tip - topUp)));
      expect(sums.net).toBe(sums.gross - sums.returned);
      expect(sums.received).toBe(shift.sales_total);
      expect(sums.received).toBe(sums.net + sums.tip + sums.passthrough);
      expect(sums.tip).toBe(sum(made.map(({ data }) => data.tip_amount)));
      expect(sums.discount).toBe(sum(made.map(({ data }) => data.discount)));
      expect(report.line_discount).toBe(sum(made.map(({ line_discount }) => line_discount!)));
      expect(sum(report.cashiers.map(({ total }) => total))).toBe(sums.gross);
      expect(sum(report.cashiers.map(({ count }) => count))).toBe(sums.tickets);
      expect(sum(report.payments.map(({ amount }) => amount))).toBe(sum(sales.map(({ data }) => data.total)));
      expect(sum(shift.payments.map(({ amount }) => amount))).toBe(shift.sales_total);
      expect(sum(report.taxes.map(({ amount }) => amount))).toBe(sum(sales.map(({ data }) => data.tax)));
      expect(new Set(report.taxes.map(({ code, rate }) => `${code} ${rate}`)).size).toBe(report.taxes.length);
      expect(report.cancelled.count + shift.sales_count).toBe(sales.length);
      expect(report.cancelled.total + shift.sales_total).toBe(sum(sales.map(({ data }) => data.total)));
      expect(report.unconfirmed).toBe(made.length);
    }),
  );
});

test("documents are told by range, first and last, and those without a verdict wait to be confirmed", () => {
  const sales = [0, 1, 2].map((i) =>
    sale({ cash: 1000, card: 0, tax: 0, tip: 0, topUp: 0, discount: 0, cashier: null, isCancelled: false }, i),
  );
  const document = (sale_id: string, number: number | null, status: string, prefix: string | null = "EPOS") =>
    ({ id: `${sale_id}${number}`, sale_id, document_type: "pos_document", status, prefix, number }) as SaleDocument;
  const documents = [
    document("0", 9, "issued"),
    document("1", 12, "pending"),
    document("0", 10, "issued"),
    document("0", 3, "issued", null),
  ];
  const report = shiftReport(opened, sales, documents, { hasDocuments: true });
  expect(report.documents).toEqual([
    { document_type: "pos_document", prefix: "", first: 3, last: 3, count: 1 },
    { document_type: "pos_document", prefix: "EPOS", first: 9, last: 12, count: 3 },
  ]);
  expect(report.unconfirmed, "one is pending, one has none").toBe(2);
  expect(shiftReport(opened, sales, [], { hasDocuments: false }).unconfirmed).toBe(0);
});

test("returns are told by means; only cash leaves the drawer, and neither is uploaded with the shift", () => {
  const made = { tax: 0, discount: 0, tip_amount: 0, lines: [] };
  let shift = withRefund(opened, "CASH", { ...made, total: 3_000, tip_amount: 200 });
  shift = withRefund(shift, "CARD", { ...made, total: 5_000, discount: 50 });
  shift = withRefund(shift, "CASH", { ...made, total: 1_000 });
  const { returns, sums } = shiftReport(shift, [], [], { hasDocuments: true });
  expect(sums).toMatchObject({ tickets: 0, reversals: 3, returned: 8_800, net: -8_800, tip: -200, discount: -50 });
  expect(returns).toEqual([
    { payment_method: "CASH", count: 2, amount: 4_000 },
    { payment_method: "CARD", count: 1, amount: 5_000 },
  ]);
  expect(expectedCash(shift)).toBe(96_000);
  expect(shiftDraft(shift).data).toEqual(shiftDraft(opened).data);
});

test("a corrected means moves its sum and nothing else, whatever was paid", () => {
  const means = fc.constantFrom("CASH", "CARD", "NEQUI");
  fc.assert(
    fc.property(fc.array(sold, { minLength: 1, maxLength: 6 }), means, fc.nat(), (all, payment_method, pick) => {
      const sales = all.map((one, i) => sale({ ...one, isCancelled: false }, i));
      const shift = sales.reduce(withSale, opened);
      const wrong = sales[pick % sales.length]!;
      const part = pick % wrong.charge.payments.length;
      const right = { ...wrong, charge: withMeans(wrong.charge, part, { payment_method }, 50) };
      const after = withOtherMeans(shift, wrong, right);
      const anew = sales.map((one) => (one === wrong ? right : one)).reduce(withSale, opened);
      expect(after.sales_total).toBe(shift.sales_total);
      expect(sum(right.charge.payments.map(({ amount }) => amount))).toBe(wrong.data.total);
      const byMeans = ({ payments }: typeof after) => new Map(payments.map((one) => [one.payment_method, one]));
      expect(byMeans(after)).toEqual(byMeans(anew));
      expect(expectedCash(after)).toBe(expectedCash(anew));
      expect(withOtherMeans(after, right, wrong).cash_sales).toBe(shift.cash_sales);
    }),
  );
});
