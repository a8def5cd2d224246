import type { Client } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { dropPending } from "../../engine/deliveries/drop-pending.ts";
import { ApiError } from "../../lib/errors.ts";
import { type EndpointStatus, lockEndpoint, refreshFansOut } from "./store.ts";

/** The portal's three buttons, and the states in which each works. */
const transitions = {
  pause: { from: ["active", "paused"], to: "paused" },
  resume: { from: ["active", "paused"], to: "active" },
  reactivate: { from: ["active", "deactivated"], to: "active" },
} as const satisfies Record<string, { from: readonly EndpointStatus[]; to: EndpointStatus }>;

export type StatusChange = keyof typeof transitions;

/**
 * The caller holds the account's clock. Pausing keeps pending deliveries until the endpoint resumes; events during the
 * pause are not queued. Reactivation starts over and resends nothing (service document: states).
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
  const startsOver = change === "reactivate";
  if (startsOver) await dropPending(client, accountId, { endpointId: id, now, inFlightToo: true });
  await client.query(sql`
    update webhook_endpoints set status = ${to}, updated_at = ${now},
      consecutive_failures = case when ${startsOver} then 0 else consecutive_failures end,
      failing_since = case when ${startsOver} then null else failing_since end,
      notice_for = case when ${startsOver} then null else notice_for end
    where account_id = ${accountId} and id = ${id}`);
  await refreshFansOut(client, accountId);
}
