import type { Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Clock } from "../../lib/clock.ts";
import { lockAccount } from "../accounts/account-lock.ts";
import { announceChange } from "../accounts/announce-change.ts";
import { type Actor, recordAudit } from "../accounts/record-audit.ts";
import { isNameInUse } from "./device-names.ts";

/** A register's name is for people: nothing else depends on it. It learns of it with its next request. */
export async function renameDevice(
  deps: { pool: Pool; clock: Clock },
  { accountId, deviceId, name }: { accountId: string; deviceId: string; name: string },
  actor: Actor,
): Promise<"renamed" | "in-use" | "unknown"> {
  return transaction(deps.pool, async (client) => {
    await lockAccount(client, accountId);
    if (await isNameInUse(client, accountId, name, deviceId)) return "in-use";
    const { rows } = await client.query<{ name: string }>(
      sql`select name from devices where account_id = ${accountId} and id = ${deviceId}`,
    );
    const { rowCount } = await client.query(
      sql`update devices set name = ${name} where account_id = ${accountId} and id = ${deviceId}`,
    );
    if (rowCount === 0) return "unknown";
    const details = { device_id: deviceId, name, before: { name: rows[0]?.name }, after: { name } };
    await recordAudit(client, { accountId, at: deps.clock.now(), action: "device.renamed", details, actor });
    await announceChange(client, "access");
    return "renamed";
  });
}
