import type { Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { minute } from "../../lib/clock.ts";
import { hashToken } from "../../lib/token.ts";

export const deviceTokenPrefix = "mstdev_";

/** What a request needs to know of the register it comes from. */
export interface DeviceAccess {
  deviceId: string;
  accountId: string;
  appVersion: string | null;
  capabilities: readonly string[] | null;
  revokedAt: Date | null;
  accountActive: boolean;
  /** The token is one that was handed out by a rotation and not used until now. */
  isNextToken: boolean;
}

export interface DeviceCache {
  peek(hash: Buffer): DeviceAccess | undefined;
  /** Whether this token was found before, even if what was read of it has been forgotten. */
  isKnown(hash: Buffer): boolean;
  /** A token that was handed out just now is as good as found. */
  welcome(token: string): void;
  load(hash: Buffer): Promise<DeviceAccess | undefined>;
  clear(): void;
}

/**
 * Revocations are announced at once over LISTEN, and a lost connection clears all. A waiting register asks every 25
 * seconds: with a shorter life than that, each of its requests would cost a query.
 */
const maxAgeMs = minute;
const maxEntries = 50_000;
const maxKnown = 100_000;

export function deviceCache(pool: Pool, monotonicNow: () => number = () => performance.now()): DeviceCache {
  const entries = new Map<string, { access: DeviceAccess; until: number }>();
  // The registers of a shop share its address: one with a wrong token must not lock the others out.
  const known = new Set<string>();
  function remember(hash: Buffer): void {
    if (known.size >= maxKnown) known.clear();
    known.add(hash.toString("latin1"));
  }
  let generation = 0;
  return {
    peek(hash) {
      const entry = entries.get(hash.toString("latin1"));
      return entry && entry.until > monotonicNow() ? entry.access : undefined;
    },
    isKnown(hash) {
      return known.has(hash.toString("latin1"));
    },
    welcome(token) {
      remember(hashToken(token));
    },
    async load(hash) {
      const started = generation;
      const access = await readDevice(pool, hash);
      if (access) remember(hash);
      // A change announced while this was being read may be newer than what was read.
      if (access && !access.isNextToken && started === generation) {
        if (entries.size >= maxEntries) entries.clear();
        entries.set(hash.toString("latin1"), { access, until: monotonicNow() + maxAgeMs });
      }
      return access;
    },
    clear() {
      generation += 1;
      entries.clear();
    },
  };
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
