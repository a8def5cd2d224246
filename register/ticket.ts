import type { OrderStatus } from "../src/business/orders/states.ts";
import { lessPercent } from "../src/lib/money.ts";
import { computeTaxes, type SaleTaxes, type TaxLineInput } from "../src/taxes/tax.ts";
import { type FiscalProfile, lineFor } from "../src/taxes/tax-classes.ts";
import { mostTipPercent } from "../src/taxes/tip.ts";
import type { CatalogProduct, CatalogVariant } from "./catalog.ts";
import type { EntryAct, Payment } from "./protocol.ts";
import type { Row } from "./store.ts";

/** One line of a ticket. `price` is typed as the business types prices; taxes are computed from it. */
export interface TicketLine {
  id: string;
  product_id: string | null;
  variant_id: string | null;
  description: string;
  quantity: number;
  /** The list price of a unit. */
  price: number;
  /** What it was before somebody at the counter changed it. */
  priced_from?: number;
  /** How many of it a quote offered at this price. */
  quoted?: number;
  /** Taken off the unit price, so that quantity × price stays the line's value. */
  discount_percent: number;
  tax_class: string;
  sold_by_weight: boolean;
  /** Whether selling it moves stock of its own. */
  has_stock: boolean;
  /** The price of a quote has its taxes in it, however the business types its prices. */
  includes_tax?: boolean;
}

/** What is being sold. Several may be open at once; each is stored with every change. */
export interface Ticket {
  id: string;
  opened_at: string;
  lines: TicketLine[];
  discount: { percent: number } | { pesos: number } | null;
  tip: number;
  customer_id: string | null;
  document_kind: "pos" | "invoice";
  /** A table, or the name of whoever waits. */
  table_label: string | null;
  notes: string | null;
  /** The quote that this sale fulfils. */
  quote_id?: string | null;
  /** The order that this sale hands over. */
  order_id?: string | null;
  /** How that order ended, where somebody sells it all the same. */
  despite?: OrderStatus;
  /** How many of each line there were when it was last put on hold. */
  kept?: Record<string, number>;
  /** Who did what took a right. */
  acts?: EntryAct[];
  /** Parts that were paid otherwise than in cash before the charge was left: the terminal has taken them. */
  parts?: readonly Payment[];
}

export function newTicket(id: string, at: Date): Ticket {
  return {
    id,
    opened_at: at.toISOString(),
    lines: [],
    discount: null,
    tip: 0,
    customer_id: null,
    document_kind: "pos",
    table_label: null,
    notes: null,
  };
}

export const ticketKey = (id: string) => ({ table: "ticket", key: id }) as const;
export const ticketRow = (ticket: Ticket): Row => ({ ...ticketKey(ticket.id), value: ticket });

/** Services, and money collected for others, are sold without stock; so are recipes and products with variants. */
const withoutStock = new Set(["service_19", "passthrough"]);

export function movesStock({ kind, variants, tax_class }: CatalogProduct): boolean {
  return (variants ?? []).length === 0 && kind !== "composite" && !withoutStock.has(tax_class);
}

export function lineOf(id: string, product: CatalogProduct, quantity = 1, variant?: CatalogVariant): TicketLine {
  return {
    id,
    product_id: product.id,
    variant_id: variant?.id ?? null,
    description: variant ? `${product.name} · ${variant.label}` : product.name,
    quantity,
    price: variant?.final_price || product.final_price,
    discount_percent: 0,
    tax_class: product.tax_class,
    sold_by_weight: product.sold_by_weight,
    has_stock: movesStock(product),
  };
}

export function freeLine(id: string, description: string, price: number, taxClass: string): TicketLine {
  return {
    id,
    product_id: null,
    variant_id: null,
    description,
    quantity: 1,
    price,
    discount_percent: 0,
    tax_class: taxClass,
    sold_by_weight: false,
    has_stock: false,
  };
}

/** Adds a line, or its units to the line that already sells the same thing, or the same pack, at the same price. */
export function withLine(ticket: Ticket, line: TicketLine): Ticket {
  const same = ticket.lines.find(
    (one) =>
      !line.sold_by_weight &&
      line.product_id !== null &&
      one.product_id === line.product_id &&
      one.variant_id === line.variant_id &&
      one.description === line.description &&
      one.price === line.price &&
      one.includes_tax === line.includes_tax &&
      one.discount_percent === line.discount_percent,
  );
  if (!same) return { ...ticket, lines: [...ticket.lines, line] };
  return withQuantity(ticket, same.id, same.quantity + line.quantity);
}

/** A quantity of 0 removes the line. */
export function withQuantity(ticket: Ticket, lineId: string, quantity: number): Ticket {
  const lines = ticket.lines.flatMap((line) =>
    line.id !== lineId ? [line] : quantity > 0 ? [{ ...line, quantity }] : [],
  );
  return { ...ticket, lines };
}

export function withLineChange(ticket: Ticket, lineId: string, change: Partial<TicketLine>): Ticket {
  const changed = (line: TicketLine) => ({ ...line, ...change, ...pricedFrom(line, change) });
  return { ...ticket, lines: ticket.lines.map((line) => (line.id === lineId ? changed(line) : line)) };
}

/** The first price stays known, however often it is changed. */
function pricedFrom({ price, priced_from = price }: TicketLine, change: Partial<TicketLine>): Partial<TicketLine> {
  return change.price === undefined || change.price === price ? {} : { priced_from };
}

export interface Totals extends SaleTaxes {
  /** The unit price of each line, discount deducted and percentage taxes included. */
  unitPrices: number[];
}

/** Exactly what the server would compute. Throws a FiscalError when the ticket cannot be sold as it is. */
export function totalsOf(ticket: Ticket, profile: FiscalProfile, at: Date): Totals {
  const lines = ticket.lines.map((line) => taxLine(line, profile, at));
  const { discount } = ticket;
  const taxes = computeTaxes({
    lines,
    tip: ticket.tip,
    ...(discount && ("percent" in discount ? { discountPercent: discount.percent } : { discount: discount.pesos })),
  });
  return { ...taxes, unitPrices: lines.map(({ unit_price }) => unit_price) };
}

function taxLine(line: TicketLine, profile: FiscalProfile, at: Date): TaxLineInput {
  const price = lessPercent(line.price, line.discount_percent);
  const product = { tax_class: line.tax_class, base_price: line.price, final_price: price };
  return lineFor(product, line.quantity, line.includes_tax ? { ...profile, pricesIncludeTax: true } : profile, at);
}

/** What the customer may be asked for, in whole hundreds; never added by itself. */
export function suggestedTip(totals: Pick<SaleTaxes, "subtotal" | "discount">, percent: number): number {
  return Math.floor(((totals.subtotal - totals.discount) * Math.min(percent, mostTipPercent)) / 10_000) * 100;
}
