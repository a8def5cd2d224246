import type { Client } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import type { EventType } from "../../engine/events/event-types.ts";
import { endpointNotFound } from "./endpoint-not-found.ts";

/** The caller holds the account's clock, so that no event is queued for part of the old choice. */
export async function updateEndpoint(
  client: Client,
  accountId: string,
  id: string,
  changes: { url?: string; event_types?: readonly EventType[]; name?: string | null },
  now: Date,
): Promise<void> {
  const { rowCount } = await client.query(sql`
    update webhook_endpoints set url = coalesce(${changes.url ?? null}, url),
      event_types = coalesce(${changes.event_types ? [...changes.event_types] : null}::text[], event_types),
      name = case when ${changes.name !== undefined} then ${changes.name ?? null} else name end,
      version = version + 1, updated_at = ${now}
    where account_id = ${accountId} and id = ${id}`);
  if (rowCount === 0) throw endpointNotFound();
}
