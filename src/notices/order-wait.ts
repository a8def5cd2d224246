import type { Queryable } from "../db/pool.ts";
import { sql } from "../db/sql.ts";

export const usualWaitMinutes = 10;
export const leastWaitMinutes = 1;
export const mostWaitMinutes = 24 * 60;

/** After how many minutes an order that nobody took waits too long, for the whole business. */
export async function readOrderWait(db: Queryable, accountId: string): Promise<number> {
  const { rows } = await db.query<{ minutes: number }>(sql`
    select order_wait_minutes as minutes from portal_settings where account_id = ${accountId}`);
  return rows[0]?.minutes ?? usualWaitMinutes;
}

export async function setOrderWait(db: Queryable, accountId: string, minutes: number): Promise<void> {
  await db.query(sql`
    insert into portal_settings (account_id, order_wait_minutes) values (${accountId}, ${minutes})
    on conflict (account_id) do update set order_wait_minutes = excluded.order_wait_minutes`);
}
