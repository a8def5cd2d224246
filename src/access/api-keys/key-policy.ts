import type { Pool, Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Clock } from "../../lib/clock.ts";
import { type Actor, recordAudit } from "../accounts/record-audit.ts";

/** How many days a new key of the business may live; null without a rule. Keys that are there stay as they are. */
export async function readMaxKeyDays(db: Queryable, accountId: string): Promise<number | null> {
  const { rows } = await db.query<{ max_key_days: number | null }>(
    sql`select max_key_days from accounts where id = ${accountId}`,
  );
  return rows[0]?.max_key_days ?? null;
}

export async function setMaxKeyDays(
  deps: { pool: Pool; clock: Clock },
  accountId: string,
  days: number | null,
  actor: Actor,
): Promise<void> {
  await transaction(deps.pool, async (client) => {
    await client.query(sql`select 1 from accounts where id = ${accountId} for no key update`);
    const before = { max_key_days: await readMaxKeyDays(client, accountId) };
    await client.query(sql`update accounts set max_key_days = ${days} where id = ${accountId}`);
    const details = { before, after: { max_key_days: days } };
    await recordAudit(client, { accountId, at: deps.clock.now(), action: "api_key.policy_set", details, actor });
  });
}
