import type { Client } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import type { EndpointKey } from "../../engine/deliveries/delivery-signal.ts";
import { ApiError } from "../../lib/errors.ts";
import { lockEndpoint } from "../endpoints/store.ts";
import { findDelivery } from "../history/delivery-history.ts";

/**
 * Makes the next attempt of a pending delivery due at once. It is the next of its series, not an additional one. A delivery that is
 * being sent keeps its due time, by which its result is recorded.
 */
export async function retryNow(client: Client, accountId: string, id: string, now: Date): Promise<EndpointKey> {
  const found = await findDelivery(client, accountId, id);
  if (!found) {
    throw new ApiError("NOT_FOUND", { param: "id", message: "No existe esta entrega en la cuenta." });
  }
  if (found.state !== "pending") throw new ApiError("DELIVERY_ENDED");
  const { status } = await lockEndpoint(client, accountId, found.endpoint_id);
  if (status !== "active") throw new ApiError("ENDPOINT_STATE", { extra: { status } });
  await client.query(sql`
    update webhook_queue set due_at = least(due_at, ${now}), leased_until = null
    where account_id = ${accountId} and endpoint_id = ${found.endpoint_id} and id = ${id}
      and (leased_until is null or leased_until < statement_timestamp())`);
  return { accountId, endpointId: found.endpoint_id };
}
