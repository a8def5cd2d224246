import type { Customer } from "../../business/customers/schema.ts";
import type { Product } from "../../business/products/schema.ts";
import type { Quote, QuoteItem } from "../../business/quotes/schema.ts";
import { day } from "../../lib/clock.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { must } from "../../lib/must.ts";
import { computeTaxes } from "../../taxes/tax.ts";
import { lineFor } from "../../taxes/tax-classes.ts";
import type { Chance } from "./random.ts";

const statuses = ["draft", "sent", "sent", "accepted", "rejected"] as const;

/** A quote for a company that buys by the box. */
export function draftQuote(
  products: readonly Product[],
  customers: readonly Customer[],
  number: number,
  at: Date,
  chance: Chance,
): Quote {
  const customer = chance.pick(customers.filter((one) => one.person_type === "company"));
  const basket = Array.from({ length: chance.between(2, 5) }, () => ({
    product: chance.pick(products),
    quantity: chance.between(1, 8) * 6,
  }));
  const lines = basket.map(({ product, quantity }) =>
    lineFor(product, quantity, { regime: "iva", pricesIncludeTax: true }, at),
  );
  const discountPercent = chance.pick([0, 0, 3, 5]);
  const taxes = computeTaxes({ lines, discountPercent });
  const status = chance.pick(statuses);
  const instant = at.toISOString();
  return {
    object: "quote",
    id: uuidv7(at),
    prefix: "COT",
    number,
    status,
    customer_id: customer.id,
    customer_name: customer.name,
    subtotal: taxes.subtotal,
    discount: taxes.discount,
    discount_percent: discountPercent,
    tax: taxes.tax,
    total: taxes.total,
    tax_breakdown: taxes.tax_breakdown,
    notes: chance.happens(0.3) ? "Entrega incluida en el barrio" : null,
    items: basket.map(
      ({ product, quantity }, i): QuoteItem => ({
        object: "quote_item",
        id: uuidv7(at),
        product_id: product.id,
        variant_id: null,
        item_kind: "product",
        description: product.name,
        quantity,
        unit_price: must(lines[i], "The line items are the lines").unit_price,
        subtotal: must(taxes.lines[i], "The line items are the lines").subtotal,
        discount_percent: 0,
        tax_class: product.tax_class,
        taxes: must(taxes.lines[i], "The line items are the lines").taxes,
      }),
    ),
    sale_id: null,
    issued_at: instant,
    expires_at: new Date(at.getTime() + 15 * day).toISOString(),
    sent_at: status === "draft" ? null : instant,
    accepted_at: status === "accepted" ? instant : null,
    rejected_at: status === "rejected" ? instant : null,
    converted_at: null,
    created_at: instant,
    updated_at: instant,
  };
}
