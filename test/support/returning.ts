import { randomUUID } from "node:crypto";
import type { Invoice } from "../../src/business/invoices/schema.ts";
import type { Sale } from "../../src/business/sales/schema.ts";
import { authorityFor } from "../../src/fiscal/authority/authority-for.ts";
import { fiscalWorker } from "../../src/fiscal/documents/worker.ts";
import { second } from "../../src/lib/clock.ts";
import { computeTaxes, type TaxRule } from "../../src/taxes/tax.ts";
import { bagTax, iva } from "../../src/taxes/tax-classes.ts";
import { advance, documentsOf, fiscalBusiness } from "./fiscal.ts";
import { perTest, verifiedService } from "./fixtures.ts";
import { openAgain } from "./portal.ts";
import { cashSessionBody, productBody, saleBody, saleItemBody, warehouseBody } from "./records.ts";
import { ableToReturn, enrol, type Till, upload } from "./register.ts";

export interface Basket {
  quantity: number;
  unit_price: number;
  taxes?: TaxRule[];
  tax_class?: string;
  product_id?: string | null;
}

/** A completed sale of these lines, with its taxes computed to the peso, as a register uploads it. */
export function saleOf(lines: Basket[], fields: Partial<Sale> = {}, discount = 0, tip = 0): Sale {
  const at = new Date().toISOString();
  const inputs = lines.map(({ quantity, unit_price, taxes = [iva(19)] }) => ({ quantity, unit_price, taxes }));
  const computed = computeTaxes({ lines: inputs, discount, tip });
  const { subtotal, tax, tip_amount, total, tax_breakdown } = computed;
  const items = lines.map(({ quantity, unit_price, product_id = null, tax_class = "standard" }, i) => {
    const { subtotal, taxes } = computed.lines[i]!;
    return saleItemBody({ quantity, unit_price, product_id, tax_class, subtotal, taxes });
  });
  return saleBody(at, { subtotal, discount, tax, tip_amount, total, tax_breakdown, items, ...fields });
}

export const bag = bagTax(73);

/** For each test: a shop that issues documents, its owner, two registers, a shift and a product in stock. */
export function returningShop() {
  const service = verifiedService();
  const shop = perTest(() => fiscalBusiness(service));
  const owner = perTest(() => openAgain(service, shop, ""));
  const till = perTest(() => enrol(service, shop.accountId, { capabilities: ableToReturn }));
  const other = perTest(() => enrol(service, shop.accountId, { name: "Caja 2", capabilities: ableToReturn }));
  const worker = perTest(() => fiscalWorker(service.deps, authorityFor(service.deps)));

  /** Gives the authority the time it takes to decide everything, notes of notes included. */
  async function decide(): Promise<void> {
    for (let i = 0; i < 8; i++) {
      await worker.workOff();
      advance(service, 1.5 * second);
    }
    await worker.workOff();
  }

  /** A product with 100 units in a warehouse, and an open shift. */
  async function stock() {
    const at = new Date().toISOString();
    const warehouse = warehouseBody(at);
    const product = productBody(at);
    const shift = cashSessionBody(at);
    await till.put("warehouse", upload(warehouse));
    await till.put("product", upload(product));
    await till.put("stock_movement", {
      product_id: product.id,
      warehouse_id: warehouse.id,
      type: "in",
      quantity: 100,
      unit_cost: 2000,
    });
    await till.put("cash_session", upload(shift));
    return { product, warehouse, shift };
  }

  /** Rings up a sale at a register, its stock movements included. */
  async function sell(sale: Sale, at: Till = till): Promise<Sale> {
    const moved = sale.items.flatMap(({ product_id, quantity }) =>
      product_id
        ? [{ product_id, type: "sale", quantity, origin_type: "sale", sale_id: sale.id, warehouse_id: null }]
        : [],
    );
    await at.push([
      { type: "sale", id: sale.id, data: upload(sale) },
      ...moved.map((data) => ({ type: "stock_movement", data })),
    ]);
    return sale;
  }

  const documents = (saleId: string): Promise<Invoice[]> => documentsOf(service, shop.accountId, saleId);
  const read = async (path: string) => (await shop.api.get(path)).body;
  const returnsOf = async (saleId: string) => (await read(`/returns?sale_id=${saleId}`)).data.toReversed();

  return { service, shop, owner, till, other, worker, decide, stock, sell, documents, read, returnsOf };
}

/** A return as a register uploads it. */
export function returnOf(sale: Sale, quantities: (number | undefined)[], fields: object = {}) {
  const lines = quantities.flatMap((quantity, i) => (quantity ? [{ item_id: sale.items[i]!.id, quantity }] : []));
  const occurred_at = new Date().toISOString();
  return { id: randomUUID(), sale_id: sale.id, lines, payment_method: "CARD", reason: null, occurred_at, ...fields };
}
