import type { Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Clock } from "../../lib/clock.ts";
import { lockAccount } from "../accounts/account-lock.ts";
import { announceChange } from "../accounts/announce-change.ts";
import { type Actor, recordAudit, theOperator } from "../accounts/record-audit.ts";

/** Revokes a register at once, in every process. Revoking it again changes nothing. */
export async function revokeDevice(
  deps: { pool: Pool; clock: Clock },
  { accountId, deviceId }: { accountId: string; deviceId: string },
  actor: Actor = theOperator,
): Promise<{ id: string; revoked_at: Date } | undefined> {
  const now = deps.clock.now();
  return transaction(deps.pool, async (client) => {
    // A push in progress ends first, and a PATCH that this register was blocking sees it revoked.
    await lockAccount(client, accountId);
    const { rows } = await client.query<{ name: string; revoked_at: Date | null }>(
      sql`select name, revoked_at from devices where id = ${deviceId} and account_id = ${accountId} for update`,
    );
    const device = rows[0];
    if (!device) return undefined;
    if (device.revoked_at !== null) return { id: deviceId, revoked_at: device.revoked_at };
    await client.query(
      sql`update devices set revoked_at = ${now} where id = ${deviceId} and account_id = ${accountId}`,
    );
    const details = { device_id: deviceId, name: device.name };
    await recordAudit(client, { accountId, at: now, action: "device.revoked", details, actor });
    await announceChange(client, "access");
    return { id: deviceId, revoked_at: now };
  });
}
