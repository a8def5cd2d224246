import type { Pool } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { dropPending } from "../../engine/deliveries/drop-pending.ts";
import type { Clock } from "../../lib/clock.ts";
import { announceChange } from "./announce-change.ts";
import type { Plan } from "./create-account.ts";
import { type Actor, recordAudit, theOperator } from "./record-audit.ts";

export interface AccountChanges {
  plan?: Plan;
  active?: boolean;
}

/** Changes plan or state under the account's clock, so that a write in progress ends before events stop or start. */
export async function setAccount(
  deps: { pool: Pool; clock: Clock },
  id: string,
  changes: AccountChanges,
  actor: Actor = theOperator,
): Promise<{ id: string; plan: Plan; active: boolean } | undefined> {
  const now = deps.clock.now();
  return transaction(deps.pool, async (client) => {
    const before = await client.query<{ records_events: boolean }>(
      sql`select records_events from account_clock where account_id = ${id} for update`,
    );
    const { rows } = await client.query(sql`
      update accounts set plan = coalesce(${changes.plan ?? null}, plan), active = coalesce(${changes.active ?? null}, active),
        updated_at = ${now}
      where id = ${id} returning id, plan, active`);
    const account = rows[0];
    if (!account) return undefined;
    const records = account.plan === "pro" && account.active;
    await client.query(sql`update account_clock set records_events = ${records} where account_id = ${id}`);
    // Without Pro what is pending is discarded at once; with Pro again, whatever a crash left over is not sent late.
    if (before.rows[0]?.records_events !== records) await dropPending(client, id, { now, inFlightToo: records });
    const details = { plan: account.plan, active: account.active };
    await recordAudit(client, { accountId: id, at: now, action: "account.set", details, actor });
    await announceChange(client, "access");
    return account;
  });
}
