import type { Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Clock } from "../../lib/clock.ts";
import { ApiError } from "../../lib/errors.ts";
import { type Actor, recordAudit } from "../accounts/record-audit.ts";
import type { Session } from "./session.ts";

/** Ends every session of the account but one. Returns how many there were. */
export async function revokeOtherSessions(
  deps: { pool: Pool; clock: Clock },
  { accountId, id }: Session,
  actor: Actor,
): Promise<number> {
  return transaction(deps.pool, async (client) => {
    const { rowCount } = await client.query(
      sql`delete from portal_sessions where account_id = ${accountId} and id <> ${id}`,
    );
    const closed = rowCount ?? 0;
    if (closed > 0)
      await recordAudit(client, {
        accountId,
        at: deps.clock.now(),
        action: "session.revoked_others",
        details: { closed },
        actor,
      });
    return closed;
  });
}

export async function revokeSession(
  deps: { pool: Pool; clock: Clock },
  accountId: string,
  id: string,
  actor: Actor,
): Promise<void> {
  await transaction(deps.pool, async (client) => {
    const { rowCount } = await client.query(
      sql`delete from portal_sessions where account_id = ${accountId} and id = ${id}`,
    );
    if (rowCount === 0) throw new ApiError("NOT_FOUND", { param: "id", message: "Esa sesión ya no está abierta." });
    const details = { session_id: id };
    await recordAudit(client, { accountId, at: deps.clock.now(), action: "session.revoked", details, actor });
  });
}
