import type { Pool } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Clock } from "../../lib/clock.ts";
import { type Actor, recordAudit } from "./record-audit.ts";

export async function renameAccount(
  deps: { pool: Pool; clock: Clock },
  accountId: string,
  name: string,
  actor: Actor,
): Promise<void> {
  const at = deps.clock.now();
  await transaction(deps.pool, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      sql`select name from accounts where id = ${accountId} for no key update`,
    );
    await client.query(sql`update accounts set name = ${name}, updated_at = ${at} where id = ${accountId}`);
    const old_name = oneRow(rows).name;
    const details = { old_name, name, before: { name: old_name }, after: { name } };
    await recordAudit(client, { accountId, at, action: "account.renamed", details, actor });
  });
}
