import { profileOf } from "./business.ts";
import { may, type Permit } from "./cashiers.ts";
import type { CatalogProduct } from "./catalog.ts";
import type { Counter } from "./counter.ts";
import { isInForce, numberOf, type Quote, quoteOf, stateOf, ticketFrom } from "./quote.ts";
import type { Register } from "./register.ts";
import { withTax } from "./scanned.ts";
import { folded } from "./search.ts";
import { allActs } from "./shown-acts.ts";
import type { Row, Store } from "./store.ts";
import { lineOf } from "./ticket.ts";

export interface QuotesOptions {
  store: Store;
  register: Register;
  counter: Counter;
  now: () => Date;
  newId: () => string;
}

/** The quotes of the business, made at any register; they travel down the feed. */
export interface Quotes {
  /** The newest first; of those that match, if something is searched for. */
  find(query?: string): Quote[];
  /** Turns the current ticket into a quote; one that was on hold only with the right to take off what was. When it resolves, the quote is durable and the ticket is gone. */
  make(terms: { days: number; notes: string | null }, permit?: Permit): Promise<Quote>;
  /** Begins a ticket with what was offered; of a quote that does not hold any more, only whoever may change prices. Charging it marks the quote as sold, in the same commit as the sale. */
  takeUp(quote: Quote, permit?: Permit): void;
}

const lastNumber = "quotes";

export function openQuotes({ store, register, counter, now, newId }: QuotesOptions): Quotes {
  const { catalog } = register;
  /** Registers number their quotes without asking each other, so each has letters of its own. */
  const prefix = () => `${register.identity().device_id.slice(-3).toUpperCase()}-`;

  function priceOf(product: CatalogProduct, variantId: string | null): number {
    const variant = product.variants?.find(({ id }) => id === variantId);
    const line = lineOf(product.id, product, 1, variant);
    return withTax(line, line.price, profileOf(counter.state().business), now());
  }

  return {
    find(query = "") {
      const wanted = folded(query.trim());
      const all = catalog.all("quote") as Quote[];
      const found = wanted === "" ? all : all.filter((quote) => textOf(quote).includes(wanted));
      return found.sort((a, b) => (a.issued_at < b.issued_at ? 1 : -1));
    },
    async make({ days, notes }, permit = { right: "remove_kept", by: undefined }) {
      const ticket = { ...counter.state().current, tip: 0 };
      if (ticket.kept && !permit.by && !may(counter.state().cashier, permit.right)) throw new Error("it was on hold");
      if (ticket.lines.length === 0) throw new Error("there is nothing to quote");
      const number = ((await store.get<number>("meta", lastNumber)) ?? 0) + 1;
      const customer = ticket.customer_id === null ? undefined : catalog.get("customer", ticket.customer_id);
      const customerName = customer ? [customer.name, customer.last_name].filter(Boolean).join(" ") : null;
      const terms = { id: newId(), prefix: prefix(), number, customerName, days, notes, at: now() };
      const totals = counter.totals(ticket);
      const quote = quoteOf(ticket, totals, terms);
      const { id, ...data } = quote;
      const told = ticket.kept ? counter.dropped(ticket, permit, `Quedó en la cotización ${numberOf(quote)}: `) : [];
      const label = `Cotización ${numberOf(quote)}`;
      const { cashier } = counter.state();
      const productOf = (of: string) => catalog.get("product", of) as CatalogProduct | undefined;
      const acts = allActs(ticket, { cashier, totals, productOf, isOffered: false });
      const allowed = counter.allowed(ticket, { sale_id: null, label, discount: quote.discount });
      try {
        const beside = cashier && { cashier_id: cashier.id, ...(acts.length > 0 && { acts }) };
        await register.record([{ type: "quote", id, data, ...beside }, ...allowed, ...told], {
          put: [catalog.keep("quote", id, data), { table: "meta", key: lastNumber, value: number } satisfies Row],
          remove: [{ table: "ticket", key: ticket.id }],
        });
      } catch (error) {
        catalog.drop(id);
        throw error;
      }
      counter.forget(ticket.id);
      return quote;
    },
    takeUp(quote, permit = { right: "price", by: undefined }) {
      if (stateOf(quote, now()) === "converted") throw new Error("it was sold already");
      const isOwn = isInForce(quote, now());
      if (!isOwn && !permit.by && !may(counter.state().cashier, permit.right))
        throw new Error("it does not hold any more");
      const open = counter.state().tickets.find(({ quote_id }) => quote_id === quote.id);
      if (open) return counter.select(open.id);
      counter.beginTicket();
      const productOf = (id: string) => catalog.get("product", id);
      counter.edit((ticket) => ticketFrom(quote, ticket, { newId, productOf, priceOf }), isOwn ? [] : [permit]);
    },
  };
}

function textOf({ prefix, number, customer_name, total, items }: Quote): string {
  const lines = items.map(({ description }) => description);
  return folded([`${prefix ?? ""}${number ?? ""}`, customer_name, total, ...lines].join(" "));
}
