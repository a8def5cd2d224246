import { randomUUID } from "node:crypto";
import type { CatalogProduct } from "../register/catalog.ts";
import { movementDraft } from "../register/sale.ts";
import { movesStock } from "../register/ticket.ts";
import { tenPayments } from "../src/taxes/means.ts";
import { computeTaxes } from "../src/taxes/tax.ts";
import { lineFor } from "../src/taxes/tax-classes.ts";
import type { Chance } from "./chance.ts";
import type { Draft } from "./register.ts";

/** A shop that charges IVA and has it in its prices. */
export const profile = { regime: "iva", pricesIncludeTax: true } as const;

export interface Counter {
  products: readonly CatalogProduct[];
  customerIds: readonly string[];
  warehouseId: string | null;
  cashSessionId: string | null;
  chance: Chance;
}

export interface Sold {
  id: string;
  data: { status: string; payment_method: string; total: number; [field: string]: unknown };
  movements: Draft[];
}

interface BasketLine {
  product: CatalogProduct;
  quantity: number;
}

/** A random sale with weighed goods, bags, discounts and tips, its taxes computed to the peso. */
export function sell({ products, customerIds, warehouseId, cashSessionId, chance }: Counter, at: Date): Sold {
  const basket: BasketLine[] = Array.from({ length: chance.between(1, 6) }, () => {
    const product = chance.pick(products);
    return { product, quantity: product.sold_by_weight ? chance.between(250, 2500) / 1000 : chance.pick([1, 1, 2, 3]) };
  });
  const lines = basket.map(({ product, quantity }) => lineFor(product, quantity, profile, at));
  const discountPercent = chance.happens(0.06) ? chance.pick([5, 10]) : 0;
  const tip = chance.happens(0.1) ? chance.between(1, 5) * 1000 : 0;
  const taxes = computeTaxes({ lines, discountPercent, tip });
  const id = randomUUID();
  const data = {
    status: "completed",
    document_kind: "pos",
    payment_method: chance.pick(tenPayments),
    customer_id: customerIds.length > 0 && chance.happens(0.18) ? chance.pick(customerIds) : null,
    cash_session_id: cashSessionId,
    subtotal: taxes.subtotal,
    discount: taxes.discount,
    discount_percent: discountPercent,
    tax: taxes.tax,
    tip_amount: taxes.tip_amount,
    total: taxes.total,
    tax_breakdown: taxes.tax_breakdown,
    notes: null,
    table_label: null,
    items: basket.map(({ product, quantity }, i) => ({
      id: randomUUID(),
      product_id: product.id,
      variant_id: product.variants.length > 0 ? chance.pick(product.variants).id : null,
      item_kind: "product",
      description: product.name,
      quantity,
      unit_price: lines[i]!.unit_price,
      subtotal: taxes.lines[i]!.subtotal,
      unit_cost: null,
      tax_class: product.tax_class,
      taxes: taxes.lines[i]!.taxes,
    })),
    occurred_at: at.toISOString(),
  };
  const stocked = basket.filter(({ product }) => movesStock(product));
  const movements = stocked.map(({ product, quantity }) => movement(product.id, warehouseId, "sale", quantity, id));
  return { id, data, movements };
}

export function movement(
  productId: string,
  warehouseId: string | null,
  type: string,
  quantity: number,
  saleId: string | null,
  unitCost: number | null = null,
): Draft {
  const origin_type = saleId === null ? "purchase" : type === "sale" ? "sale" : "reversal";
  const fields = { product_id: productId, quantity, type, origin_type, sale_id: saleId, warehouseId };
  return movementDraft(randomUUID(), { ...fields, unit_cost: unitCost });
}
