import { orders } from "../../../../business/orders/resource.ts";
import type { Order } from "../../../../business/orders/schema.ts";
import { openStatuses } from "../../../../business/orders/states.ts";
import type { ServedDeps } from "../../../../deps.ts";
import { allOf, since, until } from "../../../../engine/resources/filters.ts";
import { atLocations } from "../../../../engine/resources/placed.ts";
import { type Condition, readList } from "../../../../engine/resources/read-list.ts";
import { readOne } from "../../../../engine/resources/read-one.ts";
import { foldText, searchPattern } from "../../../../engine/search/search-text.ts";
import type { Position } from "../../../../lib/cursor.ts";
import { ApiError } from "../../../../lib/errors.ts";
import { must } from "../../../../lib/must.ts";
import type { Asked } from "../../lists/list.ts";
import type { ListedOrder, orderList } from "../../lists/orders.ts";
import type { OfSedes } from "../../tables/sedes.ts";

export type OrderRow = ListedOrder & { lines: number };

type OrderFilters = Asked<typeof orderList.filters> & OfSedes;

export async function readOrders(
  deps: ServedDeps,
  accountId: string,
  query: OrderFilters,
  limit: number,
  after: Position | undefined,
): Promise<OrderRow[]> {
  const conditions = conditionsOf(accountId, query, deps.clock.now());
  const { rows } = await readList(deps, { table: "orders", accountId, conditions, order: "desc", limit, after });
  return rows.map(([, , , body]) => {
    const { object: _, items, ...order } = JSON.parse(body) as Order;
    return { ...order, created_at: new Date(order.created_at), lines: items.length };
  });
}

function conditionsOf(accountId: string, query: OrderFilters, now: Date): Condition[] {
  return [
    ...since("created_at", query.created_since),
    ...until("created_at", query.created_until),
    ...orders.conditions(query as never, now, accountId),
    ...atLocations(query.location_ids ?? null, accountId),
    ...orderNamed(query.q),
  ];
}

/** By its number here or there, or by who ordered. */
export function orderNamed(q: string | undefined): Condition[] {
  if (q === undefined) return [];
  return [
    {
      sql: `(number::text = ? or external_id = ?
        or translate(lower(body -> 'contact' ->> 'name'), 'áéíóúüñ', 'aeiouun') like ?)`,
      values: [q.trim(), q.trim(), searchPattern(foldText(q))],
      varies: true,
    },
  ];
}

const isOpenText = openStatuses.map((status) => `'${status}'`).join(", ");

export interface OrderTotals {
  count: number;
  /** Of those that were handed over. */
  total: number;
  open: number;
}

export async function readOrderTotals(deps: ServedDeps, accountId: string, query: OrderFilters): Promise<OrderTotals> {
  const values: unknown[] = [accountId];
  const filtered = allOf(conditionsOf(accountId, query, deps.clock.now()), values);
  const { rows } = await deps.pool.query<OrderTotals>({
    text: `select count(*)::int as count, count(*) filter (where status in (${isOpenText}))::int as open,
        coalesce(sum((body ->> 'total')::bigint) filter (where status = 'completed'), 0)::bigint as total from orders
      where account_id = $1 ${filtered && `and ${filtered}`}`,
    values,
  });
  return must(rows[0], "A sum has a row");
}

export async function readOrder(deps: ServedDeps, accountId: string, id: string): Promise<{ order: Order }> {
  const row = await readOne(deps.reads, orders, accountId, id, false);
  if (!row) throw noSuchOrder();
  return { order: JSON.parse(row.body) as Order };
}

export function noSuchOrder(): ApiError {
  return new ApiError("NOT_FOUND", { param: "id", message: "No existe este pedido en el negocio. Vuelva a la lista." });
}
