import type { Client, Pool, Queryable } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Scope } from "../../engine/resources/scopes.ts";
import { type Clock, day } from "../../lib/clock.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { oneLine } from "../../lib/one-line.ts";
import { hashToken, newToken } from "../../lib/token.ts";
import { lockAccount } from "../accounts/account-lock.ts";
import { type Actor, recordAudit, theOperator } from "../accounts/record-audit.ts";

export const maxKeysPerAccount = 20;

export class TooManyKeysError extends Error {}

export interface NewKey {
  accountId: string;
  name: string;
  scopes: readonly Scope[];
  expiresAt?: Date | undefined;
  /** From where it may be used, as CIDR; from anywhere without. */
  allowedAddresses?: readonly string[] | null | undefined;
  /** The demo's key is derived from the installation's secret, so that it stays the same; others are random. */
  token?: string;
}

type KeyDeps = { clock: Clock; config: { environment: "test" | "live" } };

/** Creates a key. Only its hash is stored: the token is returned here and never again. */
export async function createKey(
  deps: KeyDeps & { pool: Pool },
  input: NewKey,
  actor: Actor = theOperator,
): Promise<{ id: string; key: string }> {
  return transaction(deps.pool, async (client) => {
    await lockAccount(client, input.accountId);
    const made = await insertKey(client, deps, input);
    const { accountId, name, scopes } = input;
    const details = { api_key_id: made.id, name, scopes };
    await recordAudit(client, { accountId, at: deps.clock.now(), action: "api_key.create", details, actor });
    return made;
  });
}

/** The same for a caller that already holds the account lock and writes the audit log entry itself. */
export async function insertKey(
  client: Client,
  deps: KeyDeps,
  input: NewKey,
): Promise<{ id: string; key: string; expiresAt: Date | null }> {
  const now = deps.clock.now();
  const id = uuidv7(now);
  const key = input.token ?? newToken(`mst_${deps.config.environment}_`);
  await requireKeysLeft(client, input.accountId, now);
  const latest = await latestExpiry(client, input.accountId, now);
  const expiresAt = latest && (!input.expiresAt || input.expiresAt > latest) ? latest : input.expiresAt;
  await client.query(sql`
    insert into api_keys (id, account_id, name, hash, last_four, scopes, created_at, expires_at, allowed_addresses)
    values (${id}, ${input.accountId}, ${oneLine(input.name)}, ${hashToken(key)}, ${key.slice(-4)}, ${[...input.scopes]}, ${now},
      ${expiresAt ?? null}, ${input.allowedAddresses ? [...input.allowedAddresses] : null})`);
  return { id, key, expiresAt: expiresAt ?? null };
}

export async function requireKeysLeft(db: Queryable, accountId: string, now: Date): Promise<void> {
  const { rows } = await db.query<{ count: number }>(sql`
    select count(*) from api_keys
    where account_id = ${accountId} and revoked_at is null and (expires_at is null or expires_at > ${now})`);
  if (oneRow(rows).count >= maxKeysPerAccount) throw new TooManyKeysError(accountId);
}

/** Until when a key may live that is made now, by the business's rule; undefined without one. */
export async function latestExpiry(db: Queryable, accountId: string, now: Date): Promise<Date | undefined> {
  const { rows } = await db.query<{ max_key_days: number | null }>(
    sql`select max_key_days from accounts where id = ${accountId}`,
  );
  const days = rows[0]?.max_key_days;
  return days ? new Date(now.getTime() + days * day) : undefined;
}
