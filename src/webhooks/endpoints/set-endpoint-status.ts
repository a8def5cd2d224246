import type { Client } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { dropPending } from "../../engine/deliveries/drop-pending.ts";
import { ApiError } from "../../lib/errors.ts";
import { type EndpointStatus, lockEndpoint, noteFanOut } from "./store.ts";

/** What the portal's three buttons do, and from which states. */
const transitions = {
  pause: { from: ["active", "paused"], to: "paused" },
  resume: { from: ["active", "paused"], to: "active" },
  reactivate: { from: ["active", "deactivated"], to: "active" },
} as const satisfies Record<string, { from: readonly EndpointStatus[]; to: EndpointStatus }>;

export type StatusChange = keyof typeof transitions;

/**
 * Under the account's clock. Pausing keeps what is pending for the resumption; events of the pause are not queued.
 * Reactivation begins with a clean slate and resends nothing (service document: states).
 */
export async function setEndpointStatus(
  client: Client,
  accountId: string,
  id: string,
  change: StatusChange,
  now: Date,
): Promise<void> {
  const { from, to } = transitions[change];
  const { status } = await lockEndpoint(client, accountId, id);
  if (!(from as readonly EndpointStatus[]).includes(status))
    throw new ApiError("ENDPOINT_STATE", { extra: { status } });
  if (status === to) return;
  if (change === "reactivate") await dropPending(client, accountId, { endpointId: id, now, inFlightToo: true });
  const startsAnew = change === "reactivate";
  await client.query(sql`
    update webhook_endpoints set status = ${to}, updated_at = ${now},
      consecutive_failures = case when ${startsAnew} then 0 else consecutive_failures end,
      failing_since = case when ${startsAnew} then null else failing_since end,
      notice_for = case when ${startsAnew} then null else notice_for end
    where account_id = ${accountId} and id = ${id}`);
  await noteFanOut(client, accountId);
}
