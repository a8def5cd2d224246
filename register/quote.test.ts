import { expect, test } from "vitest";
import { rightsFor } from "./acts.ts";
import type { CatalogProduct } from "./catalog.ts";
import { isInForce, type Quote, ticketFrom } from "./quote.ts";
import { newTicket, withLine, withQuantity } from "./ticket.ts";

const at = new Date("2026-11-18T15:00:00Z");
const oil = { id: "oil", name: "Aceite", final_price: 50_000, tax_class: "standard" } as CatalogProduct;
const item = {
  id: "i",
  product_id: "oil",
  variant_id: null,
  description: "Aceite",
  tax_class: "standard",
  taxes: null,
};
const offered = (unit_price: number, given: Partial<Quote> = {}) =>
  ({
    ...{ id: "q", status: "sent", expires_at: "2026-11-30T04:59:59.999Z", customer_id: null, notes: null },
    ...{ discount: 0, discount_percent: 0 },
    items: [{ ...item, item_kind: "product", quantity: 4, unit_price, subtotal: 4 * unit_price, discount_percent: 0 }],
    ...given,
  }) as unknown as Quote;
const taken = (quote: Quote) =>
  ticketFrom(quote, newTicket("t", at), { newId: () => "l", productOf: () => oil, priceOf: () => oil.final_price });

test("a quote's price is for as many as were quoted: more of it takes the right to change prices", () => {
  const cheap = taken(offered(1_000));
  expect(rightsFor(cheap, withQuantity(cheap, "l", 5))).toEqual(["price"]);
  const fewer = withQuantity(cheap, "l", 1);
  expect(rightsFor(cheap, fewer)).toEqual([]);
  expect(rightsFor(fewer, withQuantity(fewer, "l", 4))).toEqual([]);
  expect(rightsFor(fewer, withQuantity(fewer, "l", 5))).toEqual(["price"]);
  // At the catalogue's price, or above it, there is nothing to ask.
  for (const price of [50_000, 60_000]) {
    const usual = taken(offered(price));
    expect(rightsFor(usual, withQuantity(usual, "l", 50))).toEqual([]);
  }
});

test("a quote's share off stays the pesos that were offered, whatever is added", () => {
  const ticket = taken(offered(50_000, { discount: 180_000, discount_percent: 90 }));
  expect(withLine(ticket, { ...ticket.lines[0]!, id: "more" }).discount).toEqual({ pesos: 180_000 });
});

test("a quote holds until it expires or is turned down", () => {
  expect(isInForce(offered(1), at)).toBe(true);
  expect(isInForce(offered(1, { expires_at: "2025-11-18T15:00:00Z" }), at)).toBe(false);
  expect(isInForce(offered(1, { expires_at: null }), at)).toBe(true);
  expect(["expired", "rejected"].map((status) => isInForce(offered(1, { status }), at))).toEqual([false, false]);
});
