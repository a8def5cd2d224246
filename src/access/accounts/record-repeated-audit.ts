import type { Client } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { hour } from "../../lib/clock.ts";
import { recordAudit } from "./record-audit.ts";

/**
 * A line for what somebody else may repeat at will. Within an hour of the first, the same act from the same address is
 * counted in that line's `times`: a loop cannot fill the table, nor push what matters off the owner's page. The caller holds
 * a lock, so that two at once are counted in one line.
 */
export async function recordRepeatedAudit(client: Client, entry: Parameters<typeof recordAudit>[1]): Promise<void> {
  const { accountId, at, action, details, actor } = entry;
  const { rows } = await client.query<{ created_at: Date; id: string; details: string }>(sql`
    select created_at, id, details from audit_log
    where account_id = ${accountId} and created_at > ${new Date(at.getTime() - hour)} and action = ${action}
      and remote_address is not distinct from ${actor.remoteAddress}
      and details::jsonb - 'times' = ${JSON.stringify(details)}::jsonb
    order by created_at desc limit 1`);
  const line = rows[0];
  if (!line) return recordAudit(client, { ...entry, details: { ...details, times: 1 } });
  const counted = { ...details, times: (JSON.parse(line.details) as { times: number }).times + 1 };
  await client.query(sql`
    update audit_log set details = ${JSON.stringify(counted)}
    where account_id = ${accountId} and created_at = ${line.created_at} and id = ${line.id}`);
}
