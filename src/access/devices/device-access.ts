import { bytesArray } from "../../db/arrays.ts";
import type { Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { minute } from "../../lib/clock.ts";
import { type TokenCache, tokenCache } from "../../lib/token-cache.ts";

export const deviceTokenPrefix = "mstdev_";

/** What a request needs to know about the register that sent it. */
export interface DeviceAccess {
  deviceId: string;
  name: string;
  accountId: string;
  appVersion: string | null;
  capabilities: readonly string[] | null;
  /** What it announced before this request. */
  announced?: readonly string[] | null;
  /** From where the request came. */
  remoteAddress?: string | null;
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
    read: (hashes) => readDevices(pool, hashes),
    maxAgeMs,
    maxEntries: 50_000,
    isCacheable: ({ isNextToken }) => !isNextToken,
  });
}

async function readDevices(pool: Pool, hashes: readonly Buffer[]): Promise<{ hash: Buffer; value: DeviceAccess }[]> {
  const asked = bytesArray(hashes);
  const { rows } = await pool.query(sql`
    select d.token_hash, d.next_token_hash, d.id, d.name, d.account_id, d.app_version, d.capabilities, d.revoked_at, a.active
    from devices d join accounts a on a.id = d.account_id
    where d.token_hash = any(${asked}::bytea[]) or d.next_token_hash = any(${asked}::bytea[])`);
  // Both tokens of a rotation may have been asked for at once.
  return rows.flatMap((row) => [
    ...(row.token_hash ? [{ hash: row.token_hash, value: accessBy(row, false) }] : []),
    ...(row.next_token_hash ? [{ hash: row.next_token_hash, value: accessBy(row, true) }] : []),
  ]);
}

/** A register of the account, in use or withdrawn, for what its owner hands in for it. */
export async function findDevice(pool: Pool, accountId: string, id: string): Promise<DeviceAccess | undefined> {
  const { rows } = await pool.query(sql`
    select id, name, account_id, app_version, capabilities, revoked_at, true as active
    from devices where account_id = ${accountId} and id = ${id}`);
  return rows[0] && accessBy(rows[0], false);
}

// biome-ignore lint/suspicious/noExplicitAny: a row of the two queries above
function accessBy(row: any, isNextToken: boolean): DeviceAccess {
  return {
    deviceId: row.id,
    name: row.name,
    accountId: row.account_id,
    appVersion: row.app_version,
    capabilities: row.capabilities,
    revokedAt: row.revoked_at,
    accountActive: row.active,
    isNextToken,
  };
}
