import { equal } from "../../engine/resources/filters.ts";
import { keyText } from "../../engine/resources/key-text.ts";
import type { Condition } from "../../engine/resources/list-sql.ts";
import { atLocation, locationColumn } from "../../engine/resources/placed.ts";
import { defineResource, type Stored } from "../../engine/resources/resource.ts";
import { deltaMilli, usOf } from "./ledger.ts";
import { MovementQuery, StockMovement, Warehouse, WarehouseQuery } from "./schema.ts";

/**
 * wanted_warehouse_id: the warehouse that an upload named before the warehouse itself arrived. delta_milli: what the entry
 * added to the stock when it arrived. It is stored, not derived: recognizing another type later must not change old stock.
 */
export interface MovementColumns {
  from_api: boolean;
  delta_milli: number;
  /**
   * When it happened, in millionths of a second: what goods cost goes along that. A register's entry keeps its place among those that it
   * made in the same thousandth.
   */
  made_us?: number | null;
  /** What a later act says that it cost, in place of what it says. */
  corrected_cost?: string | null;
  wanted_warehouse_id?: string | null;
}

const inventory = { name: "Inventario", text: "Movimientos, que solo se agregan y nunca se editan, y bodegas." };

export const stockMovements = defineResource<StockMovement, MovementColumns>({
  name: "stock_movement",
  table: "stock_movements",
  path: "/inventory/movements",
  scope: "inventory",
  tag: inventory,
  spanish: { one: "un movimiento de inventario", many: "movimientos de inventario" },
  schema: StockMovement,
  query: MovementQuery,
  derived: {
    product_id: { type: "uuid", from: (body) => body.product_id },
    warehouse_id: { type: "uuid", from: (body) => body.warehouse_id },
    type: { type: "text", from: (body) => keyText(body.type) },
    sale_id: { type: "uuid", from: (body) => body.sale_id },
    ...locationColumn,
  },
  private: {
    ...{ from_api: "boolean", delta_milli: "bigint", wanted_warehouse_id: "uuid" },
    ...{ made_us: "bigint", corrected_cost: "numeric" },
  },
  feed: { includes: (record) => record.from_api, condition: "from_api" },
  conditions: (query: MovementQuery, _now: Date, accountId: string) => [
    ...atLocation(query.location_id, accountId),
    ...equal("product_id", query.product_id),
    ...equal("warehouse_id", query.warehouse_id),
    ...equal("type", query.type),
  ],
});

/** A new ledger entry with its effect on the stock. What is not told when it happened happens now. */
export function newEntry(
  body: StockMovement,
  origin: Omit<MovementColumns, "delta_milli">,
): Stored<StockMovement, MovementColumns> & { made_us: number } {
  return { body, ...origin, delta_milli: deltaMilli(body), made_us: origin.made_us ?? usOf(body.created_at) };
}

/** Those of the whole business are of no sede. */
function ofLocation(locationId: string | undefined, accountId: string): Condition[] {
  const conditions = atLocation(locationId, accountId);
  return conditions.length === 0 ? [] : [...conditions, { sql: "is_shared is not true", values: [] }];
}

export const warehouses = defineResource<Warehouse>({
  name: "warehouse",
  table: "warehouses",
  path: "/warehouses",
  scope: "inventory",
  tag: inventory,
  spanish: { one: "una bodega", many: "bodegas" },
  schema: Warehouse,
  query: WarehouseQuery,
  derived: {
    is_default: { type: "boolean", from: (body) => body.is_default },
    active: { type: "boolean", from: (body) => body.active },
    ...locationColumn,
    is_shared: { type: "boolean", from: (body) => (body.location_id === null ? true : null) },
  },
  private: {},
  merged: { needs: ["name"], defaults: { name: "", address: null, city: null, is_default: false, active: true } },
  conditions: (query: WarehouseQuery, _now: Date, accountId: string) => [
    { sql: "deleted_at is null", values: [] },
    ...equal("active", query.active),
    ...ofLocation(query.location_id, accountId),
  ],
});
