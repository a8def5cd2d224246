import { expect, test } from "vitest";
import { allowedActs, keptTicket, removedFromKept, rightsFor, withFixedDiscount, withOthersDiscount } from "./acts.ts";
import { freeLine, newTicket, type Ticket, type TicketLine, withLine, withLineChange, withQuantity } from "./ticket.ts";

const line = (id: string, quantity = 1): TicketLine => ({
  ...freeLine(id, id, 1000, "standard"),
  product_id: id,
  quantity,
});
const empty = newTicket("t", new Date());
const pair = withLine(withLine(empty, line("pan", 3)), line("leche"));

test("of a ticket that was on hold, taking off a line or some of it takes a right; what was added since does not", () => {
  const kept = withLine(keptTicket(pair), line("queso", 2));
  const gone = (after: Ticket) => removedFromKept(kept, after).map(({ id, quantity }) => [id, quantity]);
  expect(gone(withQuantity(kept, "leche", 0))).toEqual([["leche", 1]]);
  expect(gone(withQuantity(kept, "pan", 1))).toEqual([["pan", 2]]);
  expect(gone(withQuantity(kept, "pan", 9))).toEqual([]);
  expect(gone(withQuantity(kept, "queso", 0))).toEqual([]);
  expect(removedFromKept(pair, empty)).toEqual([]);
  // More of it was scanned later: only what was there on hold counts.
  const more = withQuantity(kept, "pan", 5);
  expect(removedFromKept(more, withQuantity(more, "pan", 3))).toEqual([]);
});

test("what was allowed of a line or of the ticket is allowed of what was there: more of it is asked for again", () => {
  const discounted = withLineChange(pair, "pan", { discount_percent: 10 });
  expect(rightsFor(discounted, withQuantity(discounted, "pan", 30))).toEqual(["discount"]);
  expect(rightsFor(discounted, withQuantity(discounted, "pan", 2))).toEqual([]);
  expect(rightsFor(discounted, withLine(discounted, line("queso", 40)))).toEqual([]);
  const cheap = withLineChange(pair, "pan", { price: 500 });
  expect(rightsFor(cheap, withQuantity(cheap, "pan", 30))).toEqual(["price"]);
  const tenth = { ...pair, discount: { percent: 10 } };
  const luz = { id: "luz", name: "Luz", pin_hash: "", permissions: [] };
  const fixed = (by: typeof luz | undefined, before = pair) =>
    withFixedDiscount(before, tenth, [{ right: "discount", by }], () => ({ discount: 400 })).discount;
  expect(fixed(luz)).toEqual({ pesos: 400 });
  // Whoever may gives it on whatever comes.
  expect(fixed(undefined)).toEqual({ percent: 10 });
  expect(fixed(luz, tenth)).toEqual({ percent: 10 });
});

test("a share that one person gave is pesos for another who may give none", () => {
  const person = (id: string, permissions: string[]) => ({ id, name: id, pin_hash: "", permissions, rights: [] });
  const ticket = {
    ...pair,
    discount: { percent: 90 },
    acts: [{ right: "discount" as const, cashier_id: "ana", authorized_by: null }],
  };
  const forWhom = (id: string, permissions: string[] = [], of: Ticket = ticket) =>
    withOthersDiscount(of, person(id, permissions), () => ({ discount: 45_000 }))?.discount;
  expect(forWhom("beto")).toEqual({ pesos: 45_000 });
  expect(forWhom("luz", ["discount"])).toBeUndefined();
  expect(forWhom("ana")).toBeUndefined();
  expect(forWhom("beto", [], { ...pair, discount: { pesos: 10 } })).toBeUndefined();
  expect(forWhom("beto", [], pair)).toBeUndefined();
});

test("a change takes the rights of what it does, and taking a discount back takes none", () => {
  const discounted = withLineChange(pair, "pan", { discount_percent: 10 });
  expect(rightsFor(pair, discounted)).toEqual(["discount"]);
  expect(rightsFor(discounted, pair)).toEqual([]);
  expect(rightsFor(pair, { ...pair, discount: { percent: 5 } })).toEqual(["discount"]);
  expect(rightsFor({ ...pair, discount: { pesos: 5 } }, { ...pair, discount: null })).toEqual([]);
  expect(rightsFor(pair, withLineChange(pair, "pan", { price: 1 }))).toEqual(["price"]);
  expect(rightsFor(pair, withLine(pair, freeLine("f", "Algo", 1, "standard")))).toEqual(["free_line"]);
  expect(rightsFor(pair, withLine(pair, line("queso")))).toEqual([]);
  // By a label that says another price.
  expect(rightsFor(pair, withLine(pair, { ...line("whisky"), price: 100, priced_from: 250_000 }))).toEqual(["price"]);
  expect(rightsFor(keptTicket(pair), empty)).toEqual(["remove_kept"]);
  expect(rightsFor(pair, empty)).toEqual([]);
});

test("an allowed change of prices tells of each line what a unit cost and what it costs, and what that took off", () => {
  const acts = [{ right: "price" as const, cashier_id: "ana", authorized_by: "luz" }];
  const sale = { sale_id: "s", label: "Venta 7", discount: 0 };
  const told = (ticket: Ticket) => allowedActs({ ...ticket, acts }, sale).map(({ act }) => [act.detail, act.amount]);
  const cheaper = withLineChange(withLineChange(pair, "pan", { price: 900 }), "pan", { price: 50, quantity: 3 });
  expect(told(cheaper)).toEqual([["3 × pan, de $1.000 a $50", 2850]]);
  const both = withLineChange(cheaper, "leche", { price: 1200 });
  expect(told(both)).toEqual([["3 × pan, de $1.000 a $50; 1 × leche, de $1.000 a $1.200", 2650]]);
  // Set back, or changed on a line that is gone.
  expect(told(withLineChange(cheaper, "pan", { price: 1000 }))).toEqual([[null, null]]);
  expect(told(withQuantity(cheaper, "pan", 0))).toEqual([[null, null]]);
});
