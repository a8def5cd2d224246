import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { uuidv7 } from "../../lib/ids.ts";

/** Who made a change, and from where as far as that is known. A stranger is somebody who failed to sign in. */
export interface Actor {
  kind: "owner" | "operator" | "register" | "service" | "stranger";
  sessionId: string | null;
  remoteAddress: string | null;
}

export const theService: Actor = { kind: "service", sessionId: null, remoteAddress: null };
/** Whoever sits at the command line of the installation. */
export const theOperator: Actor = { kind: "operator", sessionId: null, remoteAddress: null };

/**
 * One line of the account's audit log. Always on the connection of the transaction that makes the change: neither a change
 * without its line nor a line without its change can remain. Details never hold a secret or a code.
 */
export async function recordAudit(
  db: Queryable,
  entry: { accountId: string; at: Date; action: string; details: Record<string, unknown>; actor: Actor },
): Promise<void> {
  const { accountId, at, action, details, actor } = entry;
  await db.query(sql`
    insert into audit_log (account_id, created_at, id, action, details, actor, session_id, remote_address)
    values (${accountId}, ${at}, ${uuidv7(at)}, ${action}, ${JSON.stringify(details)}, ${actor.kind}, ${actor.sessionId},
      ${actor.remoteAddress})`);
}
