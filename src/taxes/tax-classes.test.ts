import { describe, expect, test } from "vitest";
import { FiscalError } from "./fiscal-error.ts";
import { computeTaxes } from "./tax.ts";
import {
  bagTax,
  defaultTaxSettings,
  type FiscalProfile,
  ica,
  inc,
  iva,
  lineFor,
  type Regime,
  taxesFor,
  withTaxes,
} from "./tax-classes.ts";

const in2026 = new Date("2026-09-28T19:05:09Z");
const shop: FiscalProfile = { regime: "iva", pricesIncludeTax: true };
const beforeTax: FiscalProfile = { regime: "iva", pricesIncludeTax: false };

describe("taxes of a class", () => {
  const table: [string, Record<Regime, unknown[]>][] = [
    ["standard", { iva: [iva(19)], inc: [inc(8)], none: [] }],
    ["reduced_5", { iva: [iva(5)], inc: [iva(5)], none: [] }],
    ["exempt", { iva: [iva(0)], inc: [iva(0)], none: [] }],
    ["excluded", { iva: [], inc: [], none: [] }],
    ["service_19", { iva: [iva(19)], inc: [iva(19)], none: [] }],
    ["event_package", { iva: [iva(19)], inc: [iva(19)], none: [] }],
    ["passthrough", { iva: [], inc: [], none: [] }],
    ["bag", { iva: [iva(19), bagTax(73)], inc: [], none: [] }],
  ];

  test.each(table)("%s", (taxClass, byRegime) => {
    for (const regime of ["iva", "inc", "none"] as const)
      expect(taxesFor(taxClass, 300, regime, in2026)).toEqual(byRegime[regime]);
  });

  test("a free bag has only the bag tax", () => {
    expect(taxesFor("bag", 0, "iva", in2026)).toEqual([bagTax(73)]);
  });

  test("taxes have their Spanish names", () => {
    expect([iva(19), inc(8), ica(0.966), bagTax(73)].map(({ name }) => name)).toEqual([
      "IVA",
      "INC",
      "ICA",
      "INC bolsas",
    ]);
  });

  test("an unknown class is refused, and the error names it", () => {
    expect(() => taxesFor("luxury", 1, "iva", in2026)).toThrow(FiscalError);
    expect(() => taxesFor("toString", 1, "iva", in2026)).toThrow(/toString/);
  });
});

describe("the bag tax", () => {
  test.each([
    ["2023-06-01T12:00:00Z", 60],
    ["2024-06-01T12:00:00Z", 66],
    ["2025-06-01T12:00:00Z", 70],
    ["2026-06-01T12:00:00Z", 73],
    ["2031-06-01T12:00:00Z", 73],
    ["2019-06-01T12:00:00Z", 60],
  ])("on %s is %i pesos", (at, pesos) => {
    expect(taxesFor("bag", 0, "iva", new Date(at))).toEqual([bagTax(pesos)]);
  });

  test("follows the year in Bogotá, which begins five hours after UTC's", () => {
    expect(taxesFor("bag", 0, "iva", new Date("2026-01-01T04:59:59Z"))).toEqual([bagTax(70)]);
    expect(taxesFor("bag", 0, "iva", new Date("2026-01-01T05:00:00Z"))).toEqual([bagTax(73)]);
  });
});

test("settings change classes, bag tax and discounts", () => {
  const { percentages } = defaultTaxSettings;
  const caterer = {
    ...defaultTaxSettings,
    percentages: { ...percentages, event_package: { ...percentages.event_package, inc: [inc(8)] } },
    bagTaxByYear: { ...defaultTaxSettings.bagTaxByYear, 2027: 77 },
    bagTaxRegimes: ["none" as const],
    notDiscountable: ["event_package" as const],
  };
  const in2027 = new Date("2027-03-01T12:00:00Z");
  const restaurant: FiscalProfile = { regime: "inc", pricesIncludeTax: true };
  expect(lineFor({ tax_class: "event_package", base_price: 1000 }, 1, restaurant, in2027, caterer)).toEqual({
    quantity: 1,
    unit_price: 1000,
    taxes: [inc(8)],
    discountable: false,
  });
  expect(taxesFor("bag", 0, "none", in2027, caterer)).toEqual([bagTax(77)]);
  expect(taxesFor("bag", 0, "iva", in2027, caterer)).toEqual([]);
});

describe("the line of a product", () => {
  test("has the final price, or the base price when there is no other", () => {
    const product = { tax_class: "standard", base_price: 6900, final_price: 6500 };
    expect(lineFor(product, 2, shop, in2026).unit_price).toBe(6500);
    expect(lineFor({ tax_class: "standard", base_price: 6900 }, 2, shop, in2026).unit_price).toBe(6900);
    expect(lineFor({ ...product, final_price: 0 }, 2, shop, in2026).unit_price).toBe(0);
  });

  test("is not discountable when the money is collected for others", () => {
    expect(lineFor({ tax_class: "passthrough", base_price: 5000 }, 1, shop, in2026).discountable).toBe(false);
    expect(lineFor({ tax_class: "excluded", base_price: 5000 }, 1, shop, in2026).discountable).toBe(true);
  });

  test("includes the tax where prices are typed before tax", () => {
    const priceOf = (tax_class: string, base_price: number) =>
      lineFor({ tax_class, base_price }, 1, beforeTax, in2026).unit_price;
    expect(priceOf("standard", 10_000)).toBe(11_900);
    expect(priceOf("reduced_5", 12_345)).toBe(12_962);
    expect(priceOf("exempt", 4_700)).toBe(4_700);
    expect(priceOf("bag", 300)).toBe(357);
  });

  test.each([
    [50, [iva(19)], 60], // 59.5, rounded half to even
    [150, [iva(19)], 178], // 178.5
    [10_000, [iva(19)], 11_900],
    [12_345, [iva(5)], 12_962], // 12 962.25
    [30, [iva(5)], 32], // 31.5
    [10, [iva(5)], 10], // 10.5
    [1000, [iva(19), ica(0.966)], 1200], // 1 199.66
    [0, [bagTax(73)], 0],
  ])("the unit price of %i before tax includes its taxes", (price, taxes, expected) => {
    expect(withTaxes(price, taxes)).toBe(expected);
  });

  test("a price before tax with cents, or that exceeds safe integers, is refused", () => {
    expect(() => withTaxes(10.5, [iva(19)])).toThrow(FiscalError);
    expect(() => withTaxes(Number.MAX_SAFE_INTEGER, [iva(19)])).toThrow(FiscalError);
  });

  test("a before-tax business gets its typed price back as the base", () => {
    const { lines, total } = computeTaxes({
      lines: [lineFor({ tax_class: "standard", base_price: 10_000 }, 3, beforeTax, in2026)],
    });
    expect(total).toBe(35_700);
    expect(lines[0]!.taxes).toEqual([{ ...iva(19), base: 30_000, amount: 5_700 }]);
  });
});

test("the products of worked example D give its totals", () => {
  const sold: [string, number][] = [
    ["standard", 289_900],
    ["service_19", 45_000],
    ["passthrough", 20_000],
    ["bag", 300],
  ];
  const lines = sold.map(([tax_class, base_price]) => lineFor({ tax_class, base_price }, 1, shop, in2026));
  expect(computeTaxes({ lines, discount: 5000 })).toMatchObject({ subtotal: 355_273, tax: 52_794, total: 350_273 });
});

test("a business may know years of the bag tax that this version does not", () => {
  const profile: FiscalProfile = { ...shop, bagTaxByYear: { 2027: 77 } };
  const perBag = (at: string) => lineFor({ tax_class: "bag", base_price: 0 }, 1, profile, new Date(at)).taxes;
  expect(perBag("2026-12-31T23:59:59-05:00")).toEqual([bagTax(73)]);
  expect(perBag("2027-01-01T00:00:00-05:00")).toEqual([bagTax(77)]);
});
