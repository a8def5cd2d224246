import type { Order } from "../../../business/orders/schema.ts";
import { mayBecome } from "../../../business/orders/states.ts";
import type { Quote } from "../../../business/quotes/schema.ts";
import type { Sale } from "../../../business/sales/schema.ts";
import { plainArray } from "../../../db/arrays.ts";
import { type Read, reading, withoutReading } from "../../../db/read.ts";
import { sql } from "../../../db/sql.ts";
import { type Fields, fieldIn, type Incoming, idIn } from "./read-record.ts";

/** A line of a sale or of a quote, as far as it is compared. */
export interface Line {
  product_id: string | null;
  variant_id: string | null;
  description: string | null;
  item_kind: string;
  quantity: number;
  unit_price: number;
}

/** What a quote offered. */
export interface Offer {
  lines: readonly Line[];
  discount: number;
  /** As its owner and a customer know it. */
  name: string;
}

/** What the quotes and orders that a push concerns say. */
export interface Offers {
  /** What was offered of a sale, where it was in force; whatever it was, if the sale says that somebody gave its prices anew. */
  of(sale: Incoming): Offer | undefined;
  /** What a quote offers that it did not offer before this push. */
  newIn(quote: Incoming): (Offer & { at: string | null }) | undefined;
  /** What a sale said before this upload of it; what it cost then was judged then. */
  before(sale: Incoming): Offer | undefined;
}

interface Stored<B> {
  get(id: string): { body: B } | undefined;
}
interface Sets {
  quotes: Stored<Quote>;
  orders: Stored<Order>;
  sales: Stored<Sale>;
}

/** Quotes whose sale is in this push, by the sale, where they were stored as sold already: a sale that is uploaded again. */
export function soldQuotes(accountId: string, records: readonly Incoming[]): Read<Map<string, Quote>> {
  const ids = records.flatMap((record) => (record.type === "sale" && isCompared(record) ? [record.id] : []));
  if (ids.length === 0) return withoutReading(() => new Map());
  const statement = sql`
    select body from quotes where account_id = ${accountId} and body ->> 'sale_id' = any(${plainArray(ids)}::text[])
      and deleted_at is null`;
  return reading(statement, (rows: { body: string }[]) => {
    const found = rows.map(({ body }) => JSON.parse(body) as Quote);
    return new Map(found.map((quote) => [quote.sale_id ?? "", quote]));
  });
}

/** Its prices are looked at when it is new, and then its quote is in the push. */
function isCompared({ data }: Incoming): boolean {
  return fieldIn(data, "discount", 0) > 0 || linesIn(data).some(isFree);
}

/** Reads what is offered while the records of a push are as they were. */
export function openOffers(
  records: readonly Incoming[],
  sold: ReadonlyMap<string, Quote>,
  { quotes, orders, sales }: Sets,
): Offers {
  const fulfilled = new Map(sold);
  const fresh = new Map<number, Offer & { at: string | null }>();
  const merged = new Map<string, Quote>();
  for (const record of records) {
    if (record.type !== "quote" || record.op !== "upsert") continue;
    const stored = merged.get(record.id) ?? quotes.get(record.id)?.body;
    const quote = { ...stored, ...record.data } as Quote;
    merged.set(record.id, quote);
    const saleId = idIn(record.data, "sale_id");
    if (saleId !== null) fulfilled.set(saleId, { ...quote, status: stored?.status ?? "sent" });
    const offer = offerOf(quote);
    const isChanged = stored && JSON.stringify(offerOf(stored)) !== JSON.stringify(offer);
    if (isChanged) fresh.set(record.deviceSeq, { ...offer, at: record.editedAt });
    else if (!stored) fresh.set(record.deviceSeq, { ...offer, at: quote.issued_at ?? record.editedAt });
  }
  // The first sale of an order hands it over; any other is a sale like any.
  const handedOver = new Map<string, Offer>();
  for (const { type, id, data } of records) {
    const order = type === "sale" ? orders.get(idIn(data, "order_id") ?? "")?.body : undefined;
    if (order && (order.sale_id === id || mayBecome(order.status, "completed")))
      handedOver.set(id, offerOfOrder(order));
  }
  const said = saidBefore(records, sales);
  return {
    before: ({ deviceSeq }) => said.get(deviceSeq),
    of(sale) {
      const ordered = handedOver.get(sale.id);
      if (ordered) return ordered;
      const quote = fulfilled.get(sale.id);
      if (!quote) return undefined;
      const isGivenAnew = sale.beside?.acts.some(({ right }) => right === "price") ?? false;
      return isGivenAnew || isInForce(quote, fieldIn<string | null>(sale.data, "occurred_at", null))
        ? offerOf(quote)
        : undefined;
    },
    newIn: ({ deviceSeq }) => fresh.get(deviceSeq),
  };
}

/** What each upload of a sale finds stored, by its number: what was stored before the push, or what the push said of it before. */
function saidBefore(records: readonly Incoming[], sales: Sets["sales"]): Map<number, Offer> {
  const found = new Map<number, Offer>();
  const latest = new Map<string, Fields | undefined>();
  for (const { type, id, data, deviceSeq } of records) {
    if (type !== "sale") continue;
    const stored = latest.get(id) ?? (sales.get(id)?.body as Fields | undefined);
    if (stored)
      found.set(deviceSeq, { lines: chargedLines(stored), discount: fieldIn(stored, "discount", 0), name: "" });
    latest.set(id, data);
  }
  return found;
}

/** One that was sold already was in force by its time alone. */
function isInForce({ status, expires_at = null, accepted_at = null }: Quote, at: string | null): boolean {
  if (status === "rejected" || status === "expired") return false;
  const isPast = expires_at !== null && at !== null && Date.parse(expires_at) <= Date.parse(at);
  return !isPast || status === "accepted" || accepted_at !== null;
}

/** A discount that is only a share counts as one. */
function offerOf({ items, subtotal = 0, discount = 0, discount_percent = 0, prefix, number }: Quote): Offer {
  return {
    lines: linesIn({ items }),
    discount: Math.max(discount, Math.round((subtotal * discount_percent) / 100)),
    name: `${prefix ?? ""}${number ?? ""}`,
  };
}

/** What was agreed with whoever ordered is nobody's doing at the counter: prices, a discount, what bringing it costs. */
function offerOfOrder({ items, discount, delivery_fee, number }: Order): Offer {
  const lines = items.map(({ product_id, variant_id, description, quantity, unit_price, discount: off }) => ({
    ...{ product_id, variant_id, description, item_kind: "product", quantity, unit_price: unit_price - off },
  }));
  const fee = { product_id: null, variant_id: null, description: "Domicilio", item_kind: "custom", quantity: 1 };
  const all = delivery_fee > 0 ? [...lines, { ...fee, unit_price: delivery_fee }] : lines;
  return { lines: all, discount, name: String(number) };
}

export function linesIn({ items }: Fields): Line[] {
  return ((items ?? []) as Fields[]).map((item) => ({
    product_id: idIn(item, "product_id"),
    variant_id: idIn(item, "variant_id"),
    description: fieldIn(item, "description", null),
    item_kind: fieldIn(item, "item_kind", "product"),
    quantity: fieldIn(item, "quantity", 0),
    unit_price: fieldIn(item, "unit_price", 0),
  }));
}

/** With what a tax on each, as a plastic bag's, adds to the line's price: it is in the catalogue's. */
export function chargedLines(data: Fields): Line[] {
  const items = fieldIn<Fields[]>(data, "items", []);
  return linesIn(data).map((line, i) => ({ ...line, unit_price: line.unit_price + taxOfOne(items[i], line) }));
}

function taxOfOne(item: Fields | undefined, { quantity }: Line): number {
  if (!Array.isArray(item?.taxes) || quantity <= 0) return 0;
  const perUnit = item.taxes.filter((one: Fields) => typeof one.per_unit === "number");
  return perUnit.reduce((sum, one: Fields) => sum + fieldIn(one, "amount", 0), 0) / quantity;
}

/** Whether a sale still has all that it had, for as little. */
export function isNoBetter(before: Offer, data: Fields): boolean {
  const beyond = openBeyond({ ...before, lines: chargedLines(data) });
  return fieldIn(data, "discount", 0) >= before.discount && before.lines.every((line) => beyond(line) === 0);
}

/** Whether a sale has lines, of these, that it did not have for so little before. */
export function bringsLines(offers: Offers, sale: Incoming, isMeant: (line: Line) => boolean = () => true): boolean {
  const beyond = openBeyond(offers.before(sale));
  return chargedLines(sale.data).some((line) => isMeant(line) && beyond(line) > 0);
}

export const isFree = ({ item_kind }: Line): boolean => item_kind === "custom";

/** Tells, line by line, how many of it were not offered for so little; what was offered once is used up. */
export function openBeyond(offer: Offer | undefined): (line: Line) => number {
  const left = (offer?.lines ?? []).map((line) => ({ ...line })).sort((a, b) => b.unit_price - a.unit_price);
  return (line) => {
    let rest = line.quantity;
    for (const offered of left) {
      if (!isSameArticle(offered, line) || line.unit_price < offered.unit_price) continue;
      const used = Math.min(offered.quantity, rest);
      offered.quantity -= used;
      rest -= used;
    }
    return rest > 1e-6 ? rest : 0;
  };
}

/** What was offered for one, if it was. */
export function offeredPrice(offer: Offer | undefined, line: Line): number | undefined {
  const prices = (offer?.lines ?? []).filter((one) => isSameArticle(one, line)).map(({ unit_price }) => unit_price);
  return prices.length > 0 ? Math.min(...prices) : undefined;
}

export function isSameArticle(one: Line, other: Line): boolean {
  if (one.product_id !== other.product_id || one.variant_id !== other.variant_id) return false;
  return one.product_id !== null || one.description === other.description;
}
