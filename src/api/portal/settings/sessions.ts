import { browserName } from "../../../access/people/browser-name.ts";
import { idleMs, type Session } from "../../../access/people/session.ts";
import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";

export interface OpenSession {
  id: string;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  remote_address: string | null;
  user_agent: string | null;
  /** "Firefox en Linux" */
  browser: string;
  is_current: boolean;
}

export async function listSessions(db: Queryable, { personId, id }: Session, now: Date): Promise<OpenSession[]> {
  const { rows } = await db.query<Omit<OpenSession, "browser">>(sql`
    select id, created_at, last_seen_at, expires_at, remote_address, user_agent, id = ${id} as is_current
    from portal_sessions
    where (person_id = ${personId} or (person_id is null and account_id = ${personId}))
      and expires_at > ${now} and last_seen_at > ${new Date(now.getTime() - idleMs)}
    order by last_seen_at desc, id desc limit 100`);
  return rows.map((session) => ({ ...session, browser: browserName(session.user_agent) }));
}
