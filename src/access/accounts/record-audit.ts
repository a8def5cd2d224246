import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { uuidv7 } from "../../lib/ids.ts";
import type { AuditAction } from "./audit-actions.ts";

/** Who made a change and, if known, from where. A stranger is somebody who failed to sign in. */
export interface Actor {
  kind: "owner" | "operator" | "register" | "service" | "stranger";
  sessionId: string | null;
  remoteAddress: string | null;
  /** The person in the portal, and as which role. */
  personId?: string;
  role?: string;
}

export const theService: Actor = { kind: "service", sessionId: null, remoteAddress: null };
/** Whoever uses the installation's command line. */
export const theOperator: Actor = { kind: "operator", sessionId: null, remoteAddress: null };

/**
 * Writes an entry in the account's audit log, always in the transaction that makes the change, so that both commit or
 * neither does. Details never contain a secret or a code.
 */
export async function recordAudit(
  db: Queryable,
  entry: { accountId: string; at: Date; action: AuditAction; details: Record<string, unknown>; actor: Actor },
): Promise<void> {
  const { accountId, at, action, details, actor } = entry;
  await db.query(sql`
    insert into audit_log (account_id, created_at, id, action, details, actor, session_id, remote_address)
    values (${accountId}, ${at}, ${uuidv7(at)}, ${action}, ${JSON.stringify(details)}, ${actor.kind}, ${actor.sessionId},
      ${actor.remoteAddress})`);
}
