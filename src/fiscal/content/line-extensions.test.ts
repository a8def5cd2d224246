import fc from "fast-check";
import { expect, test } from "vitest";
import { computeTaxes, type TaxInput } from "../../taxes/tax.ts";
import { bagTax, iva } from "../../taxes/tax-classes.ts";
import { workedExamples } from "../../taxes/worked-examples.fixture.ts";
import { lineExtensions } from "./line-extensions.ts";

function extensionsOf(input: TaxInput) {
  const taxes = computeTaxes(input);
  const lines = taxes.lines.map((line, i) => ({
    subtotal: line.subtotal,
    taxes: line.taxes,
    tax_class: input.lines[i]!.discountable === false ? "passthrough" : "standard",
  }));
  const net = taxes.total - taxes.tax - taxes.tip_amount;
  return { taxes, net, extensions: lineExtensions(lines, net) };
}

test.each(Object.entries(workedExamples))("the lines of example %s sum up to its subtotal", (_name, { input }) => {
  const { taxes, net, extensions } = extensionsOf(input);
  expect(extensions.reduce((total, one) => total + one, 0)).toBe(net);
  extensions.forEach((extension, i) => {
    const line = taxes.lines[i]!;
    const percentages = line.taxes.filter((tax) => tax.rate !== null).reduce((all, tax) => all + tax.amount, 0);
    expect(extension).toBe(line.net - percentages);
  });
});

test("for any basket the lines sum up to the subtotal and none is negative", () => {
  const line = fc.record({
    quantity: fc.integer({ min: 1, max: 9 }),
    unit_price: fc.integer({ min: 0, max: 90_000 }),
    taxes: fc.constantFrom([iva(19)], [iva(5)], [], [bagTax(73)], [iva(19), bagTax(73)]),
    discountable: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 12 }), fc.integer({ min: 0, max: 100 }), (lines, percent) => {
      // Only untaxed lines may be money collected for others.
      const input = lines.map((one) => ({ ...one, discountable: one.discountable || one.taxes.length > 0 }));
      const { net, extensions } = extensionsOf({ lines: input, discountPercent: percent });
      expect(extensions.reduce((total, one) => total + one, 0)).toBe(net);
      expect(Math.min(...extensions)).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 500 },
  );
});

test("a sale that does not add up keeps its lines unchanged", () => {
  expect(lineExtensions([{ subtotal: 1000, tax_class: "excluded", taxes: [] }], 5000)).toEqual([1000]);
  expect(lineExtensions([], 5000)).toEqual([]);
});
