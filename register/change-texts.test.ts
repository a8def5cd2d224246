import { expect, test } from "vitest";
import { keptTicket } from "./acts.ts";
import { changeTexts } from "./change-texts.ts";
import { freeLine, newTicket, type Ticket, withLine, withLineChange, withQuantity } from "./ticket.ts";

const line = (id: string, quantity = 1) => ({ ...freeLine(id, id, 1000, "standard"), product_id: id, quantity });
const pair = withLine(withLine(newTicket("t", new Date()), line("pan", 3)), line("leche"));
/** As a whole ticket adds up that has no lines of its own discount. */
function totals({ lines, discount }: Ticket) {
  if (lines.length === 0) throw new Error("empty");
  const sum = lines.reduce((all, { price, quantity }) => all + price * quantity, 0);
  const off = discount === null ? 0 : "percent" in discount ? (sum * discount.percent) / 100 : discount.pesos;
  return { discount: off, total: sum - off };
}
const texts = (right: Parameters<typeof changeTexts>[0], after: Ticket, before = pair) =>
  changeTexts(right, before, after, totals);

test("a supervisor reads from what to what a price, a discount or a ticket changes", () => {
  const cheap = withLineChange(pair, "pan", { price: 50 });
  expect(texts("price", cheap)).toEqual(["3 × pan, de $1.000 a $50", "Total: de $4.000 a $1.150"]);
  expect(texts("price", withLineChange(cheap, "pan", { price: 1000 }), cheap)[0]).toBe("3 × pan, de $50 a $1.000");
  expect(texts("price", withQuantity(cheap, "pan", 30), cheap)[0]).toBe("30 × pan, de $1.000 a $50");
  expect(texts("discount", withLineChange(pair, "leche", { discount_percent: 50 }))[0]).toBe(
    "1 × leche, $1.000: descuento de 0 % a 50 %",
  );
  expect(texts("discount", { ...pair, discount: { percent: 90 } })).toEqual([
    "90 % sobre todo el tiquete",
    "Descuento del tiquete: de $0 a $3.600",
    "Total: de $4.000 a $400",
  ]);
  expect(texts("free_line", withLine(pair, freeLine("h", "Hielo", 4000, "standard")))).toEqual(["1 × Hielo, $4.000"]);
  expect(texts("remove_kept", withQuantity(keptTicket(pair), "pan", 1), keptTicket(pair))).toEqual([
    "Quitar 2 × pan, $1.000",
  ]);
  expect(texts("price", pair, newTicket("t", new Date())).at(-1)).toBe("Total: de $0 a $4.000");
});
