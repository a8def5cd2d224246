import { describe, expect, test } from "vitest";
import { FiscalError } from "./fiscal-error.ts";
import { computeTaxes, type TaxInput } from "./tax.ts";
import { bagTax, ica, iva } from "./tax-classes.ts";
import { workedExamples } from "./worked-examples.fixture.ts";

const line = (unit_price: number, more: Partial<TaxInput["lines"][number]> = {}) => ({
  quantity: 1,
  unit_price,
  taxes: [iva(19)],
  ...more,
});

describe("worked examples, every base and amount", () => {
  test.each(Object.entries(workedExamples))("%s", (_name, { input, expected }) => {
    expect(computeTaxes(input)).toEqual(expected);
  });

  test.each([
    ["A: a shop's ticket", 48078],
    ["B: ten percent off", 35590],
    ["C: a restaurant with a tip", 80352],
    ["D: an invoice, 5000 off, with a top-up and a bag sold at 300", 297479],
    ["E: half pesos go to the even one", 21001],
    ["F: nine sweets at 300", 2269],
  ] as const)("net income of %s is %i", (name, net) => {
    const { total, tax, tip_amount } = computeTaxes(workedExamples[name].input);
    expect(total - tax - tip_amount).toBe(net);
  });
});

describe("rounding", () => {
  test("a quantity is read from its decimal text, so 1.005 × 1000 is 1005", () => {
    expect(computeTaxes({ lines: [line(1000, { quantity: 1.005, taxes: [] })] }).subtotal).toBe(1005);
  });

  test("the smallest quantity has six decimals", () => {
    expect(computeTaxes({ lines: [line(3_000_000, { quantity: 0.000001, taxes: [] })] }).subtotal).toBe(3);
  });

  test("4 % within 13 pesos is half a peso, rounded half to even", () => {
    const consumption4 = { code: "04", name: "INC", rate: 4, per_unit: null } as const;
    const taxOf = (price: number) => computeTaxes({ lines: [line(price, { taxes: [consumption4] })] }).tax;
    expect([13, 39, 65, 91].map(taxOf)).toEqual([0, 2, 2, 4]);
  });

  test("a percentage discount that ends in half a peso is rounded half to even", () => {
    const discountOf = (price: number) => computeTaxes({ lines: [line(price)], discountPercent: 50 }).discount;
    expect([1, 3, 5, 7].map(discountOf)).toEqual([0, 2, 2, 4]);
  });

  test("a leftover peso of the discount goes to the earlier of two equal lines", () => {
    const { lines } = computeTaxes({ lines: [line(500), line(500), line(500)], discount: 100 });
    expect(lines.map(({ discount }) => discount)).toEqual([34, 33, 33]);
  });

  test("lines that name the same taxes in another order are rounded together", () => {
    const [one, other] = [line(3, { taxes: [iva(19), ica(0.966)] }), line(3, { taxes: [ica(0.966), iva(19)] })];
    expect(computeTaxes({ lines: [one] }).tax).toBe(0);
    expect(computeTaxes({ lines: [one, other] }).tax).toBe(1);
  });

  test("two taxes rounded up on lines of one peso make no base negative", () => {
    const lines = Array.from({ length: 10 }, () => line(1, { taxes: [iva(19), ica(8)] }));
    const bases = computeTaxes({ lines }).lines.flatMap(({ taxes }) => taxes.map(({ base }) => base));
    expect(Math.min(...bases)).toBe(0);
  });

  test("a line's own discount is part of its subtotal, and both are rounded once", () => {
    const { lines } = computeTaxes({ lines: [line(999, { quantity: 3, discount_percent: 12.5, taxes: [] })] });
    expect(lines[0]).toMatchObject({ subtotal: 2622, net: 2622, discount: 0 });
  });
});

describe("not discounted", () => {
  test("money collected for others, and the tax on bags", () => {
    const lines = [
      line(1000, { taxes: [], discountable: false }),
      line(0, { quantity: 3, taxes: [bagTax(73)] }),
      line(2000),
    ];
    expect(computeTaxes({ lines, discountPercent: 100 })).toMatchObject({
      subtotal: 3219,
      discount: 2000,
      total: 1219,
    });
  });

  test("a tip changes no base", () => {
    const without = computeTaxes({ lines: [line(20000)] });
    const withTip = computeTaxes({ lines: [line(20000)], tip: 2000 });
    expect(withTip).toEqual({ ...without, tip_amount: 2000, total: without.total + 2000 });
  });
});

test("a sale without lines is all zeros", () => {
  expect(computeTaxes({ lines: [] })).toEqual({
    lines: [],
    subtotal: 0,
    discount: 0,
    tax: 0,
    tip_amount: 0,
    total: 0,
    tax_breakdown: [],
  });
});

describe("refused", () => {
  const largest = Number.MAX_SAFE_INTEGER;
  const refused: [string, TaxInput, string, string][] = [
    ["a negative quantity", { lines: [line(1, { quantity: -1 })] }, "negative", "lines[0].quantity"],
    ["a seventh decimal", { lines: [line(1, { quantity: "1.1234567" })] }, "too_precise", "lines[0].quantity"],
    ["a tiny quantity", { lines: [line(1, { quantity: 1e-7 })] }, "too_precise", "lines[0].quantity"],
    ["a floating point error", { lines: [line(1, { quantity: 0.1 + 0.2 })] }, "too_precise", "lines[0].quantity"],
    ["a huge quantity", { lines: [line(1, { quantity: 1e9 })] }, "too_large", "lines[0].quantity"],
    ["an exponent", { lines: [line(1, { quantity: 1e21 })] }, "too_large", "lines[0].quantity"],
    ["a quantity in words", { lines: [line(1, { quantity: "uno" })] }, "unreadable", "lines[0].quantity"],
    ["not a number", { lines: [line(1, { quantity: Number.NaN })] }, "unreadable", "lines[0].quantity"],
    ["a negative price", { lines: [line(-1)] }, "negative", "lines[0].unit_price"],
    ["a price with cents", { lines: [line(10.5)] }, "too_precise", "lines[0].unit_price"],
    ["an unsafe price", { lines: [line(largest + 1)] }, "too_large", "lines[0].unit_price"],
    ["a line beyond safe integers", { lines: [line(largest, { quantity: 2 })] }, "too_large", "subtotal"],
    ["lines whose sum is beyond safe integers", { lines: [line(largest), line(1)] }, "too_large", "subtotal"],
    ["a rate above 100", { lines: [line(1, { taxes: [iva(101)] })] }, "too_large", "lines[0].taxes[0].rate"],
    [
      "a rate of five decimals",
      { lines: [line(1, { taxes: [ica(0.96601)] })] },
      "too_precise",
      "lines[0].taxes[0].rate",
    ],
    ["a negative bag tax", { lines: [line(1, { taxes: [bagTax(-1)] })] }, "negative", "lines[0].taxes[0].per_unit"],
    ["half a bag", { lines: [line(0, { quantity: 0.5, taxes: [bagTax(73)] })] }, "not_whole", "lines[0].quantity"],
    ["a tax twice", { lines: [line(1, { taxes: [iva(19), iva(5)] })] }, "repeated_tax", "lines[0].taxes"],
    ["a discount above the sale", { lines: [line(100)], discount: 101 }, "discount_too_large", "discount"],
    [
      "a discount on a top-up",
      { lines: [line(100, { discountable: false })], discount: 1 },
      "discount_too_large",
      "discount",
    ],
    ["a negative discount", { lines: [line(100)], discount: -1 }, "negative", "discount"],
    ["a discount above 100 %", { lines: [line(100)], discountPercent: 100.5 }, "too_large", "discountPercent"],
    ["two discounts", { lines: [line(100)], discount: 1, discountPercent: 1 }, "two_discounts", "discount"],
    ["a negative tip", { lines: [line(100)], tip: -1 }, "negative", "tip"],
  ];

  test.each(refused)("%s", (_name, input, problem, field) => {
    expect(() => computeTaxes(input)).toThrow(FiscalError);
    expect(() => computeTaxes(input)).toThrow(expect.objectContaining({ problem, field }));
  });
});
