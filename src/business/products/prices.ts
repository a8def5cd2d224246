import type { FieldError } from "../../lib/errors.ts";
import { lessPercent, percentBelow } from "../../lib/money.ts";
import type { Product } from "./schema.ts";

export type Prices = Pick<Product, "base_price" | "final_price" | "percent_discount">;

export const noPrices: Prices = { base_price: 0, final_price: 0, percent_discount: 0 };

export function pricesOf({ base_price, final_price, percent_discount }: Prices): Prices {
  return { base_price, final_price, percent_discount };
}

/**
 * The three prices after an edit that sets some of them. A new list price alone removes the discount; otherwise the final
 * price and the discount are computed from each other. Sending current values changes nothing: clients send back what they read.
 */
export function changedPrices(current: Prices, { base_price, final_price, percent_discount }: Partial<Prices>): Prices {
  const base = base_price ?? current.base_price;
  const isSameBase = base === current.base_price;
  if (final_price !== undefined) {
    const staysAsItIs = isSameBase && final_price === current.final_price && agree(current);
    const discount = staysAsItIs ? current.percent_discount : percentBelow(base, final_price);
    return { base_price: base, final_price, percent_discount: percent_discount ?? discount };
  }
  if (percent_discount !== undefined) {
    const staysAsItIs = isSameBase && percent_discount === current.percent_discount && agree(current);
    return {
      base_price: base,
      final_price: staysAsItIs ? current.final_price : lessPercent(base, percent_discount),
      percent_discount,
    };
  }
  return isSameBase ? pricesOf(current) : { base_price: base, final_price: base, percent_discount: 0 };
}

/** Of what is new. With only a final price, that is the list price too. */
export function newPrices(sent: Partial<Prices>): Prices {
  return changedPrices(noPrices, { ...sent, base_price: sent.base_price ?? sent.final_price ?? 0 });
}

/**
 * Contradictions between the prices that a request sent and those that would result. Only the API checks this: a register
 * already sells at its prices, so its uploads are stored as they are.
 */
export function contradictions(sent: Partial<Prices>, result: Prices, place = ""): FieldError[] {
  const { base_price, final_price, percent_discount } = result;
  if (sent.final_price === undefined) return [];
  if (final_price > base_price) {
    const message = `\`final_price\` (${final_price}) no puede ser mayor que \`base_price\` (${base_price}).`;
    return [{ param: `${place}final_price`, message }];
  }
  if (agree(result)) return [];
  const message = `Un \`percent_discount\` de ${percent_discount} sobre ${base_price} da ${lessPercent(base_price, percent_discount)}, no el \`final_price\` de ${final_price}. Envíe solo uno de los dos.`;
  return [{ param: `${place}percent_discount`, message }];
}

/** Whether price and discount agree: to the peso, or to the two decimals of a discount computed from the prices. */
function agree({ base_price, final_price, percent_discount }: Prices): boolean {
  return (
    Math.abs(final_price - lessPercent(base_price, percent_discount)) <= 1 ||
    percent_discount === percentBelow(base_price, final_price)
  );
}
