import type { Stored } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import { uuidv7 } from "../../lib/ids.ts";
import type { ProductLedger } from "../products/ledger.ts";
import { products } from "../products/resource.ts";
import type { Product } from "../products/schema.ts";
import { withLedger } from "../products/with-ledger.ts";
import { addEntry } from "./ledger.ts";
import { newEntry, stockMovements } from "./resource.ts";
import type { StockMovement } from "./schema.ts";

export interface Entry {
  warehouse_id: string | null;
  location_id?: string;
  type: string;
  quantity: number;
  unit_cost: number | null;
  reason?: string | null;
  reference?: string | null;
  origin_type?: string | null;
}

/** Appends an entry made through the API and updates the product's stock. The caller decides when to emit its event. */
export function recordMovement(
  write: Write,
  product: Stored<Product, ProductLedger>,
  entry: Entry,
): { movement: StockMovement; product: Stored<Product, ProductLedger>; emitCreated: () => void } {
  const at = write.at.toISOString();
  const movement: StockMovement = {
    object: "stock_movement",
    id: uuidv7(write.at),
    product_id: product.body.id,
    variant_id: null,
    warehouse_id: entry.warehouse_id,
    type: entry.type,
    quantity: entry.quantity,
    reason: entry.reason ?? null,
    reference: entry.reference ?? null,
    unit_cost: entry.unit_cost,
    origin_type: entry.origin_type ?? null,
    sale_id: null,
    created_at: at,
    updated_at: at,
    ...(entry.location_id !== undefined && { location_id: entry.location_id }),
  };
  const stored = newEntry(movement, { from_api: true });
  const ledger = addEntry(product, stored);
  const moved = { ...ledger, body: withLedger({ ...product.body, updated_at: at }, ledger) };
  write.put(stockMovements, stored);
  write.put(products, moved);
  return { movement, product: moved, emitCreated: () => write.emit("inventory.movement.created", movement) };
}
