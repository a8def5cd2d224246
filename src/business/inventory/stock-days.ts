import type { Pool } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { noWarehouse } from "./stock-levels.ts";

/** So much of what is new is added at once: writers of the business do not wait for it, and a reader does not hold it long. */
const stretch = "40 days";

/**
 * Adds the movements since the last time to what each day added to the stock, by their own time; as stock-levels.ts does to the stock
 * of now, and with the same care for a movement whose warehouse arrives after it.
 */
export async function countMovementDays(pool: Pool, accountId: string): Promise<void> {
  while (await countStretch(pool, accountId));
}

/** Returns whether there may be more. */
async function countStretch(pool: Pool, accountId: string): Promise<boolean> {
  return transaction(pool, async (client) => {
    const { rows } = await client.query<{ since: Date }>(sql`
      insert into stock_day_progress (account_id, counted_until) values (${accountId}, 'epoch')
      on conflict (account_id) do update set counted_until = stock_day_progress.counted_until
      returning counted_until as since`);
    const { since } = oneRow(rows);
    const bounds = await client.query<{ as_of: Date; until: Date | null }>(sql`
      select c.ts as as_of, least(c.ts, (
        select min(m.updated_at) from stock_movements m where m.account_id = ${accountId} and m.updated_at > ${since}
      ) + ${stretch}::interval) as until
      from account_clock c where c.account_id = ${accountId}`);
    const { as_of, until } = oneRow(bounds.rows);
    if (until === null || until <= since) return false;
    await client.query(sql`
      with moved as (
        select m.product_id, coalesce(m.warehouse_id, ${noWarehouse}::uuid) as warehouse_id, m.delta_milli, m.created_at,
          (coalesce(to_timestamp(m.made_us / 1000000.0), m.created_at) at time zone 'America/Bogota')::date as day
        from stock_movements m
        where m.account_id = ${accountId} and m.updated_at > ${since}::timestamptz and m.updated_at <= ${until}::timestamptz
      ), changed as (
        select day, product_id, warehouse_id, sum(milli) as milli from (
          select day, product_id, warehouse_id, delta_milli as milli from moved
          union all
          select day, product_id, ${noWarehouse}::uuid, -delta_milli from moved where created_at <= ${since}::timestamptz
        ) as parts group by 1, 2, 3 having sum(milli) <> 0
      )
      insert into stock_days (account_id, day, product_id, warehouse_id, stock_milli)
      select ${accountId}::uuid, day, product_id, warehouse_id, milli from changed
      on conflict (account_id, day, product_id, warehouse_id)
      do update set stock_milli = stock_days.stock_milli + excluded.stock_milli`);
    await client.query(sql`
      update stock_day_progress set counted_until = greatest(counted_until, ${until}) where account_id = ${accountId}`);
    return until < as_of;
  });
}
