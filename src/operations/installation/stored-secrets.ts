import type { Queryable } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { openSecret } from "../../fiscal/profile/profile.ts";
import type { SecretKeys } from "../../lib/secret-keys.ts";
import { secretBox } from "../../webhooks/endpoints/secret-box.ts";

/** Enough to tell: after a change of key, old secrets and new ones stand side by side. */
const sample = 100;

/** Whether this key opens any of the newest stored secrets; undefined where none is stored. */
export async function opensStoredSecrets(db: Queryable, secretKey: SecretKeys): Promise<boolean | undefined> {
  const box = secretBox(secretKey);
  const { rows: endpoints } = await db.query<{ id: string; secret: Buffer }>(
    `select id, secret from webhook_endpoints order by updated_at desc limit ${sample}`,
  );
  const { rows: profiles } = await db.query<{ account_id: string; software_pin: Buffer }>(
    `select account_id, software_pin from fiscal_profiles where software_pin is not null order by updated_at desc limit ${sample}`,
  );
  if (endpoints.length + profiles.length === 0) return undefined;
  return (
    endpoints.some(({ id, secret }) => opens(() => box.open(secret, id))) ||
    profiles.some(
      ({ account_id, software_pin }) => openSecret(secretKey, "software pin", account_id, software_pin) !== null,
    )
  );
}

export async function countStoredSecrets(db: Queryable): Promise<{ endpoints: number; profiles: number }> {
  const { rows } = await db.query<{ endpoints: number; profiles: number }>(`
    select (select count(*) from webhook_endpoints) as endpoints,
      (select count(*) from fiscal_profiles where software_pin is not null or authority_token is not null) as profiles`);
  return oneRow(rows);
}

function opens(open: () => string): boolean {
  try {
    open();
    return true;
  } catch {
    return false;
  }
}
