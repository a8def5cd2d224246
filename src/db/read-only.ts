import type { QueryResultRow } from "pg";
import type { Pool } from "./pool.ts";
import { oneRow } from "./read.ts";
import { retireAll } from "./retire-connections.ts";

interface ServerMode extends QueryResultRow {
  refuses: boolean;
  is_standby: boolean;
}

/** Why the server of this connection refuses writes, or undefined if it accepts them. */
export async function readOnlyReason(db: Pick<Pool, "query">): Promise<string | undefined> {
  // A standby's transactions are read-only too.
  const { rows } = await db.query<ServerMode>(
    "select current_setting('transaction_read_only') = 'on' as refuses, pg_is_in_recovery() as is_standby",
  );
  const { refuses, is_standby: isStandby } = oneRow(rows);
  if (!refuses) return undefined;
  return isStandby ? "takes no writes: it is a standby" : "takes no writes: default_transaction_read_only is on";
}

/**
 * The same for a pool, which then replaces all of its connections: one that was opened while the server refused writes would
 * say so for as long as it lives.
 */
export async function poolReadOnlyReason(pool: Pool): Promise<string | undefined> {
  const reason = await readOnlyReason(pool);
  if (reason !== undefined) retireAll(pool);
  return reason;
}
