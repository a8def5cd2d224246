import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../config.ts";
import type { Pool, Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import type { Clock } from "../../lib/clock.ts";
import { day, minute } from "../../lib/clock.ts";
import { ApiError } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { hashToken } from "../../lib/token.ts";
import type { Plan } from "../accounts/create-account.ts";
import { readCookie, writeCookie } from "./cookies.ts";
import { roleIn, type Standing, type StandingRow, standingOf } from "./membership.ts";
import { catchUp } from "./person.ts";

export interface Session extends Standing {
  id: string;
  accountId: string;
  personId: string;
  /** Whether the account's plan includes webhooks. */
  hasPro: boolean;
  /** Whether the business demands a second step of everybody and this person has none. */
  mustEnrol: boolean;
}

const cookieName = "mostrador_session";
const lifeMs = 7 * day;
export const idleMs = day;
/** Updating last_seen_at on every request would be a write per click. */
const seenEveryMs = 5 * minute;

/**
 * Only a hash of the token is stored. With `passwordHash`, the session is opened only if that is still the person's hash:
 * comparing takes a while, and a password change in between has ended all sessions. Without a person, it is the one whom the
 * account was opened for.
 */
export async function openSession(
  deps: { pool: Queryable; clock: Clock },
  accountId: string,
  from: { personId?: string; remoteAddress?: string | null; userAgent?: string | null; passwordHash?: string } = {},
): Promise<{ token: string; id: string; role: string; expiresAt: Date }> {
  const now = deps.clock.now();
  const token = randomBytes(32).toString("base64url");
  const id = uuidv7(now);
  const expiresAt = new Date(now.getTime() + lifeMs);
  const personId = from.personId ?? accountId;
  const standing = await deps.pool.query<StandingRow>(sql`
    select m.role, m.location_ids, r.name as role_name, r.rights as role_rights
    from memberships m left join roles r on r.id = m.role_id
    where m.person_id = ${personId} and m.account_id = ${accountId}`);
  const held = standing.rows[0];
  if (!held) throw new ApiError("SIGN_IN_FAILED");
  const { role } = held;
  const opened = await deps.pool.query(sql`
    insert into portal_sessions (hash, id, account_id, person_id, created_at, last_seen_at, expires_at, remote_address, user_agent)
    select ${hashFor({ token, role, personId, accountId })}, ${id}, m.account_id, p.id, ${now}, ${now}, ${expiresAt},
      ${from.remoteAddress ?? null}, ${from.userAgent?.slice(0, 300) ?? null}
    from people p join memberships m on m.person_id = p.id
    where p.id = ${personId} and m.account_id = ${accountId} and m.role = ${role}
      and p.password_hash = coalesce(${from.passwordHash ?? null}, p.password_hash)
    for share`);
  if (opened.rowCount === 0) throw new ApiError("SIGN_IN_FAILED");
  return { token, id, role: roleIn(standingOf(held)), expiresAt };
}

export async function readSession(
  deps: { pool: Pool; clock: Clock; config: Config },
  request: FastifyRequest,
): Promise<Session> {
  const token = cookieOf(request, deps.config);
  if (token === undefined) throw new ApiError("SESSION_REQUIRED");
  const now = deps.clock.now();
  const row = (await findSession(deps.pool, token, now)) ?? (await findFormerSession(deps.pool, token, now));
  if (!row) throw new ApiError("SESSION_REQUIRED");
  if (!row.active) throw new ApiError("ACCOUNT_INACTIVE");
  if (now.getTime() - row.last_seen_at.getTime() > seenEveryMs && deps.clock.isTrusted?.() !== false) {
    await deps.pool.query(sql`update portal_sessions set last_seen_at = ${now} where id = ${row.id}`);
  }
  return {
    id: row.id,
    accountId: row.account_id,
    personId: row.person_id,
    hasPro: row.plan === "pro",
    mustEnrol: row.demands_second_step && !(await hasFactor(deps.pool, row.person_id)),
    ...standingOf({ ...row, ...(await ownRole(deps.pool, row)) }),
  };
}

interface SessionRow extends Pick<StandingRow, "role" | "location_ids"> {
  id: string;
  account_id: string;
  person_id: string;
  last_seen_at: Date;
  active: boolean;
  plan: Plan;
  demands_second_step: boolean;
  role_id: string | null;
}

/**
 * With what its person may do now: whoever left, or has another role, has it from the next request on. Every request asks, so what few
 * have, a role of the business's own or a second step that is demanded, is asked apart.
 */
async function findSession(db: Queryable, token: string, now: Date): Promise<SessionRow | undefined> {
  const { founders, others } = hashesOf(token);
  const { rows } = await db.query<SessionRow>(sql`
    select s.id, s.account_id, m.person_id, s.last_seen_at, a.active, a.plan, a.demands_second_step, m.role, m.role_id, m.location_ids
    from portal_sessions s join accounts a on a.id = s.account_id
    join memberships m on m.person_id = coalesce(s.person_id, s.account_id) and m.account_id = s.account_id
    where s.hash in (${founders}, ${others}) and s.expires_at > ${now}
      and s.last_seen_at > ${new Date(now.getTime() - idleMs)}`);
  return rows[0];
}

async function ownRole(
  db: Queryable,
  { account_id, role_id }: SessionRow,
): Promise<Pick<StandingRow, "role_name" | "role_rights">> {
  if (role_id === null) return { role_name: null, role_rights: null };
  const { rows } = await db.query<{ name: string; rights: string[] }>(sql`
    select name, rights from roles where id = ${role_id} and account_id = ${account_id}`);
  return { role_name: rows[0]?.name ?? null, role_rights: rows[0]?.rights ?? null };
}

async function hasFactor(db: Queryable, personId: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    select from factors where person_id = ${personId} and confirmed_at is not null and removed_at is null limit 1`);
  return rowCount === 1;
}

/** That of an account which a process of the version before opened, with a session of its own, and which has no person yet. */
async function findFormerSession(db: Queryable, token: string, now: Date): Promise<SessionRow | undefined> {
  const { rows } = await db.query<{ account_id: string }>(sql`
    select s.account_id from portal_sessions s
    where s.hash = ${hashesOf(token).founders} and s.person_id is null
      and not exists (select from people p where p.id = s.account_id)`);
  if (!rows[0]) return undefined;
  await catchUp(db, { id: rows[0].account_id });
  return findSession(db, token, now);
}

export async function closeSession(deps: { pool: Pool; config: Config }, request: FastifyRequest): Promise<void> {
  const token = cookieOf(request, deps.config);
  if (token === undefined) return;
  const { founders, others } = hashesOf(token);
  await deps.pool.query(sql`delete from portal_sessions where hash in (${founders}, ${others})`);
}

/** Ends what a person has open, in every business or in one, but for one session. */
export async function endSessions(
  db: Queryable,
  personId: string,
  except: string | null = null,
  accountId: string | null = null,
): Promise<number> {
  const { rowCount } = await db.query(sql`
    delete from portal_sessions
    where (person_id = ${personId} or (person_id is null and account_id = ${personId}))
      and id is distinct from ${except} and account_id = coalesce(${accountId}, account_id)`);
  return rowCount ?? 0;
}

export function setCookie(reply: FastifyReply, config: Config, token: string, maxAgeSeconds = lifeMs / 1000): void {
  writeCookie(reply, config, { name: cookieName, value: token, maxAgeSeconds });
}

export function cookieOf(request: FastifyRequest, config: Config): string | undefined {
  return readCookie(request, config, cookieName);
}

/**
 * A process of the version before finds the sessions and links of founders, who may do everything. It would let others do
 * everything too: theirs are stored under a hash that it does not look for.
 */
export function hashesOf(token: string): { founders: Buffer; others: Buffer } {
  return { founders: hashToken(token), others: hashToken(`person ${token}`) };
}

/** Under which of them a session is stored. */
export function hashFor(session: { token: string; role: string; personId: string; accountId: string }): Buffer {
  const { founders, others } = hashesOf(session.token);
  return session.role === "owner" && session.personId === session.accountId ? founders : others;
}
