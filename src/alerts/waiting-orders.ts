import { ofAllAccounts } from "../db/nodes.ts";
import type { Client } from "../db/pool.ts";
import type { Reads } from "../db/shared-reads.ts";
import { prepared, sql } from "../db/sql.ts";
import type { CoreDeps } from "../engine/deps.ts";
import { minute } from "../lib/clock.ts";
import { leastWaitMinutes, usualWaitMinutes } from "../notices/order-wait.ts";
import { bogotaClock } from "../taxes/bogota-time.ts";

/** More at once would only fill a mail; the rest is found when these are taken. */
const mostFound = 50;

interface Waiting {
  id: string;
  number: number;
  source: string;
  location_id: string;
  /** Its sede's name, where there are several. */
  sede: string | null;
  created_at: Date;
}

/** The businesses where an order may have waited too long, or where one was told of that may have been taken since. */
export function businessesWithOrders({ pool }: Pick<CoreDeps, "pool">, now: Date): Promise<string[]> {
  return ofAllAccounts(pool, async (part) => {
    const text = `
      select w.account_id from (
        select account_id from orders where status = 'placed' and created_at <= $1 and ${part.of("account_id", 2)}
        union select account_id from alerts_told where kind = 'orders_waiting' and ${part.of("account_id", 2)}
      ) w join accounts a on a.id = w.account_id where a.active`;
    const values = [new Date(now.getTime() - leastWaitMinutes * minute), ...part.values];
    const { rows } = await pool.query<{ account_id: string }>(prepared(text, values));
    return rows.map(({ account_id }) => account_id);
  });
}

/** What was ordered and nobody has taken yet, for as long as the business thinks too long; the longest wait first. */
export async function readWaitingOrders(db: Reads, accountId: string, now: Date): Promise<Waiting[]> {
  const { rows } = await db.query<Waiting>(sql`
    select o.id, o.number, o.source, coalesce(o.location_id, o.account_id) as location_id, o.created_at, case when exists (
        select from locations where account_id = ${accountId} and id <> account_id and deleted_at is null) then l.body ->> 'name' end as sede
    from orders o left join locations l on l.account_id = ${accountId} and l.id = coalesce(o.location_id, o.account_id)
    where o.account_id = ${accountId} and o.status = 'placed' and o.deleted_at is null
      and o.created_at <= ${now}::timestamptz - make_interval(mins => coalesce((
        select order_wait_minutes from portal_settings where account_id = ${accountId}), ${usualWaitMinutes}))
    order by o.created_at, o.id limit ${mostFound}`);
  return rows;
}

export async function findWaitingOrders(client: Client, { account_id }: { account_id: string }, now: Date) {
  return (await readWaitingOrders(client, account_id, now)).map(
    ({ id, number, source, location_id, sede, created_at }) => ({
      subject: id,
      location_id,
      message: `El pedido ${number} (${source}${sede ? `, ${sede}` : ""}) espera desde las ${bogotaClock(created_at)}.`,
    }),
  );
}
