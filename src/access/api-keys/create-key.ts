import type { Client, Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Scope } from "../../engine/resources/scopes.ts";
import type { Clock } from "../../lib/clock.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { oneLine } from "../../lib/one-line.ts";
import { hashToken, newToken } from "../../lib/token.ts";
import { type Actor, recordAudit, theOperator } from "../accounts/record-audit.ts";

export const maxKeysPerAccount = 20;

export class TooManyKeysError extends Error {}
export class UnknownAccountError extends Error {}

export interface NewKey {
  accountId: string;
  name: string;
  scopes: readonly Scope[];
  expiresAt?: Date | undefined;
  /** The demo's key is made again from the installation's secret at each start; all others are random. */
  token?: string;
}

type KeyDeps = { clock: Clock; config: { environment: "test" | "live" } };

/** Makes a key. The token exists only in this answer: what is stored is its hash. */
export async function createKey(
  deps: KeyDeps & { pool: Pool },
  input: NewKey,
  actor: Actor = theOperator,
): Promise<{ id: string; key: string }> {
  return transaction(deps.pool, async (client) => {
    const account = await client.query(
      sql`select 1 from account_clock where account_id = ${input.accountId} for update`,
    );
    if (account.rowCount === 0) throw new UnknownAccountError(input.accountId);
    const made = await insertKey(client, deps, input);
    const { accountId, name, scopes } = input;
    const details = { api_key_id: made.id, name, scopes };
    await recordAudit(client, { accountId, at: deps.clock.now(), action: "api_key.create", details, actor });
    return made;
  });
}

/** The same within a transaction that holds the account's clock already, and writes the line in the audit log. */
export async function insertKey(client: Client, deps: KeyDeps, input: NewKey): Promise<{ id: string; key: string }> {
  const now = deps.clock.now();
  const id = uuidv7(now);
  const key = input.token ?? newToken(`mst_${deps.config.environment}_`);
  const { rows } = await client.query<{ count: number }>(sql`
    select count(*) from api_keys
    where account_id = ${input.accountId} and revoked_at is null and (expires_at is null or expires_at > ${now})`);
  if (rows[0]!.count >= maxKeysPerAccount) throw new TooManyKeysError(input.accountId);
  await client.query(sql`
    insert into api_keys (id, account_id, name, hash, last_four, scopes, created_at, expires_at)
    values (${id}, ${input.accountId}, ${oneLine(input.name)}, ${hashToken(key)}, ${key.slice(-4)}, ${[...input.scopes]}, ${now},
      ${input.expiresAt ?? null})`);
  return { id, key };
}
