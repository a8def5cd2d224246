import type { Pool } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import { inOneTrip } from "../../db/transaction.ts";
import { archiveDropped } from "../../engine/deliveries/drop-pending.ts";
import { addDropped } from "../../engine/deliveries/hourly-counts.ts";
import { deliveryRetentionDays } from "../../engine/deliveries/retention.ts";
import { day } from "../../lib/clock.ts";

/**
 * Drops the deliveries that were leased when their endpoint was deleted or deactivated, and were then given back or left
 * by a crash: they were not dropped with the others, and no worker claims them. Returns how many.
 */
export async function dropLeftBehind(pool: Pool, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - deliveryRetentionDays * day);
  const { rows } = await pool.query<{ account_id: string; endpoint_id: string; is_deleted: boolean }>(closedText);
  let dropped = 0;
  for (const { account_id, endpoint_id, is_deleted } of rows) {
    const [done] = await inOneTrip(pool, [prepared(dropText, [account_id, endpoint_id, is_deleted, oldest, now])]);
    dropped += done!.rows[0].count;
  }
  return dropped;
}

const closedText = `
  select q.account_id, q.endpoint_id, bool_and(p.id is null) as is_deleted
  from webhook_queue q left join webhook_endpoints p on p.account_id = q.account_id and p.id = q.endpoint_id
  where p.id is null or p.status = 'deactivated'
  group by q.account_id, q.endpoint_id`;

/** An endpoint that was reactivated in the meantime keeps what it got since. */
const dropText = `
  with dropped as (
    delete from webhook_queue q
    where q.account_id = $1 and q.endpoint_id = $2 and ($3 or not q.is_test)
      and ($3 or exists (
        select from webhook_endpoints p where p.account_id = $1 and p.id = $2 and p.status = 'deactivated'))
      and (q.leased_until is null or q.leased_until < statement_timestamp())
    returning q.*
  ), ${addDropped("$5")}, kept as (${archiveDropped("$4")})
  select count(*) from dropped`;
