import { resources } from "../../business/registry.ts";
import { orderChecks } from "./order-checks.ts";
import { purchaseChecks } from "./purchase-checks.ts";
import { syncChecks } from "./sync-checks.ts";

/** An invariant across rows. The query returns each violation as `where`, so no rows means that it holds. */
export interface ConsistencyCheck {
  problem: string;
  text: string;
}

export const consistencyChecks: readonly ConsistencyCheck[] = [
  {
    problem: "las existencias no son la suma de los movimientos",
    text: `select format('producto %s: %s ≠ %s', p.id, p.stock_milli, coalesce(m.total, 0)) as "where"
      from products p left join (
        select account_id, product_id, sum(delta_milli) as total from stock_movements group by 1, 2
      ) m on m.account_id = p.account_id and m.product_id = p.id
      where p.stock_milli <> coalesce(m.total, 0)`,
  },
  {
    problem: "un movimiento movió las existencias en otra cantidad que la suya",
    text: `select format('%s: %s', id, delta_milli) as "where" from stock_movements
      where delta_milli <> 0 and abs(delta_milli) <> abs(round((body->>'quantity')::float8 * 1000))`,
  },
  {
    // Two registers may assign the same SKU while offline; that is recorded as a conflict.
    problem: "un SKU está en dos productos vivos",
    text: `select format('cuenta %s, SKU %s', p.account_id, sku) as "where"
      from products p, unnest(p.skus) as sku
      where p.deleted_at is null and not exists (
        select from conflicts c where c.account_id = p.account_id and c.record_id = p.id and c.field = 'sku')
      group by p.account_id, sku having count(*) > 1`,
  },
  {
    problem: "una cuenta no tiene reloj",
    text: `select format('cuenta %s', a.id) as "where" from accounts a
      where a.id not in (select account_id from account_clock)`,
  },
  ...resources.map(({ table }) => ({
    problem: `un registro de ${table} va por delante del reloj de su cuenta`,
    text: `select format('%s', r.id) as "where" from ${table} r join account_clock c using (account_id)
      where r.seq > c.seq or r.updated_at > c.ts or r.created_at > r.updated_at`,
  })),
  {
    problem: "un evento va por delante del reloj de su cuenta",
    text: `select format('%s', e.id) as "where" from events e join account_clock c using (account_id)
      where e.seq > c.seq or e.created_at > c.ts`,
  },
  ...orderChecks,
  ...purchaseChecks,
  ...syncChecks,
];
