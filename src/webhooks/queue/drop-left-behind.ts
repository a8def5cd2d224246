import type { Queryable } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import { archiveDropped } from "../../engine/deliveries/drop-pending.ts";
import { addDropped } from "../../engine/deliveries/hourly-counts.ts";
import { deliveryRetentionDays } from "../../engine/deliveries/retention.ts";
import { day } from "../../lib/clock.ts";
import { pendingEndpoints } from "./claim.ts";

/**
 * Drops the deliveries that were leased when their endpoint was deleted or deactivated, and were then given back or left
 * by a crash: they were not dropped with the others, and no worker claims them. Returns how many.
 */
export async function dropLeftBehind(db: Queryable, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - deliveryRetentionDays * day);
  const { rows } = await db.query<{ count: number }>(prepared(dropText, [oldest, now]));
  return rows[0]!.count;
}

const dropText = `
  ${pendingEndpoints}, closed as materialized (
    select pending.account_id, pending.endpoint_id, p.id is null as is_deleted
    from pending left join webhook_endpoints p on p.account_id = pending.account_id and p.id = pending.endpoint_id
    where p.id is null or p.status = 'deactivated'
  ), dropped as (
    delete from webhook_queue q using closed
    where q.account_id = closed.account_id and q.endpoint_id = closed.endpoint_id and (closed.is_deleted or not q.is_test)
      and (q.leased_until is null or q.leased_until < clock_timestamp())
    returning q.*
  ), ${addDropped("$2")}, kept as (${archiveDropped("$1")})
  select count(*) from dropped`;
