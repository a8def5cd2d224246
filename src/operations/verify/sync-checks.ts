import { cashSessions } from "../../business/cash-sessions/resource.ts";
import { allActKinds } from "../../business/counter/act-kinds.ts";
import { stockMovements, warehouses } from "../../business/inventory/resource.ts";
import { invoices } from "../../business/invoices/resource.ts";
import { resources } from "../../business/registry.ts";
import { sales } from "../../business/sales/resource.ts";
import { events, eventTypes } from "../../engine/events/event-types.ts";

const onceTypes = eventTypes.filter((type) => events[type].once);

/** Invariants of synchronization. Each query returns the violations as `where`. */
export const syncChecks: readonly { problem: string; text: string }[] = [
  {
    problem: "un evento que ocurre una sola vez está repetido",
    text: `select format('%s de %s', type, body->'data'->'object'->>'id') as "where" from events
      where type in (${onceTypes.map((type) => `'${type}'`).join(", ")})
      group by account_id, type, body->'data'->'object'->>'id' having count(*) > 1`,
  },
  ...[
    [sales.table, "'completed', 'cancelled'"],
    [invoices.table, "'issued', 'rejected'"],
    [cashSessions.table, "'closed'"],
  ].map(([table, states]) => ({
    problem: `un estado de ${table} no recuerda que se anunció`,
    text: `select format('%s', id) as "where" from ${table}
      where device_id is not null and status in (${states}) and not coalesce(status = any(announced), false)`,
  })),
  {
    problem: "los cambios de una cuenta no siguen el orden de sus instantes",
    text: `select format('cuenta %s, cambio %s', account_id, seq) as "where" from (
        select account_id, seq, min(at) as first, lag(max(at)) over (partition by account_id order by seq) as before
        from (${resources.map(({ table }) => `select account_id, seq, updated_at as at from ${table}`).join(" union all ")}
          union all select account_id, seq, created_at from events
          union all select account_id, seq, created_at from push_receipts) changes
        group by account_id, seq) ordered
      where before >= first`,
  },
  {
    problem: "los envíos de una caja tienen huecos o no llegan a lo confirmado",
    text: `select format('caja %s, envío %s', device_id, first_seq) as "where" from (
        select r.*, p.acked_seq, lag(r.last_seq) over mine as before, lead(r.first_seq) over mine as next
        from push_receipts r join device_progress p using (account_id, device_id)
        window mine as (partition by r.account_id, r.device_id order by r.last_seq)) receipts
      where before <> first_seq - 1 or (next is null and last_seq <> acked_seq)
        or length(hashes) <> 8 * (last_seq - first_seq + 1)`,
  },
  ...resources
    .filter(({ units }) => units)
    .map(({ table }) => ({
      problem: `un registro de ${table} no está en su lugar de lo que bajan las cajas`,
      text: `select format('%s', r.id) as "where" from ${table} r join account_clock c using (account_id)
      where r.feed_seq > c.feed_seq or (r.feed_seq is null and r.deleted_at is null)
        or (r.feed_seq <= c.feed_floor and r.deleted_at is not null)`,
    })),
  {
    problem: "un registro de una caja espera por un fallo del servicio (mostrador set-aside retry)",
    text: `select format('caja %s, envío %s', device_id, device_seq) as "where" from quarantined_records where state = 'waiting'`,
  },
  {
    problem: "un acto de caja es de un tipo que no existe, o sin permiso, de nadie y sin decir por qué",
    text: `select format('%s', id) as "where" from counter_acts
      where kind not in (${allActKinds.map((kind) => `'${kind}'`).join(", ")}) or (not is_allowed and cashier_id is null and detail is null)`,
  },
  {
    problem: "un movimiento sigue sin la bodega que ya llegó",
    text: `select format('%s', m.id) as "where" from ${stockMovements.table} m
      join ${warehouses.table} w on w.account_id = m.account_id and w.id = m.wanted_warehouse_id where m.warehouse_id is null`,
  },
  {
    problem: "un documento sigue sin la venta que ya llegó",
    text: `select format('%s', i.id) as "where" from ${invoices.table} i
      join ${sales.table} s on s.account_id = i.account_id and s.id = i.wanted_sale_id where i.sale_id is null`,
  },
];
