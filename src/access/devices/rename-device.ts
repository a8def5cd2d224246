import type { Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Clock } from "../../lib/clock.ts";
import { type Actor, recordAudit } from "../accounts/record-audit.ts";

/** A register's name is for people: nothing else depends on it. */
export async function renameDevice(
  deps: { pool: Pool; clock: Clock },
  { accountId, deviceId, name }: { accountId: string; deviceId: string; name: string },
  actor: Actor,
): Promise<boolean> {
  return transaction(deps.pool, async (client) => {
    const { rowCount } = await client.query(
      sql`update devices set name = ${name} where account_id = ${accountId} and id = ${deviceId}`,
    );
    if (rowCount === 0) return false;
    const details = { device_id: deviceId, name };
    await recordAudit(client, { accountId, at: deps.clock.now(), action: "device.renamed", details, actor });
    return true;
  });
}
