import type { Static } from "typebox";
import { sql } from "../../db/sql.ts";
import { constant, nullable, uuid } from "../../engine/resources/fields.ts";
import { columnOf } from "../../engine/resources/placed.ts";
import type { Write } from "../../engine/writing/write.ts";
import { Type } from "../../lib/schema.ts";
import { firstWarehouse } from "../inventory/find-warehouse.ts";
import { products } from "../products/resource.ts";
import { keepsStock } from "../products/with-ledger.ts";
import { exampleOrder } from "./example.ts";
import type { OrderPreviewBody } from "./new-order.ts";
import { computeOrder, readFulfilment } from "./operations.ts";
import { placeOf } from "./place-of.ts";
import { OrderItem, orderAmounts } from "./schema.ts";

const { id: _id, ...itemFields } = OrderItem.properties;
const PreviewItem = Type.Object(
  { ...itemFields, object: constant("order_preview_item") },
  { $id: "order_preview_item" },
);

const Availability = Type.Object(
  {
    product_id: uuid(),
    requested: Type.Number({ description: "Lo que piden todas las líneas de este producto." }),
    available: nullable(
      Type.Number({
        description: "Existencias de la bodega de la sede menos lo apartado; `null` si no lleva existencias.",
      }),
    ),
    is_enough: Type.Boolean({ description: "`true` si alcanza, o si no lleva existencias." }),
  },
  { $id: "order_availability" },
);

export const OrderPreview = Type.Object(
  {
    object: constant("order_preview"),
    location_id: uuid({ description: "La sede que lo recibiría." }),
    items: Type.Array(PreviewItem),
    ...orderAmounts,
    availability: Type.Array(Availability, { description: "Por producto, en la bodega de esa sede." }),
  },
  {
    $id: "order_preview",
    examples: [
      {
        object: "order_preview",
        location_id: exampleOrder.location_id,
        items: exampleOrder.items.map(({ id, ...item }) => ({ ...item, object: "order_preview_item" })),
        delivery_fee: 0,
        subtotal: 6400,
        discount: 0,
        tax: 1022,
        tip: 0,
        total: 6400,
        tax_breakdown: exampleOrder.tax_breakdown,
        price_differs: false,
        availability: [{ product_id: exampleOrder.items[0]?.product_id, requested: 2, available: 46, is_enough: true }],
      },
    ],
  },
);
export type OrderPreview = Static<typeof OrderPreview>;

/** What the order would cost and where it would go. The sums of the stock have been brought up to date before. */
export async function previewOrder(write: Write, input: OrderPreviewBody): Promise<OrderPreview> {
  const location_id = await placeOf(write, input.location_id, readFulfilment(input.fulfilment));
  const { items, ...amounts } = await computeOrder(write, input);
  return {
    object: "order_preview",
    location_id,
    items: items.map(({ id, ...item }) => ({ ...item, object: "order_preview_item" })),
    ...amounts,
    availability: await availabilityOf(write, location_id, items),
  };
}

async function availabilityOf(
  write: Write,
  locationId: string,
  items: readonly OrderItem[],
): Promise<OrderPreview["availability"]> {
  const { client, accountId } = write;
  const requested = new Map<string, number>();
  for (const { product_id, quantity } of items)
    requested.set(product_id, (requested.get(product_id) ?? 0) + Math.round(quantity * 1000));
  const found = await write.loadMany(products, [...requested.keys()]);
  const place = columnOf(locationId, accountId) ?? accountId;
  const { rows: houses } = await client.query<{ id: string }>(firstWarehouse(accountId, place));
  const { rows } = await client.query<{ product_id: string; milli: number }>(sql`
    select p.id as product_id,
      coalesce((select stock_milli from stock_levels l where l.account_id = ${accountId} and l.product_id = p.id
        and l.warehouse_id = ${houses[0]?.id ?? null}), 0)
      - coalesce((select reserved_milli from stock_reservations r where r.account_id = ${accountId} and r.product_id = p.id
        and r.warehouse_id = ${houses[0]?.id ?? null}), 0) as milli
    from products p where p.account_id = ${accountId} and p.id = any(${[...requested.keys()]}::uuid[])`);
  const free = new Map(rows.map(({ product_id, milli }) => [product_id, Number(milli)]));
  return Array.from(requested, ([product_id, milli]) => {
    const product = found.get(product_id);
    const available = product && keepsStock(product.body) ? (free.get(product_id) ?? 0) : null;
    return {
      product_id,
      requested: milli / 1000,
      available: available === null ? null : available / 1000,
      is_enough: available === null || available >= milli,
    };
  });
}
