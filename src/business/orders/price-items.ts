import { maxPesos } from "../../engine/resources/fields.ts";
import { type FieldError, validationError } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { must } from "../../lib/must.ts";
import { FiscalError } from "../../taxes/fiscal-error.ts";
import { computeTaxes, type TaxLineInput } from "../../taxes/tax.ts";
import { type FiscalProfile, lineFor } from "../../taxes/tax-classes.ts";
import type { FoundItem } from "./find-items.ts";
import type { Order, OrderItem } from "./schema.ts";

/** What an order asks for besides its items. */
export interface Asked {
  prices: Order["prices"];
  delivery_fee: number;
  discount: number;
  tip: number;
}

export type Amounts = Pick<
  Order,
  "items" | "delivery_fee" | "subtotal" | "discount" | "tax" | "tip" | "total" | "tax_breakdown" | "price_differs"
>;

/** What a business takes for bringing it: a service like any other. */
const deliveryClass = "service_19";

/** One line of the order before its taxes. */
interface PricedLine {
  found: FoundItem;
  /** Of its item in the request, which may be several lines. */
  param: string;
  quantity: number;
  unit_price: number;
  catalog_price: number;
}

/** Prices, taxes and totals, by the functions that a register charges with. */
export function amountsOf(found: readonly FoundItem[], asked: Asked, profile: FiscalProfile, at: Date): Amounts {
  const lines = found.flatMap((one, i) => priceItem(one, asked.prices, profile, at, `items.${i}`));
  const wrong = lines.flatMap(({ found: { item }, param, unit_price }): FieldError[] =>
    (item.discount ?? 0) > unit_price
      ? [{ param: `${param}.discount`, message: `\`${param}.discount\` pasa del precio de una unidad.` }]
      : [],
  );
  if (wrong.length > 0) throw validationError(wrong);
  requireRoom(lines, asked);
  // The prices of an order have their taxes in them, however the business types its own.
  const charged: FiscalProfile = { ...profile, pricesIncludeTax: true };
  const inputs: TaxLineInput[] = lines.map(({ found: { item, product }, quantity, unit_price }) =>
    lineFor({ tax_class: product.tax_class, base_price: unit_price - (item.discount ?? 0) }, quantity, charged, at),
  );
  const fee =
    asked.delivery_fee > 0
      ? [lineFor({ tax_class: deliveryClass, base_price: asked.delivery_fee }, 1, charged, at)]
      : [];
  const taxes = computed(() => computeTaxes({ lines: [...inputs, ...fee], discount: asked.discount, tip: asked.tip }));
  const items = lines.map((line, i): OrderItem => {
    const { found: one, quantity, unit_price, catalog_price } = line;
    const { subtotal, taxes: own } = must(taxes.lines[i], "Every line has its taxes");
    return {
      object: "order_item",
      id: uuidv7(at),
      product_id: one.product.id,
      variant_id: one.variant?.id ?? null,
      description: descriptionOf(one),
      quantity,
      unit_price,
      discount: one.item.discount ?? 0,
      catalog_price,
      price_differs: unit_price !== catalog_price,
      subtotal,
      tax_class: one.product.tax_class,
      taxes: own,
      notes: one.item.notes || null,
    };
  });
  return {
    items,
    delivery_fee: asked.delivery_fee,
    subtotal: taxes.subtotal,
    discount: taxes.discount,
    tax: taxes.tax,
    tip: taxes.tip_amount,
    total: taxes.total,
    tax_breakdown: taxes.tax_breakdown,
    price_differs: items.some(({ price_differs }) => price_differs),
  };
}

/** A register could not charge more than a sale may hold, and its sale would be of another amount. */
function requireRoom(lines: readonly PricedLine[], { delivery_fee, discount, tip }: Asked): void {
  const amounts = lines.map((line) => (line.unit_price - (line.found.item.discount ?? 0)) * line.quantity);
  const large = amounts.findIndex((amount) => amount > maxPesos);
  const goods = amounts.reduce((sum, amount) => sum + amount, 0);
  const tooLarge = [
    [lines[large]?.param, amounts[large] ?? 0],
    ["items", goods],
    ["delivery_fee", goods + delivery_fee],
    ["tip", goods + delivery_fee - discount + tip],
  ] as const;
  for (const [param, amount] of tooLarge)
    if (param !== undefined && Math.round(amount) > maxPesos)
      throw validationError([
        { param, message: `\`${param}\` llega a $${pesos(amount)}: una venta admite hasta $${pesos(maxPesos)}.` },
      ]);
}

const pesos = (amount: number) => Math.round(amount).toLocaleString("es-CO");

function priceItem(
  found: FoundItem,
  prices: Order["prices"],
  profile: FiscalProfile,
  at: Date,
  param: string,
): PricedLine[] {
  const { item, product, variant, pack, quantity } = found;
  if (prices === "current" && item.unit_price !== undefined)
    throw validationError([
      {
        param: `${param}.unit_price`,
        message: `\`${param}.unit_price\` solo se envía con \`prices: "given"\`; con \`current\` el precio es el del negocio.`,
      },
    ]);
  const withTax = (typed: number) =>
    computed(() => lineFor({ tax_class: product.tax_class, base_price: typed }, 1, profile, at).unit_price);
  const unit = withTax(variant?.final_price || product.final_price);
  const count = item.quantity;
  const ours = pack?.price == null ? [{ quantity, price: unit }] : spread(withTax(pack.price) * count, quantity);
  const own = item.unit_price === undefined ? ours : spread(item.unit_price * count, quantity);
  return own.map((part) => ({
    found,
    param,
    quantity: part.quantity,
    unit_price: part.price,
    // A pack's price that does not divide makes lines that differ by a peso; the price of both is the same.
    catalog_price: item.unit_price === undefined ? part.price : must(ours[0], "It has a price").price,
  }));
}

/** Prices are whole pesos for a unit: a total that does not divide is two lines that differ by a peso, as at a register. */
function spread(total: number, quantity: number): { quantity: number; price: number }[] {
  if (!Number.isInteger(quantity)) return [{ quantity, price: Math.round(total / quantity) }];
  const price = Math.floor(total / quantity);
  const dearer = total - price * quantity;
  const rest = { quantity: quantity - dearer, price };
  return dearer === 0 ? [rest] : [rest, { quantity: dearer, price: price + 1 }];
}

function descriptionOf({ product, variant, pack }: FoundItem): string {
  const packed = pack && (pack.name ?? (pack.units === 1 ? undefined : `Caja x${pack.units}`));
  return [product.name, variant?.label, packed].filter((part) => part !== undefined).join(" · ");
}

/** What no register could charge is a mistake of the request. */
function computed<T>(compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    const param = error.field.replace(/^lines\b/, "items");
    throw validationError([{ param, message: `\`${param}\`: ${error.message.replace(/^[^:]*: /, "")}.` }]);
  }
}
