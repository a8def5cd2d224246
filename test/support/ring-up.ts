import type { Counter } from "../../register/counter.ts";
import type { KeptSale } from "../../register/sale.ts";
import { freeLine, type Ticket, withLine } from "../../register/ticket.ts";
import type { Regime, TaxClass } from "../../src/taxes/tax-classes.ts";

/** What somebody buys, and how it is paid. */
export interface RandomTicket {
  lines: { price: number; quantity: number; discount: number; taxClass: TaxClass }[];
  percent: number;
  tip: number;
  /** The part of the total that is paid by card. */
  card: number;
  /** Of a business that sells it, where only its sums are looked at. */
  regime: Regime;
  pricesIncludeTax: boolean;
}

export function filled(empty: Ticket, { lines, percent, tip }: RandomTicket): Ticket {
  const sold = lines.reduce(
    (ticket, one) =>
      withLine(ticket, {
        ...freeLine(crypto.randomUUID(), "Algo", one.price, one.taxClass),
        quantity: one.quantity,
        discount_percent: one.discount,
      }),
    empty,
  );
  return { ...sold, discount: percent > 0 ? { percent } : null, tip };
}

/** Rings it up, part by card and the rest in cash. */
export async function ringUpTicket(counter: Counter, ticket: RandomTicket): Promise<KeptSale> {
  counter.edit((empty) => filled(empty, ticket));
  const amount = Math.floor(counter.totals().total * ticket.card);
  const result = await counter.charge(amount > 0 ? [{ payment_method: "CARD", amount }] : []);
  if ("problem" in result) throw new Error(result.problem.kind);
  return result.sale;
}
