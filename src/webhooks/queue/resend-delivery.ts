import { sendPacket } from "../../db/packet.ts";
import type { Client } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import type { EndpointKey } from "../../engine/deliveries/delivery-signal.ts";
import { ApiError } from "../../lib/errors.ts";
import { timeOfUuidv7 } from "../../lib/ids.ts";
import { lockEndpoint } from "../endpoints/store.ts";
import { findDelivery } from "../history/delivery-history.ts";

/**
 * Puts a delivery that ended back into the queue, under its own id, for a new series of eight attempts. It can be resent
 * any number of times, each once the series before has ended.
 */
export async function resendDelivery(client: Client, accountId: string, id: string, now: Date): Promise<EndpointKey> {
  const found = await findDelivery(client, accountId, id);
  if (!found) {
    throw new ApiError("NOT_FOUND", {
      param: "id",
      message: "No existe una entrega con este identificador en la cuenta, o ya pasaron sus 30 días.",
    });
  }
  if (found.state === "pending") throw new ApiError("DELIVERY_PENDING");
  const { status } = await lockEndpoint(client, accountId, found.endpoint_id);
  if (status === "deactivated") throw new ApiError("ENDPOINT_STATE", { extra: { status } });
  const moved = await requeue(client, accountId, found.endpoint_id, [id], now);
  if (moved === 0) throw new ApiError("EVENT_EXPIRED");
  return { accountId, endpointId: found.endpoint_id };
}

/** Moves ended deliveries of an endpoint back to its queue, except those whose event is gone; returns how many. */
export async function requeue(
  client: Client,
  accountId: string,
  endpointId: string,
  ids: readonly string[],
  now: Date,
): Promise<number> {
  const wanted = [accountId, endpointId, [...ids], ids.map((id) => timeOfUuidv7(id)), now];
  const [queued] = await sendPacket(client, [prepared(queueText, wanted), prepared(leaveText, wanted)]);
  return queued!.rowCount ?? 0;
}

const queueText = `
  insert into webhook_queue (account_id, endpoint_id, due_at, id, created_at, event_id, event_type, is_test, attempts, body)
  select d.account_id, d.endpoint_id, $5::timestamptz, d.id, d.created_at, d.event_id, d.event_type, d.is_test, d.attempts, d.body
  from webhook_deliveries d
  join unnest($3::uuid[], $4::timestamptz[]) as wanted(id, created_at) on d.created_at = wanted.created_at and d.id = wanted.id
  where d.account_id = $1 and d.endpoint_id = $2
    and (d.is_test or exists (
      select from events e where e.account_id = $1 and e.created_at = d.created_at and e.id = d.event_id))`;

/** Of those that are in the queue now. */
const leaveText = `
  delete from webhook_deliveries d using unnest($3::uuid[], $4::timestamptz[]) as wanted(id, created_at)
  where d.account_id = $1 and d.endpoint_id = $2 and d.created_at = wanted.created_at and d.id = wanted.id
    and exists (select from webhook_queue q
      where q.account_id = $1 and q.endpoint_id = $2 and q.due_at = $5::timestamptz and q.id = d.id)`;
