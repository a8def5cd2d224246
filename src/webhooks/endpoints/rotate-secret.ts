import { randomBytes } from "node:crypto";
import type { Client } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { hour } from "../../lib/clock.ts";
import type { SecretBox } from "./secret-box.ts";
import { newSecret } from "./signature.ts";
import { lockEndpoint } from "./store.ts";

/** Service document: for this long both secrets sign, the new one first. */
export const secretOverlapMs = 24 * hour;

/** A second rotation within the overlap keeps the newest two: the service document promises at most two signatures. */
export async function rotateSecret(
  client: Client,
  box: SecretBox,
  accountId: string,
  id: string,
  now: Date,
): Promise<{ secret: string; overlapUntil: Date }> {
  await lockEndpoint(client, accountId, id);
  const secret = newSecret(randomBytes);
  const overlapUntil = new Date(now.getTime() + secretOverlapMs);
  await client.query(sql`
    update webhook_endpoints set previous_secret = secret, secret = ${box.seal(secret, id)},
      secret_overlap_until = ${overlapUntil}, version = version + 1, updated_at = ${now}
    where account_id = ${accountId} and id = ${id}`);
  return { secret, overlapUntil };
}
