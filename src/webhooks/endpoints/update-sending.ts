import type { Client } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { endpointNotFound } from "./endpoint-not-found.ts";
import { type OwnHeader, setOwnHeaders } from "./own-headers.ts";
import type { SecretBox } from "./secret-box.ts";

/** How an endpoint is sent to, and of what. What is left out stays. */
export interface SendingChanges {
  headers?: readonly OwnHeader[] | undefined;
  /** Only what belongs to these sedes, and what belongs to none; null: everything. */
  location_ids?: readonly string[] | null | undefined;
  /** Only orders and sales of these sources; null: of all. */
  sources?: readonly string[] | null | undefined;
  /** Deliveries a second; null: as many as it takes. */
  per_second?: number | null | undefined;
}

/** The caller holds the account's clock, so that no event is queued for part of the old choice. */
export async function updateSending(
  client: Client,
  box: SecretBox,
  accountId: string,
  id: string,
  changes: SendingChanges,
  now: Date,
): Promise<void> {
  const { headers, location_ids: locations, sources, per_second: perSecond } = changes;
  if (headers) await setOwnHeaders(client, box, accountId, id, headers);
  const { rowCount } = await client.query(sql`
    update webhook_endpoints set
      location_ids = case when ${locations !== undefined} then ${locations ? [...locations] : null}::uuid[] else location_ids end,
      sources = case when ${sources !== undefined} then ${sources ? [...sources] : null}::text[] else sources end,
      per_second = case when ${perSecond !== undefined} then ${perSecond ?? null}::int else per_second end,
      version = version + 1, updated_at = ${now}
    where account_id = ${accountId} and id = ${id}`);
  if (rowCount === 0) throw endpointNotFound();
}
