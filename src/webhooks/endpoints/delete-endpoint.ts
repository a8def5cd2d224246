import type { Client } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { dropPending } from "../../engine/deliveries/drop-pending.ts";
import { lockEndpoint, refreshFansOut } from "./store.ts";

/** The caller holds the account's clock. Pending deliveries are dropped; the history is kept for its 30 days. */
export async function deleteEndpoint(
  client: Client,
  accountId: string,
  id: string,
  now: Date,
): Promise<{ url: string }> {
  const { url } = await lockEndpoint(client, accountId, id);
  await dropPending(client, accountId, { endpointId: id, now });
  await client.query(sql`delete from webhook_endpoints where account_id = ${accountId} and id = ${id}`);
  await refreshFansOut(client, accountId);
  return { url };
}
