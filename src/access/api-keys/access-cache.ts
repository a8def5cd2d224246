import type { Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import type { Scope } from "../../engine/resources/scopes.ts";
import { second } from "../../lib/clock.ts";

/** What a request needs to know of the key it carries. */
export interface Access {
  keyId: string;
  accountId: string;
  scopes: ReadonlySet<Scope>;
  expiresAt: Date | null;
  revokedAt: Date | null;
  accountActive: boolean;
  plan: "basic" | "pro";
}

export interface AccessCache {
  /** The cached answer, good for a synchronous check. */
  peek(hash: Buffer): Access | undefined;
  /** Whether this key was found before, even if what was read of it is too old to use. */
  isKnown(hash: Buffer): boolean;
  load(hash: Buffer): Promise<Access | undefined>;
  /** Forgets everything: a key, an account or a plan changed. Called by this process and by the database's notice. */
  clear(): void;
  /** Whoever caches something of the same kind forgets it at the same moments. */
  onClear(forget: () => void): void;
}

/** Changes are announced at once over LISTEN; this bounds the harm when an announcement is lost with its connection. */
const maxAgeMs = 5 * second;
const maxEntries = 10_000;
const maxKnown = 100_000;

export function accessCache(pool: Pool, monotonicNow: () => number = () => performance.now()): AccessCache {
  const entries = new Map<string, { access: Access; until: number }>();
  const followers: (() => void)[] = [];
  // A key's row is never deleted, so this outlives every change: a guesser next door cannot lock a good key out.
  const known = new Set<string>();
  let generation = 0;
  return {
    peek(hash) {
      const entry = entries.get(hash.toString("latin1"));
      return entry && entry.until > monotonicNow() ? entry.access : undefined;
    },
    isKnown(hash) {
      return known.has(hash.toString("latin1"));
    },
    async load(hash) {
      const started = generation;
      const access = await readAccess(pool, hash);
      if (access) {
        if (known.size >= maxKnown) known.clear();
        known.add(hash.toString("latin1"));
      }
      // A change announced while this was being read may be newer than what was read.
      if (access && started === generation) {
        if (entries.size >= maxEntries) entries.clear();
        entries.set(hash.toString("latin1"), { access, until: monotonicNow() + maxAgeMs });
      }
      return access;
    },
    clear() {
      generation += 1;
      entries.clear();
      for (const forget of followers) forget();
    },
    onClear(forget) {
      followers.push(forget);
    },
  };
}

async function readAccess(pool: Pool, hash: Buffer): Promise<Access | undefined> {
  const { rows } = await pool.query(sql`
    select k.id, k.account_id, k.scopes, k.expires_at, k.revoked_at, a.active, a.plan
    from api_keys k join accounts a on a.id = k.account_id where k.hash = ${hash}`);
  const row = rows[0];
  return (
    row && {
      keyId: row.id,
      accountId: row.account_id,
      scopes: new Set(row.scopes),
      expiresAt: row.expires_at,
      revokedAt: row.revoked_at,
      accountActive: row.active,
      plan: row.plan,
    }
  );
}
