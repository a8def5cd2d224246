import { announceChange } from "../accounts/announce-change.ts";
import type { Pool } from "../db/pool.ts";
import { sql } from "../db/sql.ts";
import { transaction } from "../db/transaction.ts";
import type { Clock } from "../lib/clock.ts";

/** Revokes a key at once, in every process. Revoking it again changes nothing. */
export async function revokeKey(
  deps: { pool: Pool; clock: Clock },
  id: string,
): Promise<{ id: string; revoked_at: Date } | undefined> {
  return transaction(deps.pool, async (client) => {
    const { rows } = await client.query(sql`
      update api_keys set revoked_at = coalesce(revoked_at, ${deps.clock.now()}) where id = ${id} returning id, revoked_at`);
    await announceChange(client, "access");
    return rows[0];
  });
}
