import type { Client } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { hour } from "../../lib/clock.ts";
import { type NewEntry, recordAudit } from "./record-audit.ts";

/**
 * An audit entry for something others can repeat at will. Within an hour, the same action by the same person from the same address increments
 * `times` of the first entry: a loop can neither fill the table nor push important entries off the page, and does not touch the
 * end of the account's chain. What the entry says stays as it is; the count has a hash of its own. The caller holds a lock, so that
 * concurrent repetitions are counted in one entry.
 */
export async function recordRepeatedAudit(client: Client, entry: NewEntry): Promise<void> {
  const { accountId, at, action, actor } = entry;
  // Tells the entry from those whose count processes of before keep in the details, and would change there.
  const details = { ...entry.details, counted: true };
  const { rows } = await client.query<{ created_at: Date; id: string }>(sql`
    select created_at, id from audit_log
    where account_id = ${accountId} and created_at > ${new Date(at.getTime() - hour)} and action = ${action}
      and remote_address is not distinct from ${actor.remoteAddress}
      and person_id is not distinct from ${actor.personId ?? null} and actor = ${actor.kind} and times is not null
      and details::text = ${JSON.stringify(details)}
    order by created_at desc limit 1`);
  const first = rows[0];
  if (!first) return recordAudit(client, { ...entry, details }, 1);
  await client.query(sql`
    update audit_log set times = times + 1, times_hash = sha256(hash || int8send(times + 1))
    where account_id = ${accountId} and created_at = ${first.created_at} and id = ${first.id}`);
}
