import type { Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Clock } from "../../lib/clock.ts";
import { announceChange } from "../accounts/announce-change.ts";
import { type Actor, recordAudit, theOperator } from "../accounts/record-audit.ts";

/** Revokes a key at once, in every process. Revoking it again changes nothing. */
export async function revokeKey(
  deps: { pool: Pool; clock: Clock },
  id: string,
  actor: Actor = theOperator,
): Promise<{ id: string; revoked_at: Date } | undefined> {
  const now = deps.clock.now();
  return transaction(deps.pool, async (client) => {
    const { rows } = await client.query<{ account_id: string; name: string; revoked_at: Date | null }>(
      sql`select account_id, name, revoked_at from api_keys where id = ${id} for update`,
    );
    const key = rows[0];
    if (!key) return undefined;
    if (key.revoked_at !== null) return { id, revoked_at: key.revoked_at };
    await client.query(sql`update api_keys set revoked_at = ${now} where id = ${id}`);
    const details = { api_key_id: id, name: key.name };
    await recordAudit(client, { accountId: key.account_id, at: now, action: "api_key.revoked", details, actor });
    await announceChange(client, "access");
    return { id, revoked_at: now };
  });
}
