import { prepared, type Statement } from "../../db/sql.ts";
import { columnOf } from "../../engine/resources/placed.ts";
import type { Change, Stored } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import { firstWarehouse } from "../inventory/find-warehouse.ts";
import { noWarehouse } from "../inventory/stock-levels.ts";
import { products } from "../products/resource.ts";
import { keepsStock } from "../products/with-ledger.ts";
import type { Order } from "./schema.ts";
import { orderStates } from "./states.ts";

/** So much of a product in a warehouse, in thousandths. */
export interface Reserved {
  product_id: string;
  warehouse_id: string;
  milli: number;
}

interface StoredOrder {
  body: Order;
  reserved?: string | null;
}

/** Classes of what is sold without being on a shelf. */
const hasNoStock = new Set(["service_19", "passthrough"]);

/** What accepting an order keeps apart: of the products that keep stock, where the registers of its sede sell from. */
export async function reservationOf(write: Write, order: Order): Promise<Reserved[]> {
  const { client, accountId } = write;
  const found = await write.loadMany(
    products,
    order.items.map(({ product_id }) => product_id),
  );
  const kept = order.items.filter(({ product_id, variant_id, tax_class }) => {
    const product = found.get(product_id);
    return product && variant_id === null && !hasNoStock.has(tax_class) && keepsStock(product.body);
  });
  if (kept.length === 0) return [];
  const place = columnOf(order.location_id, accountId) ?? accountId;
  const { rows } = await client.query<{ id: string; is_open: boolean }>(firstWarehouse(accountId, place));
  const warehouse_id = rows[0]?.is_open ? rows[0].id : noWarehouse;
  const sums = new Map<string, number>();
  for (const { product_id, quantity } of kept)
    sums.set(product_id, (sums.get(product_id) ?? 0) + Math.round(quantity * 1000));
  return Array.from(sums, ([product_id, milli]) => ({ product_id, warehouse_id, milli }));
}

/** What an order keeps apart now. */
export function reservedBy({ body, reserved }: StoredOrder): Reserved[] {
  return orderStates[body.status].reserves && reserved ? (JSON.parse(reserved) as Reserved[]) : [];
}

/** The sums by product and warehouse move with the orders: every write of an order comes by here. */
export function moveReservations(
  accountId: string,
  changes: readonly Change<Stored<Order, { reserved?: string | null }>>[],
): Statement[] {
  const sums = new Map<string, Reserved>();
  const add = (some: readonly Reserved[], sign: 1 | -1) => {
    for (const one of some) {
      const key = `${one.product_id} ${one.warehouse_id}`;
      sums.set(key, { ...one, milli: (sums.get(key)?.milli ?? 0) + sign * one.milli });
    }
  };
  for (const { before, after } of changes) {
    if (before) add(reservedBy(before), -1);
    // A private column that a write does not set stays as it is.
    add(reservedBy({ ...after, reserved: after.reserved ?? before?.reserved ?? null }), 1);
  }
  const moved = [...sums.values()].filter(({ milli }) => milli !== 0);
  if (moved.length === 0) return [];
  return [
    prepared(
      `insert into stock_reservations as s (account_id, product_id, warehouse_id, reserved_milli)
       select $1::uuid, r.product_id, r.warehouse_id, r.milli
       from json_to_recordset($2::json) as r(product_id uuid, warehouse_id uuid, milli bigint)
       on conflict (account_id, product_id, warehouse_id) do update set reserved_milli = s.reserved_milli + excluded.reserved_milli`,
      [accountId, JSON.stringify(moved)],
    ),
  ];
}
