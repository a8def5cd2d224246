import type { Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Clock } from "../../lib/clock.ts";
import { ApiError } from "../../lib/errors.ts";
import { type Actor, recordAudit } from "../accounts/record-audit.ts";
import { endSessions, type Session } from "./session.ts";

/** Ends every session of the person but this one. Returns how many there were. Browsers known until now count as new again. */
export async function revokeOtherSessions(
  deps: { pool: Pool; clock: Clock },
  { accountId, personId, id }: Session,
  actor: Actor,
): Promise<number> {
  return transaction(deps.pool, async (client) => {
    const closed = await endSessions(client, personId, id);
    if (closed === 0) return 0;
    const at = deps.clock.now();
    await client.query(sql`update people set trusted_since = ${at} where id = ${personId}`);
    await recordAudit(client, { accountId, at, action: "session.revoked_others", details: { closed }, actor });
    return closed;
  });
}

export async function revokeSession(
  deps: { pool: Pool; clock: Clock },
  { accountId, personId }: Session,
  id: string,
  actor: Actor,
): Promise<void> {
  await transaction(deps.pool, async (client) => {
    const { rowCount } = await client.query(sql`
      delete from portal_sessions where id = ${id} and coalesce(person_id, account_id) = ${personId}`);
    if (rowCount === 0) throw new ApiError("NOT_FOUND", { param: "id", message: "Esa sesión ya no está abierta." });
    const details = { session_id: id };
    await recordAudit(client, { accountId, at: deps.clock.now(), action: "session.revoked", details, actor });
  });
}
