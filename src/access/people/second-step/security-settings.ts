import type { Queryable } from "../../../db/pool.ts";
import { oneRow } from "../../../db/read.ts";
import { sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import type { CoreDeps } from "../../../engine/deps.ts";
import { type Actor, recordAudit } from "../../accounts/record-audit.ts";

/** What the owners of a business demand of whoever works in it. */
export interface SecuritySettings {
  /** Of everybody; whoever has none adds one before anything else. */
  demands_second_step: boolean;
  /** In pesos; null if returns are not asked for. */
  refund_step_up_above: number | null;
}

export async function readSecuritySettings(db: Pick<Queryable, "query">, accountId: string): Promise<SecuritySettings> {
  const { rows } = await db.query<{ demands_second_step: boolean; refund_step_up_above: string | null }>(sql`
    select demands_second_step, refund_step_up_above from accounts where id = ${accountId}`);
  const { demands_second_step, refund_step_up_above } = oneRow(rows);
  return {
    demands_second_step,
    refund_step_up_above: refund_step_up_above === null ? null : Number(refund_step_up_above),
  };
}

export async function putSecuritySettings(
  deps: Pick<CoreDeps, "pool" | "clock">,
  accountId: string,
  settings: SecuritySettings,
  actor: Actor,
): Promise<void> {
  const at = deps.clock.now();
  await transaction(deps.pool, async (client) => {
    await client.query(sql`
      update accounts set demands_second_step = ${settings.demands_second_step},
        refund_step_up_above = ${settings.refund_step_up_above}, updated_at = ${at}
      where id = ${accountId}`);
    const details = { ...settings };
    await recordAudit(client, { accountId, at, action: "security_settings.set", details, actor });
  });
}
