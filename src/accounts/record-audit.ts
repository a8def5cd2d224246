import type { Queryable } from "../db/pool.ts";
import { sql } from "../db/sql.ts";
import { uuidv7 } from "../lib/ids.ts";

/** Who asked for a change: a session of the portal, or nobody when the service itself acted. */
export interface Actor {
  sessionId: string | null;
  remoteAddress: string | null;
}

export const theService: Actor = { sessionId: null, remoteAddress: null };

/** One line of the account's audit log, in the transaction of what it tells. Details never hold a secret or a code. */
export async function recordAudit(
  db: Queryable,
  entry: { accountId: string; at: Date; action: string; details: Record<string, unknown>; actor: Actor },
): Promise<void> {
  await db.query(sql`
    insert into audit_log (account_id, created_at, id, action, details, session_id, remote_address)
    values (${entry.accountId}, ${entry.at}, ${uuidv7(entry.at)}, ${entry.action}, ${JSON.stringify(entry.details)},
      ${entry.actor.sessionId}, ${entry.actor.remoteAddress})`);
}
