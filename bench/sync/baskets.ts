import { randomUUID } from "node:crypto";
import { computeTaxes } from "../../src/taxes/tax.ts";
import { lineFor } from "../../src/taxes/tax-classes.ts";

export interface BenchProduct {
  id: string;
  name: string;
  base_price: number;
  tax_class: string;
}

export const salesPerBatch = 50;
const linesPerSale = 3;
export const productCount = 40;

export function makeProducts(): BenchProduct[] {
  return Array.from({ length: productCount }, (_, i) => ({
    id: randomUUID(),
    name: `Producto ${i}`,
    base_price: 1000 + 150 * i,
    tax_class: ["standard", "reduced_5", "exempt", "excluded"][i % 4]!,
  }));
}

export interface BenchRecord {
  type: "sale" | "stock_movement";
  id: string;
  data: Record<string, unknown>;
}

/** Fifty sales with three lines each and their stock movements: two hundred records, as a register uploads them. */
export function makeBatch(products: readonly BenchProduct[], at: Date): BenchRecord[] {
  return Array.from({ length: salesPerBatch }, (): BenchRecord[] => {
    const basket = Array.from({ length: linesPerSale }, () => products[Math.floor(Math.random() * products.length)]!);
    const lines = basket.map((product) => lineFor(product, 2, { regime: "iva", pricesIncludeTax: true }, at));
    const taxes = computeTaxes({ lines });
    const id = randomUUID();
    const sale: BenchRecord = {
      type: "sale",
      id,
      data: {
        status: "completed",
        document_kind: "pos",
        payment_method: "CASH",
        customer_id: null,
        cash_session_id: null,
        subtotal: taxes.subtotal,
        discount: 0,
        discount_percent: 0,
        tax: taxes.tax,
        tip_amount: 0,
        total: taxes.total,
        tax_breakdown: taxes.tax_breakdown,
        notes: null,
        table_label: null,
        items: basket.map((product, i) => ({
          id: randomUUID(),
          product_id: product.id,
          variant_id: null,
          item_kind: "product",
          description: product.name,
          quantity: 2,
          unit_price: lines[i]!.unit_price,
          subtotal: taxes.lines[i]!.subtotal,
          unit_cost: 700,
          tax_class: product.tax_class,
          taxes: taxes.lines[i]!.taxes,
        })),
        occurred_at: at.toISOString(),
      },
    };
    const movements = basket.map(
      (product): BenchRecord => ({
        type: "stock_movement",
        id: randomUUID(),
        data: {
          product_id: product.id,
          variant_id: null,
          warehouse_id: null,
          type: "sale",
          quantity: 2,
          reason: null,
          reference: null,
          unit_cost: 700,
          origin_type: "sale",
          sale_id: id,
        },
      }),
    );
    return [sale, ...movements];
  }).flat();
}
