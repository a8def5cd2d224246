import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../../config.ts";
import type { Client, Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import { day } from "../../../lib/clock.ts";
import { uuidv7 } from "../../../lib/ids.ts";
import { hashToken } from "../../../lib/token.ts";
import { browserName } from "../browser-name.ts";
import { readCookie, writeCookie } from "../cookies.ts";

const cookieName = "mostrador_browser";
const lifeMs = 30 * day;

export interface TrustedBrowser {
  id: string;
  /** "Firefox en Linux" */
  browser: string;
  remote_address: string | null;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
  is_current: boolean;
}

export function browserToken(request: FastifyRequest, config: Config): string | undefined {
  return readCookie(request, config, cookieName);
}

/**
 * Whether this browser did the second step of this person in the last 30 days. What it did before she changed the password or
 * closed the other sessions does not count any more.
 */
export async function isTrustedBrowser(
  db: Queryable,
  personId: string,
  token: string | undefined,
  now: Date,
): Promise<boolean> {
  if (token === undefined) return false;
  const { rowCount } = await db.query(sql`
    update trusted_browsers b set last_used_at = ${now} from people p
    where b.hash = ${hashFor(personId, token)} and b.person_id = ${personId} and b.expires_at > ${now}
      and p.id = b.person_id and b.created_at > coalesce(p.trusted_since, '-infinity')`);
  return rowCount !== 0;
}

/** One cookie serves all who use the browser: what is stored of it differs from person to person. */
export async function trustBrowser(
  client: Client,
  {
    personId,
    token = randomBytes(32).toString("base64url"),
    now,
    remoteAddress,
    userAgent,
  }: { personId: string; token: string | undefined; now: Date; remoteAddress: string | null; userAgent: string | null },
): Promise<string> {
  const expiresAt = new Date(now.getTime() + lifeMs);
  await client.query(sql`
    insert into trusted_browsers (id, hash, person_id, remote_address, user_agent, created_at, last_used_at, expires_at)
    values (${uuidv7(now)}, ${hashFor(personId, token)}, ${personId}, ${remoteAddress}, ${userAgent?.slice(0, 300) ?? null},
      ${now}, ${now}, ${expiresAt})
    on conflict (hash) do update set created_at = excluded.created_at, expires_at = excluded.expires_at, last_used_at = excluded.last_used_at,
      remote_address = excluded.remote_address, user_agent = excluded.user_agent`);
  return token;
}

export function setBrowserCookie(reply: FastifyReply, config: Config, token: string): void {
  writeCookie(reply, config, { name: cookieName, value: token, maxAgeSeconds: lifeMs / 1000 });
}

export async function listBrowsers(
  db: Queryable,
  personId: string,
  token: string | undefined,
  now: Date,
): Promise<TrustedBrowser[]> {
  const current = token === undefined ? null : hashFor(personId, token);
  const { rows } = await db.query<Omit<TrustedBrowser, "browser"> & { user_agent: string | null }>(sql`
    select b.id, b.remote_address, b.user_agent, b.created_at, b.last_used_at, b.expires_at,
      coalesce(b.hash = ${current}, false) as is_current
    from trusted_browsers b join people p on p.id = b.person_id
    where b.person_id = ${personId} and b.expires_at > ${now} and b.created_at > coalesce(p.trusted_since, '-infinity')
    order by b.last_used_at desc, b.id limit 100`);
  return rows.map(({ user_agent, ...row }) => ({ ...row, browser: browserName(user_agent) }));
}

/** Forgets one browser, or all: each is asked for the second step again. */
export async function forgetBrowsers(db: Queryable, personId: string, id: string | null = null): Promise<number> {
  const { rowCount } = await db.query(sql`
    delete from trusted_browsers where person_id = ${personId} and id = coalesce(${id}, id)`);
  return rowCount ?? 0;
}

function hashFor(personId: string, token: string): Buffer {
  return hashToken(`browser of ${personId}\n${token}`);
}
