import type { LineTax, SaleTaxes, TaxInput, TaxRule } from "./tax.ts";
import { bagTax, inc, iva } from "./tax-classes.ts";

// Sales computed to the peso by hand and by an independent program. Columns of a line: the input (quantity, price,
// taxes) and the result (subtotal, share of the discount, base and amount of each tax).

type Sold = [quantity: number | string, price: number, taxes: TaxRule[], out: Out, notDiscountable?: "passthrough"];
type Out = { subtotal: number; d?: number; taxes?: [base: number, amount: number][] };

const bag = bagTax(73);

export const workedExamples = {
  "A: a shop's ticket": example({
    lines: [
      [2, 6500, [iva(19)], { subtotal: 13000, taxes: [[10924, 2076]] }],
      [1, 15900, [iva(5)], { subtotal: 15900, taxes: [[15143, 757]] }],
      [1, 17500, [iva(0)], { subtotal: 17500, taxes: [[17500, 0]] }],
      ["1.735", 2600, [], { subtotal: 4511 }],
      [2, 0, [bag], { subtotal: 146, taxes: [[2, 146]] }],
    ],
    totals: { subtotal: 51057, discount: 0, tax: 2979, tip_amount: 0, total: 51057 },
    breakdown: [
      ["01", 0, null, 17500, 0],
      ["01", 5, null, 15143, 757],
      ["01", 19, null, 10924, 2076],
      ["22", null, 73, 2, 146],
    ],
  }),
  "B: ten percent off": example({
    discountPercent: 10,
    lines: [
      [1, 12990, [iva(19)], { subtotal: 12990, d: 1299, taxes: [[9824, 1867]] }],
      [3, 4350, [iva(5)], { subtotal: 13050, d: 1305, taxes: [[11186, 559]] }],
      [2, 4700, [iva(0)], { subtotal: 9400, d: 940, taxes: [[8460, 0]] }],
      [1, 6800, [], { subtotal: 6800, d: 680 }],
      [1, 0, [bag], { subtotal: 73, taxes: [[1, 73]] }],
    ],
    totals: { subtotal: 42313, discount: 4224, tax: 2499, tip_amount: 0, total: 38089 },
    breakdown: [
      ["01", 0, null, 8460, 0],
      ["01", 5, null, 11186, 559],
      ["01", 19, null, 9824, 1867],
      ["22", null, 73, 1, 73],
    ],
  }),
  "C: a restaurant with a tip": example({
    tip: 8035,
    lines: [
      [2, 32000, [inc(8)], { subtotal: 64000, taxes: [[59259, 4741]] }],
      [2, 9500, [inc(8)], { subtotal: 19000, taxes: [[17593, 1407]] }],
      [1, 3500, [], { subtotal: 3500 }],
    ],
    totals: { subtotal: 86500, discount: 0, tax: 6148, tip_amount: 8035, total: 94535 },
    breakdown: [["04", 8, null, 76852, 6148]],
  }),
  "D: an invoice, 5000 off, with a top-up and a bag sold at 300": example({
    discount: 5000,
    lines: [
      [1, 289900, [iva(19)], { subtotal: 289900, d: 4324, taxes: [[239980, 45596]] }],
      [1, 45000, [iva(19)], { subtotal: 45000, d: 671, taxes: [[37251, 7078]] }],
      [1, 20000, [], { subtotal: 20000 }, "passthrough"],
      [
        1,
        300,
        [iva(19), bag],
        {
          subtotal: 373,
          d: 5,
          taxes: [
            [248, 47],
            [1, 73],
          ],
        },
      ],
    ],
    totals: { subtotal: 355273, discount: 5000, tax: 52794, tip_amount: 0, total: 350273 },
    breakdown: [
      ["01", 19, null, 277479, 52721],
      ["22", null, 73, 1, 73],
    ],
  }),
  "E: half pesos go to the even one": example({
    lines: [
      ["0.5", 2501, [], { subtotal: 1250 }],
      ["0.5", 2503, [], { subtotal: 1252 }],
      [0.345, 28900, [iva(0)], { subtotal: 9970, taxes: [[9970, 0]] }],
      [0.255, 39800, [iva(19)], { subtotal: 10149, taxes: [[8529, 1620]] }],
    ],
    totals: { subtotal: 22621, discount: 0, tax: 1620, tip_amount: 0, total: 22621 },
    breakdown: [
      ["01", 0, null, 9970, 0],
      ["01", 19, null, 8529, 1620],
    ],
  }),
  "F: nine sweets at 300": example({
    lines: Array.from({ length: 9 }, (_, index) => [
      1,
      300,
      [iva(19)],
      { subtotal: 300, taxes: [index < 8 ? [252, 48] : [253, 47]] },
    ]),
    totals: { subtotal: 2700, discount: 0, tax: 431, tip_amount: 0, total: 2700 },
    breakdown: [["01", 19, null, 2269, 431]],
  }),
} satisfies Record<string, { input: TaxInput; expected: SaleTaxes }>;

type Breakdown = [code: string, rate: number | null, perUnit: number | null, base: number, amount: number];

function example(from: {
  discount?: number;
  discountPercent?: number;
  tip?: number;
  lines: Sold[];
  totals: Omit<SaleTaxes, "lines" | "tax_breakdown">;
  breakdown: Breakdown[];
}): { input: TaxInput; expected: SaleTaxes } {
  const { lines, totals, breakdown, ...rest } = from;
  return {
    input: {
      ...rest,
      lines: lines.map(([quantity, unit_price, taxes, , kind]) => ({
        quantity,
        unit_price,
        taxes,
        discountable: kind !== "passthrough",
      })),
    },
    expected: {
      ...totals,
      tax_breakdown: breakdown.map(([code, rate, per_unit, base, amount]) => ({ code, rate, per_unit, base, amount })),
      lines: lines.map(([, , rules, out]) => ({
        subtotal: out.subtotal,
        discount: out.d ?? 0,
        net: netOf(rules, out),
        taxes: rules.map((rule, index): LineTax => {
          const [base, amount] = out.taxes![index]!;
          return { ...rule, base, amount };
        }),
      })),
    },
  };
}

/** The value of the line after discount, without per-unit taxes. */
function netOf(rules: TaxRule[], out: Out): number {
  const perUnit = rules.reduce((total, rule, index) => total + (rule.rate === null ? out.taxes![index]![1] : 0), 0);
  return out.subtotal - perUnit - (out.d ?? 0);
}
