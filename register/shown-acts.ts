import { leastPrice } from "../src/business/counter/least-price.ts";
import type { Right } from "../src/business/counter/rights.ts";
import { actsOf } from "./acts.ts";
import { type Cashier, may } from "./cashiers.ts";
import type { CatalogProduct } from "./catalog.ts";
import type { EntryAct } from "./protocol.ts";
import type { Ticket, Totals } from "./ticket.ts";

interface Around {
  /** Who sells or quotes it. */
  cashier: Cashier | undefined;
  totals: Totals;
  productOf: (id: string) => CatalogProduct | undefined;
  /** Whether the quote or the order it was made from offers its prices now. */
  isOffered: boolean;
}

/**
 * Who did what of a ticket takes a right: as it was declared when it was done, and what else the ticket shows, of whoever sells it and
 * may. A price went up while it was open, a quote's time is over, or nobody signed in when it was begun. What somebody may not do is no
 * act of hers that she declares.
 */
export function allActs(ticket: Ticket, around: Around): EntryAct[] {
  const { acts = [] } = ticket;
  const { cashier } = around;
  if (cashier === undefined) return [...acts];
  const isNew = (right: Right) => may(cashier, right) && !acts.some((one) => one.right === right);
  const more = shownRights(ticket, around).filter(isNew);
  return [
    ...acts,
    ...actsOf(
      cashier.id,
      more.map((right) => ({ right, by: undefined })),
    ),
  ];
}

/** The service looks for the same (src/api/sync/push/flag-undeclared.ts). */
function shownRights({ lines, acts = [] }: Ticket, { totals, productOf, isOffered }: Around): Right[] {
  const own = lines.flatMap((line, i) =>
    isOffered && line.quantity <= (line.quoted ?? 0) ? [] : { ...line, charged: chargedEach(totals, i, line.quantity) },
  );
  const isDiscounted = totals.discount > 0 && !isOffered;
  const isCheap = own.some(({ product_id, variant_id, quantity, charged }) => {
    const product = product_id === null ? undefined : productOf(product_id);
    const least = product ? leastPrice(product, variant_id) : 0;
    return charged < least || (least > 0 && !product?.sold_by_weight && !Number.isInteger(quantity));
  });
  // Whoever gave a discount said why it costs less.
  const isSaid = isDiscounted || acts.some(({ right }) => right === "discount");
  return [
    ...(isDiscounted ? ["discount" as const] : []),
    ...(isCheap && !isSaid ? ["price" as const] : []),
    ...(own.some(({ product_id }) => product_id === null) ? ["free_line" as const] : []),
  ];
}

/** With what a tax on each, as a plastic bag's, adds to it: it is in the catalogue's price. */
function chargedEach({ unitPrices, lines }: Totals, at: number, quantity: number): number {
  const perUnit = (lines[at]?.taxes ?? []).filter(({ per_unit }) => per_unit !== null);
  return (unitPrices[at] ?? 0) + perUnit.reduce((sum, { amount }) => sum + amount, 0) / quantity;
}
