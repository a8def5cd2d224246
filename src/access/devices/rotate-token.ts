import type { Pool } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Clock } from "../../lib/clock.ts";
import { hashToken, newToken } from "../../lib/token.ts";
import { announceChange } from "../accounts/announce-change.ts";
import { recordRepeatedAudit } from "../accounts/record-repeated-audit.ts";
import { deviceTokenPrefix } from "./device-access.ts";

/** Issues a new token. The old one stays valid until the new one is used, because the response may get lost. */
export async function rotateToken(
  deps: { pool: Pool; clock: Clock },
  { accountId, deviceId }: { accountId: string; deviceId: string },
  remoteAddress: string,
): Promise<{ token: string }> {
  const token = newToken(deviceTokenPrefix);
  await transaction(deps.pool, async (client) => {
    const { rows } = await client.query<{ name: string }>(sql`
      update devices set next_token_hash = ${hashToken(token)} where account_id = ${accountId} and id = ${deviceId}
      returning name`);
    const details = { device_id: deviceId, name: oneRow(rows).name };
    const actor = { kind: "register", sessionId: null, remoteAddress } as const;
    await recordRepeatedAudit(client, {
      accountId,
      at: deps.clock.now(),
      action: "device.token_rotated",
      details,
      actor,
    });
  });
  return { token };
}

/** The new token was used, so the register has it: the old one ends. */
export async function adoptToken(deps: { pool: Pool; forget: () => void }, hash: Buffer): Promise<void> {
  await transaction(deps.pool, async (client) => {
    await client.query(sql`
      update devices set token_hash = next_token_hash, next_token_hash = null where next_token_hash = ${hash}`);
    await announceChange(client, "access");
  });
  deps.forget();
}
