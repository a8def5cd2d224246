import { payRefund } from "../../business/cash-sessions/pay-refund.ts";
import type { CashSession } from "../../business/cash-sessions/schema.ts";
import { addEntry } from "../../business/inventory/ledger.ts";
import { type MovementColumns, newEntry } from "../../business/inventory/resource.ts";
import type { StockMovement } from "../../business/inventory/schema.ts";
import type { ProductLedger } from "../../business/products/ledger.ts";
import type { Product } from "../../business/products/schema.ts";
import { keepsStock, withLedger } from "../../business/products/with-ledger.ts";
import type { ReturnColumns } from "../../business/returns/resource.ts";
import type { Return } from "../../business/returns/schema.ts";
import type { SaleColumns } from "../../business/sales/resource.ts";
import type { Sale } from "../../business/sales/schema.ts";
import type { OwnedColumns } from "../../engine/resources/owned-columns.ts";
import type { Stored } from "../../engine/resources/resource.ts";
import { uuidv7 } from "../../lib/ids.ts";
import type { PlannedReturn } from "./plan-return.ts";

export interface NewReturn
  extends Pick<Return, "id" | "reason" | "payment_method" | "cash_session_id" | "occurred_at"> {
  plan: PlannedReturn;
  /** What leaves the drawer; the whole refund unless part of it goes another way. */
  cashAmount: number;
}

/** The records that a return changes besides itself, as they are before it. */
export interface ReturnSurroundings {
  sale: Stored<Sale, SaleColumns>;
  productOf(id: string): Stored<Product, ProductLedger> | undefined;
  warehouseOf(productId: string): string | null;
  session: Stored<CashSession, OwnedColumns> | undefined;
  at: Date;
}

/** Everything that one return stores, so that it happens in one act. */
export interface ReturnEffects {
  record: Stored<Return, ReturnColumns>;
  sale: Stored<Sale, SaleColumns>;
  movements: Stored<StockMovement, MovementColumns>[];
  products: Stored<Product, ProductLedger>[];
  session: Stored<CashSession, OwnedColumns> | undefined;
}

export function effectsOfReturn(made: NewReturn, around: ReturnSurroundings): ReturnEffects {
  const at = around.at.toISOString();
  const { sale, session } = around;
  const { plan, cashAmount, id, reason, payment_method, cash_session_id, occurred_at } = made;
  const { kind, lines, subtotal, discount, tax, tip_amount, total, tax_breakdown } = plan;
  const body: Return = {
    object: "return",
    id,
    sale_id: sale.body.id,
    kind,
    reason,
    payment_method,
    cash_session_id,
    invoice_id: null,
    ...{ subtotal, discount, tax, tip_amount, total, tax_breakdown, lines },
    occurred_at,
    created_at: at,
    updated_at: at,
  };
  const settled = new Set([...(sale.settled ?? []), "returned" as const]);
  return {
    record: { body, cash_amount: cashAmount },
    sale: { ...sale, settled: [...settled], body: { ...sale.body, updated_at: at } },
    ...putBack(body, around),
    // What was not paid in cash leaves the shift as it was: storing it again would give it a place without an instant.
    session: session && cashAmount !== 0 ? { ...session, body: payRefund(session.body, cashAmount, at) } : undefined,
  };
}

/** Classes of what is sold without being on a shelf. */
const hasNoStock = new Set(["service_19", "passthrough"]);

/** What was returned is in stock again. Variants keep no stock, and a composite product's ingredients were used up. */
function putBack(
  { sale_id, lines, reason, created_at, occurred_at }: Return,
  { productOf, warehouseOf, at }: ReturnSurroundings,
): Pick<ReturnEffects, "movements" | "products"> {
  const changed = new Map<string, Stored<Product, ProductLedger>>();
  const movements = lines.flatMap(({ product_id, variant_id, quantity, tax_class }) => {
    const product = product_id === null ? undefined : (changed.get(product_id) ?? productOf(product_id));
    const isStocked = variant_id === null && !hasNoStock.has(tax_class) && (!product || keepsStock(product.body));
    if (product_id === null || !isStocked) return [];
    const entry = newEntry(
      {
        object: "stock_movement",
        id: uuidv7(at),
        product_id,
        variant_id: null,
        warehouse_id: warehouseOf(product_id),
        type: "return",
        quantity: Math.round(quantity * 1000) / 1000,
        reason,
        reference: null,
        unit_cost: null,
        origin_type: "return",
        sale_id,
        created_at,
        updated_at: created_at,
      },
      { from_api: true, made_us: Math.min(Date.parse(occurred_at), at.getTime()) * 1000 },
    );
    if (product) {
      const ledger = addEntry(product, entry);
      changed.set(product_id, { ...ledger, body: withLedger({ ...product.body, updated_at: created_at }, ledger) });
    }
    return [entry];
  });
  return { movements, products: [...changed.values()] };
}
