import type { Client } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import type { Scope } from "../../engine/resources/scopes.ts";
import { type Clock, hour } from "../../lib/clock.ts";
import { ApiError } from "../../lib/errors.ts";
import { announceChange } from "../accounts/announce-change.ts";
import { insertKey } from "./create-key.ts";

export const maxOverlapHours = 24;

export interface RotatableKey {
  name: string;
  last_four: string;
  scopes: Scope[];
  expires_at: Date | null;
  allowed_addresses: string[] | null;
}

/** A key that may be rotated: it belongs to the account and is neither revoked, expired nor already rotated. */
export async function findRotatable(
  db: Pick<Client, "query">,
  accountId: string,
  id: string,
  now: Date,
): Promise<RotatableKey> {
  const { rows } = await db.query<RotatableKey & { revoked_at: Date | null; replaced_by: string | null }>(sql`
    select name, last_four, scopes, expires_at, allowed_addresses, revoked_at, replaced_by from api_keys where account_id = ${accountId} and id = ${id}`);
  const key = rows[0];
  if (!key) throw new ApiError("NOT_FOUND", { param: "id", message: "No existe esta clave en la cuenta." });
  if (key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= now)) throw new ApiError("KEY_ENDED");
  // Its expiry is now the end of its overlap: a second successor would inherit that instant.
  if (key.replaced_by !== null) throw new ApiError("KEY_REPLACED", { extra: { replaced_by: key.replaced_by } });
  return key;
}

/** Creates a successor with the same name, permissions and expiry. The old key keeps working until the overlap ends. */
export async function rotateKey(
  client: Client,
  deps: { clock: Clock; config: { environment: "test" | "live" } },
  { accountId, id, overlapHours }: { accountId: string; id: string; overlapHours: number },
): Promise<{ id: string; key: string; expiresAt: Date | null; old: RotatableKey; worksUntil: Date }> {
  const now = deps.clock.now();
  const old = await findRotatable(client, accountId, id, now);
  const end = new Date(now.getTime() + overlapHours * hour);
  const worksUntil = old.expires_at !== null && old.expires_at < end ? old.expires_at : end;
  // The old key ends first, so that an account with 20 keys can still rotate each of them without an overlap.
  await client.query(sql`
    update api_keys set expires_at = ${worksUntil}, noticed_expiry = ${worksUntil},
      revoked_at = case when ${overlapHours === 0} then ${now}::timestamptz end
    where account_id = ${accountId} and id = ${id}`);
  const made = await insertKey(client, deps, {
    accountId,
    name: old.name,
    scopes: old.scopes,
    expiresAt: old.expires_at ?? undefined,
    allowedAddresses: old.allowed_addresses,
  });
  await client.query(sql`update api_keys set replaced_by = ${made.id} where account_id = ${accountId} and id = ${id}`);
  await announceChange(client, "access");
  return { ...made, old, worksUntil };
}
