import type { CatalogProduct } from "./catalog.ts";
import type { CounterCore } from "./counter-state.ts";
import { onceInForce } from "./once-in-force.ts";
import { findScanned, linesOf, type Scanned } from "./scanned.ts";
import { newTicket, type Ticket, type TicketLine, type Totals, totalsOf } from "./ticket.ts";

/** What things cost at this counter, and what a code means here. */
export interface Prices {
  totals(ticket?: Ticket): Totals;
  /** What a customer pays for one of it, with every tax; its list price while it cannot be sold. */
  priceOf(product: CatalogProduct): number;
  /** What a code that was scanned or typed means here. */
  find(code: string): Scanned | undefined;
  /** The lines that sell so many of it. */
  linesOf(scanned: Scanned, count?: number): TicketLine[];
  /** What a customer pays for it as it was scanned: a pack, or as much as a label says. */
  scannedPrice(scanned: Scanned): number;
}

export function prices({ catalog, state, profile, now, newId }: CounterCore): Prices {
  const totalsOnce = onceInForce<Totals>(now);
  const pricesOnce = onceInForce<number>(now);
  const own: Prices = {
    totals: (ticket = state().current) =>
      totalsOnce(ticket, state().business, () => totalsOf(ticket, profile(), now())),
    priceOf: (product) => pricesOnce(product, state().business, () => own.scannedPrice({ product })),
    find: (code) => findScanned(catalog, state().business, code),
    linesOf: (scanned, count = 1) => linesOf(scanned, count, { business: state().business, at: now(), newId }),
    scannedPrice(scanned) {
      const lines = own.linesOf(scanned);
      try {
        return totalsOf({ ...newTicket(scanned.product.id, now()), lines }, profile(), now()).total;
      } catch {
        return scanned.pack?.price ?? scanned.variant?.final_price ?? scanned.product.final_price;
      }
    },
  };
  return own;
}
