import { announceChange } from "../accounts/announce-change.ts";
import type { Pool } from "../db/pool.ts";
import { sql } from "../db/sql.ts";
import { transaction } from "../db/transaction.ts";
import type { Clock } from "../lib/clock.ts";

/** Shuts a register out at once, in every process. Revoking it again changes nothing. */
export async function revokeDevice(
  deps: { pool: Pool; clock: Clock },
  { accountId, deviceId }: { accountId: string; deviceId: string },
): Promise<{ id: string; revoked_at: Date } | undefined> {
  return transaction(deps.pool, async (client) => {
    // A push in progress ends first; a PATCH that waits for this register to be gone sees it gone.
    await client.query(sql`select 1 from account_clock where account_id = ${accountId} for update`);
    const { rows } = await client.query(sql`
      update devices set revoked_at = coalesce(revoked_at, ${deps.clock.now()})
      where id = ${deviceId} and account_id = ${accountId} returning id, revoked_at`);
    await announceChange(client, "access");
    return rows[0];
  });
}
