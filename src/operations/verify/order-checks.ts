import { openStatuses, orderStates, orderStatuses, reservingStatuses } from "../../business/orders/states.ts";

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(", ");
const endedStatuses = orderStatuses.filter((status) => orderStates[status].isEnd);

/** Invariants of orders. Each query returns the violations as `where`. */
export const orderChecks: readonly { problem: string; text: string }[] = [
  {
    problem: "lo apartado no es la suma de los pedidos aceptados",
    text: `select format('producto %s, bodega %s: %s ≠ %s', product_id, warehouse_id, coalesce(kept.milli, 0), coalesce(wanted.milli, 0)) as "where"
      from (select account_id, product_id, warehouse_id, reserved_milli as milli from stock_reservations) kept
      full join (
        select o.account_id, r.product_id, r.warehouse_id, sum(r.milli) as milli
        from orders o, json_to_recordset(o.reserved::json) as r(product_id uuid, warehouse_id uuid, milli bigint)
        where o.status in (${quoted(reservingStatuses)}) and o.reserved is not null group by 1, 2, 3
      ) wanted using (account_id, product_id, warehouse_id)
      where coalesce(kept.milli, 0) <> coalesce(wanted.milli, 0)`,
  },
  {
    problem: "un pedido aceptado no dice qué apartó",
    text: `select format('%s', id) as "where" from orders where status in (${quoted(reservingStatuses)}) and reserved is null`,
  },
  {
    problem: "un pedido y su venta no dicen lo mismo",
    text: `select format('pedido %s', o.id) as "where" from orders o
      left join sales s on s.account_id = o.account_id and s.id = (o.body->>'sale_id')::uuid
      where (o.status = 'completed') <> (o.body->>'sale_id' is not null)
        or (o.status = 'completed' and s.order_id is distinct from o.id)`,
  },
  {
    problem: "un pedido terminó sin decir cuándo, o dice cuándo sin haber terminado",
    text: `select format('%s', id) as "where" from orders
      where (status in (${quoted(endedStatuses)})) <> (ended_at is not null)
        or (status not in (${quoted([...openStatuses, ...endedStatuses])}))`,
  },
];
