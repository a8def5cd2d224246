import type { Client } from "../../db/pool.ts";
import { prepared, sql } from "../../db/sql.ts";
import { day, minute } from "../../lib/clock.ts";
import { addDropped } from "./hourly-counts.ts";
import { deliveryRetentionDays } from "./retention.ts";

/**
 * Drops the pending deliveries of one endpoint, or of all endpoints of an account; the caller holds the account's clock.
 * A delivery that is being sent ends with that attempt: see record-results.ts. `inFlightToo` drops leased deliveries as
 * well: when an endpoint is reactivated, those left by a crash must not be sent any more.
 */
export async function dropPending(
  client: Client,
  accountId: string,
  options: { endpointId?: string; now: Date; inFlightToo?: boolean },
): Promise<number> {
  const { endpointId = null, now, inFlightToo = false } = options;
  await client.query(sql`
    select 1 from webhook_endpoints where account_id = ${accountId} and (${endpointId}::uuid is null or id = ${endpointId})
    order by id for update`);
  // A backlog may hold a million rows. Dropping them takes some 20 s, and the account's writers wait for it.
  await client.query("set local statement_timeout = '120s'");
  const oldest = new Date(now.getTime() - deliveryRetentionDays * day);
  const drop = {
    ...prepared(dropText, [accountId, endpointId, inFlightToo, oldest, now]),
    query_timeout: 2.5 * minute,
  };
  const { rowCount } = await client.query(drop);
  return rowCount ?? 0;
}

/** Moves the rows of `dropped` into the history, except those past its retention. */
export function archiveDropped(oldest: string): string {
  return `
    insert into webhook_deliveries (account_id, created_at, id, endpoint_id, event_id, event_type, is_test, state, attempts, body)
    select account_id, created_at, id, endpoint_id, event_id, event_type, is_test, 'dropped', attempts, body
    from dropped where created_at >= ${oldest}`;
}

const dropText = `
  with dropped as (
    delete from webhook_queue
    where account_id = $1 and ($2::uuid is null or endpoint_id = $2)
      and ($3::boolean or leased_until is null or leased_until < statement_timestamp())
    returning *
  ), ${addDropped("$5")}
  ${archiveDropped("$4")}`;
