import fc from "fast-check";
import { taxClasses } from "../../src/taxes/tax-classes.ts";
import type { RandomTicket } from "./ring-up.ts";

const line = fc
  .record({
    price: fc.integer({ min: 0, max: 300_000 }),
    quantity: fc.oneof(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 5000 }).map((grams) => grams / 1000),
    ),
    discount: fc.constantFrom(0, 0, 5, 12.5, 33.33, 100),
    taxClass: fc.constantFrom(...taxClasses),
  })
  // Half a bag cannot be sold.
  .map((one) => (one.taxClass === "bag" ? { ...one, quantity: Math.ceil(one.quantity) } : one));

const ticket: fc.Arbitrary<RandomTicket> = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 12 }),
  percent: fc.constantFrom(0, 0, 10, 7.5, 50),
  tip: fc.constantFrom(0, 0, 1000, 8035),
  card: fc.double({ min: 0, max: 1, noNaN: true }),
  regime: fc.constantFrom("iva", "iva", "inc", "none"),
  pricesIncludeTax: fc.boolean(),
});

/** The same tickets each time: weights, discounts, tips, every class of tax, paid in two parts. */
export function randomTickets(count: number): RandomTicket[] {
  return fc.sample(ticket, { numRuns: count, seed: 7 });
}
