import type { Customer } from "../../business/customers/schema.ts";
import type { StockMovement } from "../../business/inventory/schema.ts";
import type { Invoice } from "../../business/invoices/schema.ts";
import type { Product } from "../../business/products/schema.ts";
import type { Sale, SaleItem } from "../../business/sales/schema.ts";
import { withDocument } from "../../business/sales/summary.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { must } from "../../lib/must.ts";
import { tenPayments } from "../../taxes/means.ts";
import { computeTaxes } from "../../taxes/tax.ts";
import { lineFor } from "../../taxes/tax-classes.ts";
import { issuedDocument } from "./documents.ts";
import { demoIssuer, type Numbering } from "./issuer.ts";
import type { Chance } from "./random.ts";

const { profile } = demoIssuer;

export interface RungUp {
  sale: Sale;
  invoice: Invoice | undefined;
  movements: StockMovement[];
}

/** What a register needs to ring up a sale. */
export interface Till {
  products: readonly Product[];
  customers: readonly Customer[];
  warehouseId: string;
  cashSessionId: string | null;
  numbering: Numbering;
  chance: Chance;
}

/** One sale: the basket, its exact taxes, its document and its stock movements. */
export function ringUp(till: Till, occurredAt: Date, arrivedAt: Date): RungUp {
  const { chance } = till;
  const at = arrivedAt.toISOString();
  const basket = Array.from({ length: chance.between(1, 6) }, () => basketLine(chance.pick(till.products), chance));
  const bags = till.products.find((product) => product.tax_class === "bag");
  if (bags && chance.happens(0.4)) basket.push({ product: bags, quantity: chance.between(1, 2) });
  const lines = basket.map(({ product, quantity }) => lineFor(product, quantity, profile, occurredAt));
  const discountPercent = chance.happens(0.06) ? chance.pick([5, 10]) : 0;
  const taxes = computeTaxes({ lines, discountPercent });
  const cancelled = chance.happens(0.03);
  const customer = chance.happens(0.18) ? chance.pick(till.customers) : undefined;
  const documentKind = customer?.document_type === "NIT" ? "invoice" : "pos";

  const saleId = uuidv7(occurredAt);
  const items = basket.map(
    ({ product, quantity }, i): SaleItem => ({
      object: "sale_item",
      id: uuidv7(occurredAt),
      product_id: product.id,
      variant_id: product.variants[0] ? chance.pick(product.variants).id : null,
      item_kind: "product",
      description: product.name,
      quantity,
      unit_price: must(lines[i], "The line items are the lines").unit_price,
      subtotal: must(taxes.lines[i], "The line items are the lines").subtotal,
      unit_cost: product.unit_cost,
      tax_class: product.tax_class,
      taxes: must(taxes.lines[i], "The line items are the lines").taxes,
    }),
  );
  const sale: Sale = {
    object: "sale",
    id: saleId,
    status: cancelled ? "cancelled" : "completed",
    document_kind: documentKind,
    payment_method: chance.pick(tenPayments),
    customer_id: customer?.id ?? null,
    cash_session_id: till.cashSessionId,
    subtotal: taxes.subtotal,
    discount: taxes.discount,
    discount_percent: discountPercent,
    tax: taxes.tax,
    tip_amount: taxes.tip_amount,
    total: taxes.total,
    tax_breakdown: taxes.tax_breakdown,
    notes: null,
    table_label: null,
    items,
    invoices: [],
    occurred_at: occurredAt.toISOString(),
    created_at: at,
    updated_at: at,
  };
  if (cancelled) return { sale, invoice: undefined, movements: [] };
  const document = {
    kind: documentKind,
    saleId,
    customer,
    amounts: sale,
    issuedAt: occurredAt,
    arrivedAt: at,
  } as const;
  const invoice = issuedDocument(document, till.numbering);
  return { sale: withDocument(sale, invoice), invoice, movements: movementsOf(sale, basket, till.warehouseId, at) };
}

function basketLine(product: Product, chance: Chance): { product: Product; quantity: number } {
  return {
    product,
    quantity: product.sold_by_weight ? chance.between(250, 2500) / 1000 : chance.pick([1, 1, 1, 2, 2, 3]),
  };
}

function movementsOf(
  sale: Sale,
  basket: readonly { product: Product; quantity: number }[],
  warehouseId: string,
  at: string,
): StockMovement[] {
  return basket
    .filter(
      ({ product }) =>
        product.stock !== null && product.tax_class !== "service_19" && product.tax_class !== "passthrough",
    )
    .map(({ product, quantity }) => ({
      object: "stock_movement",
      id: uuidv7(new Date(sale.occurred_at)),
      product_id: product.id,
      variant_id: null,
      warehouse_id: warehouseId,
      type: "sale",
      quantity,
      reason: null,
      reference: null,
      unit_cost: product.unit_cost,
      origin_type: "sale",
      sale_id: sale.id,
      created_at: at,
      updated_at: at,
    }));
}
