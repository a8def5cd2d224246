import { createHash, randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../config.ts";
import type { Pool, Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import type { Clock } from "../../lib/clock.ts";
import { day, minute } from "../../lib/clock.ts";
import { ApiError } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { readCookie, writeCookie } from "./cookies.ts";

export interface Session {
  id: string;
  accountId: string;
  /** Whether the account's plan includes webhooks. */
  hasPro: boolean;
}

const cookieName = "mostrador_session";
const lifeMs = 7 * day;
export const idleMs = day;
/** Updating last_seen_at on every request would be a write per click. */
const seenEveryMs = 5 * minute;

/**
 * Only a hash of the token is stored. With `passwordHash`, the session is opened only if that is still the account's hash:
 * comparing takes a while, and a password change in between has ended all sessions.
 */
export async function openSession(
  deps: { pool: Queryable; clock: Clock },
  accountId: string,
  from: { remoteAddress?: string | null; userAgent?: string | null; passwordHash?: string } = {},
): Promise<{ token: string; id: string; expiresAt: Date }> {
  const now = deps.clock.now();
  const token = randomBytes(32).toString("base64url");
  const id = uuidv7(now);
  const expiresAt = new Date(now.getTime() + lifeMs);
  const opened = await deps.pool.query(sql`
    insert into portal_sessions (hash, id, account_id, created_at, last_seen_at, expires_at, remote_address, user_agent)
    select ${hashOf(token)}, ${id}, id, ${now}, ${now}, ${expiresAt}, ${from.remoteAddress ?? null},
      ${from.userAgent?.slice(0, 300) ?? null}
    from accounts where id = ${accountId} and password_hash = coalesce(${from.passwordHash ?? null}, password_hash)
    for share`);
  if (opened.rowCount === 0) throw new ApiError("SIGN_IN_FAILED");
  return { token, id, expiresAt };
}

export async function readSession(
  deps: { pool: Pool; clock: Clock; config: Config },
  request: FastifyRequest,
): Promise<Session> {
  const token = cookieOf(request, deps.config);
  if (token === undefined) throw new ApiError("SESSION_REQUIRED");
  const now = deps.clock.now();
  const { rows } = await deps.pool.query(sql`
    select s.id, s.account_id, s.last_seen_at, a.active, a.plan
    from portal_sessions s join accounts a on a.id = s.account_id
    where s.hash = ${hashOf(token)} and s.expires_at > ${now} and s.last_seen_at > ${new Date(now.getTime() - idleMs)}`);
  const row = rows[0];
  if (!row) throw new ApiError("SESSION_REQUIRED");
  if (!row.active) throw new ApiError("ACCOUNT_INACTIVE");
  if (now.getTime() - row.last_seen_at.getTime() > seenEveryMs && deps.clock.isTrusted?.() !== false) {
    await deps.pool.query(sql`update portal_sessions set last_seen_at = ${now} where hash = ${hashOf(token)}`);
  }
  return { id: row.id, accountId: row.account_id, hasPro: row.plan === "pro" };
}

export async function closeSession(deps: { pool: Pool; config: Config }, request: FastifyRequest): Promise<void> {
  const token = cookieOf(request, deps.config);
  if (token !== undefined) await deps.pool.query(sql`delete from portal_sessions where hash = ${hashOf(token)}`);
}

export function setCookie(reply: FastifyReply, config: Config, token: string, maxAgeSeconds = lifeMs / 1000): void {
  writeCookie(reply, config, { name: cookieName, value: token, maxAgeSeconds });
}

export function cookieOf(request: FastifyRequest, config: Config): string | undefined {
  return readCookie(request, config, cookieName);
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
