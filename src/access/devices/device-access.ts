import type { Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { minute } from "../../lib/clock.ts";
import { type TokenCache, tokenCache } from "../../lib/token-cache.ts";

export const deviceTokenPrefix = "mstdev_";

/** What a request needs to know about the register that sent it. */
export interface DeviceAccess {
  deviceId: string;
  accountId: string;
  appVersion: string | null;
  capabilities: readonly string[] | null;
  revokedAt: Date | null;
  accountActive: boolean;
  /** The token came from a rotation and has not been used before. */
  isNextToken: boolean;
}

export type DeviceCache = TokenCache<DeviceAccess>;

/**
 * Revocations are announced at once over LISTEN, and a lost connection clears everything. An idle register polls every 25
 * seconds: with a shorter age, each of its requests would cost a query.
 */
const maxAgeMs = minute;

export function deviceCache(pool: Pool): DeviceCache {
  return tokenCache({
    read: (hash) => readDevice(pool, hash),
    maxAgeMs,
    maxEntries: 50_000,
    isCacheable: ({ isNextToken }) => !isNextToken,
  });
}

async function readDevice(pool: Pool, hash: Buffer): Promise<DeviceAccess | undefined> {
  const { rows } = await pool.query(sql`
    select d.id, d.account_id, d.app_version, d.capabilities, d.revoked_at, a.active, d.next_token_hash = ${hash} as is_next
    from devices d join accounts a on a.id = d.account_id where d.token_hash = ${hash} or d.next_token_hash = ${hash}`);
  const row = rows[0];
  return (
    row && {
      deviceId: row.id,
      accountId: row.account_id,
      appVersion: row.app_version,
      capabilities: row.capabilities,
      revokedAt: row.revoked_at,
      accountActive: row.active,
      isNextToken: row.is_next === true,
    }
  );
}
