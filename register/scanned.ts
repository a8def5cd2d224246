import { readScaleLabel, type ScaleLabel } from "../src/lib/scale-label.ts";
import { computeTaxes } from "../src/taxes/tax.ts";
import { type FiscalProfile, lineFor } from "../src/taxes/tax-classes.ts";
import { type BusinessInfo, profileOf } from "./business.ts";
import type { Catalog, CatalogBarcode, CatalogProduct, CatalogVariant } from "./catalog.ts";
import { rounded } from "./stock-level.ts";
import { lineOf, type TicketLine } from "./ticket.ts";

/** What a code means: a product, maybe a variant or a pack of it, or as much of it as a scale's label says. */
export interface Scanned {
  product: CatalogProduct;
  variant?: CatalogVariant;
  pack?: CatalogBarcode;
  label?: Pick<ScaleLabel, "kind" | "value">;
}

/** A code that the shop has given to a product is that product's; only then it may be a label of a scale. */
export function findScanned(catalog: Catalog, business: BusinessInfo, code: string): Scanned | undefined {
  const found = catalog.byCode(code);
  if (found) return found;
  const label = readScaleLabel(code.trim(), business.scale_labels);
  if (!label) return undefined;
  const article = spellings(label.article).flatMap((one) => catalog.byCode(one) ?? [])[0];
  return article && { product: article.product, ...(article.variant && { variant: article.variant }), label };
}

/** With its zeros in front, with fewer of them, and without. */
function spellings(article: string): string[] {
  const bare = article.replace(/^0+(?=.)/, "");
  return Array.from({ length: article.length - bare.length + 1 }, (_, i) => article.slice(i));
}

/** Whether it is sold in such amounts: pieces only whole, and never by the weight on a label. */
export function isCountable({ product, label }: Scanned, count: number): boolean {
  return product.sold_by_weight || (label?.kind !== "weight" && Number.isInteger(count));
}

/** How many of its unit a count of it is: 5 packs of 24 are 120. */
export function unitsOf({ product, pack, label }: Scanned, count: number): number {
  if (label?.kind === "weight") return rounded((label.value / gramsPer(product.base_unit)) * count);
  return (pack?.units ?? 1) * count;
}

export function packName({ units, name }: CatalogBarcode): string | undefined {
  return name ?? (units === 1 ? undefined : `Caja x${units.toLocaleString("es-CO")}`);
}

/** A pack, or goods from a scale: nothing is left to ask about how much it is. */
export function isMeasured({ pack, label }: Scanned): boolean {
  return label !== undefined || (pack !== undefined && pack.units !== 1);
}

/**
 * The lines that sell so many of it. Prices are whole pesos for a unit, so a pack's own price is spread over one line or, where
 * it does not divide, over two that differ by a peso: together they are the pack's price, and the stock goes down by its units.
 */
export function linesOf(
  scanned: Scanned,
  count: number,
  { business, at, newId }: { business: BusinessInfo; at: Date; newId: () => string },
): TicketLine[] {
  const { product, variant, pack, label } = scanned;
  const units = unitsOf(scanned, count);
  const line = lineOf(newId(), product, units, variant);
  const name = pack && packName(pack);
  const named = name === undefined ? line : { ...line, description: `${line.description} · ${name}` };
  const profile = profileOf(business);
  if (label?.kind === "price")
    return [
      product.sold_by_weight
        ? pricedLine(line, label.value * count, profile, at)
        : repricedLine(line, label.value, profile, at),
    ];
  if (pack?.price === undefined || pack.price === null) return [named];
  const total = withTax(named, pack.price, profile, at) * count;
  return spread({ ...named, includes_tax: true }, total, newId);
}

function spread(line: TicketLine, total: number, newId: () => string): TicketLine[] {
  if (!Number.isInteger(line.quantity)) return [{ ...line, price: Math.round(total / line.quantity) }];
  const price = Math.floor(total / line.quantity);
  const dearer = total - price * line.quantity;
  const rest = { ...line, price, quantity: line.quantity - dearer };
  return dearer === 0 ? [rest] : [rest, { ...line, id: newId(), price: price + 1, quantity: dearer }];
}

/** A piece costs what its label says. Where that is not its price, somebody changes prices: it takes the right to. */
function repricedLine(line: TicketLine, pesos: number, profile: FiscalProfile, at: Date): TicketLine {
  const price = withTax(line, line.price, profile, at);
  const isChanged = price > 0 && price !== pesos;
  return { ...line, includes_tax: true, price: pesos, ...(isChanged && { priced_from: price }) };
}

/** What is weighed costs what its label says: its weight follows from that, with as many decimals as the peso needs. */
function pricedLine(line: TicketLine, pesos: number, profile: FiscalProfile, at: Date): TicketLine {
  const priced: TicketLine = { ...line, includes_tax: true };
  const price = withTax(line, line.price, profile, at);
  const weigh = (decimals: number) => Number((pesos / price).toFixed(decimals));
  const isExact = (quantity: number, unit: number) =>
    quantity > 0 && computeTaxes({ lines: [{ quantity, unit_price: unit, taxes: [] }] }).subtotal === pesos;
  const quantity = price > 0 ? [3, 4, 5, 6].map(weigh).find((one) => isExact(one, price)) : undefined;
  if (quantity !== undefined) return { ...priced, price, quantity };
  // Dearer than a million a kilo, or without a price: the price of its unit gives way instead.
  return price > 0 && weigh(6) > 0
    ? { ...priced, quantity: weigh(6), price: Math.round(pesos / weigh(6)) }
    : { ...priced, quantity: 1, price: pesos };
}

/** As a customer pays it, however the business types its prices. */
export function withTax(line: TicketLine, price: number, profile: FiscalProfile, at: Date): number {
  try {
    return lineFor({ tax_class: line.tax_class, base_price: price }, 1, profile, at).unit_price;
  } catch {
    // A tax that this register does not know is told when the ticket is added up.
    return price;
  }
}

/** A pound is what a Colombian shop sells as one: 500 g. */
const grams: Readonly<Record<string, number>> = { g: 1, kg: 1000, lb: 500, oz: 31.25 };

function gramsPer(unit: string): number {
  return grams[unit] ?? 1000;
}
