import type { Client } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { hour } from "../../lib/clock.ts";
import { recordAudit } from "./record-audit.ts";

/**
 * An audit entry for something others can repeat at will. Within an hour, the same action from the same address increments
 * `times` in the first entry: a loop can neither fill the table nor push important entries off the page. The caller holds a
 * lock, so that concurrent repetitions are counted in one entry.
 */
export async function recordRepeatedAudit(client: Client, entry: Parameters<typeof recordAudit>[1]): Promise<void> {
  const { accountId, at, action, details, actor } = entry;
  const { rows } = await client.query<{ created_at: Date; id: string; details: string }>(sql`
    select created_at, id, details from audit_log
    where account_id = ${accountId} and created_at > ${new Date(at.getTime() - hour)} and action = ${action}
      and remote_address is not distinct from ${actor.remoteAddress}
      and details::jsonb - 'times' = ${JSON.stringify(details)}::jsonb
    order by created_at desc limit 1`);
  const entryRow = rows[0];
  if (!entryRow) return recordAudit(client, { ...entry, details: { ...details, times: 1 } });
  const counted = { ...details, times: (JSON.parse(entryRow.details) as { times: number }).times + 1 };
  await client.query(sql`
    update audit_log set details = ${JSON.stringify(counted)}
    where account_id = ${accountId} and created_at = ${entryRow.created_at} and id = ${entryRow.id}`);
}
