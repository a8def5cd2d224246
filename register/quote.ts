import { bogotaDate } from "../src/taxes/bogota-time.ts";
import type { CatalogProduct } from "./catalog.ts";
import type { Draft } from "./protocol.ts";
import { itemsOf, type KeptSale, type SaleItemData } from "./sale.ts";
import { movesStock, type Ticket, type TicketLine, type Totals } from "./ticket.ts";

/** A quote as it travels, up and down the feed. */
export interface Quote {
  id: string;
  prefix: string | null;
  number: number | null;
  status: string;
  customer_id: string | null;
  customer_name: string | null;
  subtotal: number;
  discount: number;
  discount_percent: number;
  tax: number;
  total: number;
  tax_breakdown: Totals["tax_breakdown"] | null;
  notes: string | null;
  items: QuoteItem[];
  sale_id: string | null;
  issued_at: string;
  expires_at: string | null;
  sent_at: string | null;
  converted_at: string | null;
}

export interface QuoteItem extends Omit<SaleItemData, "unit_cost" | "taxes" | "description"> {
  description: string | null;
  discount_percent: number;
  taxes: SaleItemData["taxes"] | null;
}

export interface QuoteTerms {
  id: string;
  prefix: string;
  number: number;
  customerName: string | null;
  /** How many days it holds, today included. */
  days: number;
  notes: string | null;
  at: Date;
}

const dayMs = 86_400_000;

/** A ticket as an offer. A tip is nothing that one offers. */
export function quoteOf(ticket: Ticket, totals: Totals, terms: QuoteTerms): Quote {
  const { discount } = ticket;
  const issued_at = terms.at.toISOString();
  return {
    id: terms.id,
    prefix: terms.prefix,
    number: terms.number,
    status: "sent",
    customer_id: ticket.customer_id,
    customer_name: terms.customerName,
    subtotal: totals.subtotal,
    discount: totals.discount,
    discount_percent: discount && "percent" in discount ? discount.percent : 0,
    tax: totals.tax,
    total: totals.total,
    tax_breakdown: totals.tax_breakdown,
    notes: terms.notes,
    items: itemsOf(ticket, totals).map((item) => ({ ...item, discount_percent: 0 })),
    sale_id: null,
    issued_at,
    expires_at: endOfDay(new Date(terms.at.getTime() + (terms.days - 1) * dayMs)),
    sent_at: issued_at,
    converted_at: null,
  };
}

/** The last millisecond of the day in Colombia. */
function endOfDay(at: Date): string {
  return new Date(`${bogotaDate(at)}T23:59:59.999-05:00`).toISOString();
}

export type QuoteState = "open" | "expired" | "converted" | "rejected";

export function stateOf({ status, expires_at }: Quote, now: Date): QuoteState {
  if (status === "converted" || status === "rejected") return status;
  const isPast = expires_at !== null && new Date(expires_at) <= now && status !== "accepted";
  return status === "expired" || isPast ? "expired" : "open";
}

/** Whether its prices still hold: those of an expired one, or of one that was turned down, are somebody's to give anew. */
export const isInForce = (quote: Quote, now: Date) => stateOf(quote, now) === "open";

export function numberOf({ prefix, number }: Pick<Quote, "prefix" | "number">): string {
  return number === null ? "sin número" : `${prefix ?? ""}${number}`;
}

interface Around {
  newId: () => string;
  productOf: (id: string) => CatalogProduct | undefined;
  /** What a customer would pay for one without the quote. */
  priceOf: (product: CatalogProduct, variantId: string | null) => number;
}

/** A ticket that sells what was offered, at the prices that were offered: for as much as was offered. */
export function ticketFrom(quote: Quote, ticket: Ticket, { newId, productOf, priceOf }: Around): Ticket {
  return {
    ...ticket,
    lines: quote.items.map((item): TicketLine => {
      const product = item.product_id === null ? undefined : productOf(item.product_id);
      const listed = product && priceOf(product, item.variant_id);
      return {
        id: newId(),
        product_id: item.product_id,
        variant_id: item.variant_id,
        description: item.description ?? "Producto",
        quantity: item.quantity,
        price: item.unit_price,
        discount_percent: item.discount_percent,
        tax_class: item.tax_class,
        sold_by_weight: product?.sold_by_weight ?? false,
        has_stock: product !== undefined && movesStock(product),
        includes_tax: true,
        quoted: item.quantity,
        ...(listed !== undefined && listed > item.unit_price && { priced_from: listed }),
      };
    }),
    // A share would grow with whatever is added.
    discount: quote.discount > 0 ? { pesos: quote.discount } : null,
    customer_id: quote.customer_id,
    notes: quote.notes,
    quote_id: quote.id,
  };
}

/** What the sale of a quote says about the quote. */
export function conversionOf(quoteId: string, { id, data }: Pick<KeptSale, "id" | "data">): Draft {
  const outcome = { status: "converted", converted_at: data.occurred_at, sale_id: id };
  return { type: "quote", id: quoteId, changed: Object.keys(outcome), data: outcome };
}
