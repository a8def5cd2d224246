import { randomBytes } from "node:crypto";
import type { Client, Queryable } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import type { EventType } from "../../engine/events/event-types.ts";
import { ApiError } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import type { SecretBox } from "./secret-box.ts";
import { newSecret } from "./signature.ts";
import { maxEndpointsPerAccount, refreshFansOut } from "./store.ts";

export interface NewEndpoint {
  /** In the canonical form of endpoint-url.ts. */
  url: string;
  event_types: readonly EventType[];
  name?: string | null;
}

/** The caller holds the account's clock. The plain secret is returned here and nowhere else. */
export async function createEndpoint(
  client: Client,
  box: SecretBox,
  accountId: string,
  input: NewEndpoint,
  now: Date,
): Promise<{ id: string; secret: string }> {
  await requireBelowLimit(client, accountId);
  const id = uuidv7(now);
  const secret = newSecret(randomBytes);
  await client.query(sql`
    insert into webhook_endpoints (account_id, id, name, url, event_types, status, secret, created_at, updated_at)
    values (${accountId}, ${id}, ${input.name ?? null}, ${input.url}, ${[...input.event_types]}, 'active', ${box.seal(secret, id)}, ${now}, ${now})`);
  await refreshFansOut(client, accountId);
  return { id, secret };
}

export async function requireBelowLimit(client: Queryable, accountId: string): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    sql`select count(*) from webhook_endpoints where account_id = ${accountId}`,
  );
  if (oneRow(rows).count >= maxEndpointsPerAccount) throw new ApiError("TOO_MANY_ENDPOINTS");
}
