import type { Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Clock } from "../../lib/clock.ts";
import { type Actor, recordAudit } from "../accounts/record-audit.ts";
import type { Session } from "./session.ts";

/** The name that others read beside what a person did. */
export async function renamePerson(
  deps: { pool: Pool; clock: Clock },
  { accountId, personId }: Session,
  name: string,
  actor: Actor,
): Promise<void> {
  const at = deps.clock.now();
  await transaction(deps.pool, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      sql`select name from people where id = ${personId} for no key update`,
    );
    await client.query(sql`update people set name = ${name}, updated_at = ${at} where id = ${personId}`);
    const details = { old_name: rows[0]?.name ?? "", name };
    await recordAudit(client, { accountId, at, action: "person.renamed", details, actor });
  });
}
