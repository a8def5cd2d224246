import type { Pool } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";

/** Stands for "no warehouse" in the sums. */
export const noWarehouse = "00000000-0000-0000-0000-000000000000";

/**
 * Adds the movements since the last time to the sums by warehouse. Within an account updated_at follows the order of commits,
 * and the clock row tells the last one that this transaction sees, so no movement is missed or counted twice. A movement
 * never changes but for its warehouse, which may arrive after it: such a one is taken out of "no warehouse" again.
 */
export async function countNewMovements(pool: Pool, accountId: string): Promise<void> {
  await transaction(pool, async (client) => {
    const { rows } = await client.query<{ counted_until: Date }>(sql`
      insert into stock_level_progress (account_id, counted_until) values (${accountId}, 'epoch')
      on conflict (account_id) do update set counted_until = stock_level_progress.counted_until
      returning counted_until`);
    const since = oneRow(rows).counted_until;
    await client.query(sql`
      with clock as (
        select ts as as_of from account_clock where account_id = ${accountId}
      ), moved as (
        select m.product_id, coalesce(m.warehouse_id, ${noWarehouse}::uuid) as warehouse_id, m.delta_milli, m.created_at
        from stock_movements m, clock
        where m.account_id = ${accountId} and m.updated_at > ${since}::timestamptz and m.updated_at <= clock.as_of
      ), changed as (
        select product_id, warehouse_id, sum(milli) as milli from (
          select product_id, warehouse_id, delta_milli as milli from moved
          union all
          select product_id, ${noWarehouse}::uuid, -delta_milli from moved where created_at <= ${since}::timestamptz
        ) as parts group by product_id, warehouse_id having sum(milli) <> 0
      ), stored as (
        insert into stock_levels (account_id, product_id, warehouse_id, stock_milli)
        select ${accountId}::uuid, product_id, warehouse_id, milli from changed
        on conflict (account_id, product_id, warehouse_id)
        do update set stock_milli = stock_levels.stock_milli + excluded.stock_milli
      )
      update stock_level_progress set counted_until = greatest(counted_until, clock.as_of) from clock
      where account_id = ${accountId}`);
  });
}
