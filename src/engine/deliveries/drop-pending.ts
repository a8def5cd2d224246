import type { Client } from "../../db/pool.ts";
import { prepared, sql } from "../../db/sql.ts";
import { day, minute } from "../../lib/clock.ts";
import { deliveryRetentionDays } from "./retention.ts";

/**
 * Ends what is pending without sending it, for one endpoint or for all of an account; the caller holds the account's clock.
 * What is being sent at this moment ends with that attempt: see record-outcomes.ts. `inFlightToo` is for the rows that a crash
 * left leased behind, when the endpoint comes back and nothing old may leave any more.
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
  // A backlog of a bad day may hold a million rows: some 20 s, and the account's writers wait for them.
  await client.query("set local statement_timeout = '120s'");
  const oldest = new Date(now.getTime() - deliveryRetentionDays * day);
  const drop = {
    ...prepared(dropText, [accountId, endpointId, inFlightToo, oldest]),
    query_timeout: 2.5 * minute,
  };
  const { rowCount } = await client.query(drop);
  return rowCount ?? 0;
}

/** Takes the rows `dropped` out of the queue into the history, but for those that are past its retention. */
export function keepDropped(oldest: string): string {
  return `
    insert into webhook_deliveries (account_id, created_at, id, endpoint_id, event_id, event_type, is_test, state, attempts, body)
    select account_id, created_at, id, endpoint_id, event_id, event_type, is_test, 'dropped', attempts, body
    from dropped where created_at >= ${oldest}`;
}

const dropText = `
  with dropped as (
    delete from webhook_queue
    where account_id = $1 and ($2::uuid is null or endpoint_id = $2)
      and ($3::boolean or leased_until is null or leased_until < clock_timestamp())
    returning *
  )
  ${keepDropped("$4")}`;
