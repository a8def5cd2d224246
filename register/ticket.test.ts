import { expect, test } from "vitest";
import type { TaxLineInput } from "../src/taxes/tax.ts";
import { workedExamples } from "../src/taxes/worked-examples.fixture.ts";
import {
  freeLine,
  lineOf,
  newTicket,
  suggestedTip,
  type Ticket,
  totalsOf,
  withLine,
  withLineChange,
  withQuantity,
} from "./ticket.ts";

const at = new Date("2026-09-28T19:05:09.120Z");
const shop = { regime: "iva", pricesIncludeTax: true } as const;

const product = {
  id: "p1",
  name: "Gaseosa",
  base_price: 6500,
  final_price: 6500,
  tax_class: "standard",
  base_unit: "und",
  sold_by_weight: false,
  active: true,
  sellable: true,
  variants: [],
};

test.each(Object.entries(workedExamples))(
  "a ticket gives the figures of worked example %s",
  (_, { input, expected }) => {
    const {
      discount,
      discountPercent,
      tip = 0,
    } = input as typeof input & { discount?: number; discountPercent?: number };
    const ticket: Ticket = {
      ...newTicket("t", at),
      lines: input.lines.map((line, i) => ({
        ...freeLine(String(i), "x", line.unit_price, classOf(line)),
        quantity: Number(line.quantity),
      })),
      tip,
      discount: discount ? { pesos: discount } : discountPercent ? { percent: discountPercent } : null,
    };
    const isRestaurant = input.lines.some(({ taxes }) => taxes.some(({ code }) => code === "04"));
    const { unitPrices, ...totals } = totalsOf(ticket, isRestaurant ? { ...shop, regime: "inc" } : shop, at);
    expect(totals).toEqual(expected);
    expect(unitPrices).toEqual(input.lines.map(({ unit_price }) => unit_price));
  },
);

function classOf({ taxes, discountable }: TaxLineInput): string {
  if (discountable === false) return "passthrough";
  if (taxes.some(({ per_unit }) => per_unit !== null)) return "bag";
  const rate = taxes[0]?.rate;
  return rate === undefined ? "excluded" : rate === 0 ? "exempt" : rate === 5 ? "reduced_5" : "standard";
}

test("the same product twice is one line with two units; weighed goods stay apart", () => {
  const once = withLine(newTicket("t", at), lineOf("a", product));
  expect(withLine(once, lineOf("b", product)).lines).toMatchObject([{ id: "a", quantity: 2 }]);
  const weighed = { ...product, sold_by_weight: true };
  const twice = withLine(withLine(newTicket("t", at), lineOf("a", weighed, 0.5)), lineOf("b", weighed, 0.25));
  expect(twice.lines.map(({ quantity }) => quantity)).toEqual([0.5, 0.25]);
  expect(withQuantity(once, "a", 0).lines).toEqual([]);
});

test("a line's discount lowers its unit price, so that quantity × price is still the line", () => {
  const ticket = withLineChange(withLine(newTicket("t", at), lineOf("a", product, 3)), "a", { discount_percent: 10 });
  const totals = totalsOf(ticket, shop, at);
  expect(totals.unitPrices).toEqual([5850]);
  expect(totals.total).toBe(3 * 5850);
});

test("a variant sells at its own price, or at the product's if it has none, and moves no stock", () => {
  const shirt = {
    ...product,
    variants: [
      { id: "v1", label: "M", final_price: 0 },
      { id: "v2", label: "L", final_price: 7000 },
    ],
  };
  expect(lineOf("a", shirt, 1, shirt.variants[0])).toMatchObject({
    price: 6500,
    description: "Gaseosa · M",
    has_stock: false,
  });
  expect(lineOf("a", shirt, 1, shirt.variants[1]).price).toBe(7000);
  expect(lineOf("a", { ...product, tax_class: "service_19" }).has_stock).toBe(false);
  expect(lineOf("a", product).has_stock).toBe(true);
});

test("a discount above what may be discounted is refused with its reason", () => {
  const ticket: Ticket = { ...withLine(newTicket("t", at), lineOf("a", product)), discount: { pesos: 7000 } };
  expect(() => totalsOf(ticket, shop, at)).toThrow("supera los $6.500");
});

test.each([
  [10, 6_400],
  [8, 5_100],
  [15, 6_400],
])(
  "where %i percent is suggested, never more than the law's tenth is asked for, in whole hundreds: %i",
  (percent, tip) => {
    expect(suggestedTip({ subtotal: 65_000, discount: 555 }, percent)).toBe(tip);
  },
);
