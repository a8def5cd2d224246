import { bytesArray } from "../../db/arrays.ts";
import type { Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import type { Scope } from "../../engine/resources/scopes.ts";
import { type AddressRange, readRange } from "../../lib/address-range.ts";
import { second } from "../../lib/clock.ts";
import { type TokenCache, tokenCache } from "../../lib/token-cache.ts";

/** What a request needs to know about the API key it carries. */
export interface Access {
  keyId: string;
  keyName: string;
  accountId: string;
  scopes: ReadonlySet<Scope>;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** From where it may be used; null: from anywhere. */
  allowed: readonly AddressRange[] | null;
  accountActive: boolean;
  plan: "basic" | "pro";
}

export type AccessCache = TokenCache<Access>;

/** Changes are announced at once over LISTEN; this bounds the harm when an announcement is lost with its connection. */
const maxAgeMs = 5 * second;

export function accessCache(pool: Pool, monotonicNow?: () => number): AccessCache {
  return tokenCache({ read: (hashes) => readAccess(pool, hashes), maxAgeMs, maxEntries: 10_000, monotonicNow });
}

async function readAccess(pool: Pool, hashes: readonly Buffer[]): Promise<{ hash: Buffer; value: Access }[]> {
  const { rows } = await pool.query(sql`
    select k.hash, k.id, k.name, k.account_id, k.scopes, k.expires_at, k.revoked_at, k.allowed_addresses, a.active, a.plan
    from api_keys k join accounts a on a.id = k.account_id where k.hash = any(${bytesArray(hashes)}::bytea[])`);
  return rows.map((row) => ({
    hash: row.hash,
    value: {
      keyId: row.id,
      keyName: row.name,
      accountId: row.account_id,
      scopes: new Set(row.scopes),
      expiresAt: row.expires_at,
      revokedAt: row.revoked_at,
      allowed: rangesOf(row.allowed_addresses),
      accountActive: row.active,
      plan: row.plan,
    },
  }));
}

function rangesOf(texts: string[] | null): AddressRange[] | null {
  if (!texts) return null;
  return texts.map(readRange).filter((range) => range !== undefined);
}
