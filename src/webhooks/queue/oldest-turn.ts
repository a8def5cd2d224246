import type { Pool } from "../../db/pool.ts";
import { ofAccounts, prepared } from "../../db/sql.ts";
import { waitingEndpoints } from "./waiting-endpoints.ts";

/**
 * Since when the endpoint that waits longest for its turn has waited: from its oldest delivery, or from its last turn after that.
 * An endpoint that fails, answers slowly or has a pace of its own keeps a long queue without anybody else waiting: it has its turns.
 */
export async function oldestTurn(pool: Pool, now: Date): Promise<Date | null> {
  const due = (await waitingEndpoints(pool)).filter(({ dueAt }) => dueAt <= now);
  if (due.length === 0) return null;
  const accountIds = [...new Set(due.map(({ accountId }) => accountId))];
  const { rows } = await pool.query<{ id: string; last_turn: Date | null; has_turn: boolean }>(
    prepared(turnsText, [accountIds]),
  );
  const turns = new Map(rows.map((row) => [row.id, row]));
  const waits = due.flatMap(({ endpointId, dueAt }) => {
    const turn = turns.get(endpointId);
    if (!turn || turn.has_turn) return [];
    return [Math.max(dueAt.getTime(), turn.last_turn?.getTime() ?? 0)];
  });
  return waits.length === 0 ? null : new Date(Math.min(...waits));
}

/** What is leased comes first in a queue: whoever has none among so many has none. */
const leasedAmong = 256;
const turnsText = `
  select p.id, greatest(p.last_failure_at, p.paced_until) as last_turn, exists (
    select from (
      select q.leased_until from webhook_queue q where q.account_id = p.account_id and q.endpoint_id = p.id
      order by q.due_at limit ${leasedAmong}) first
    where first.leased_until >= statement_timestamp()) as has_turn
  from webhook_endpoints p where p.status = 'active' and ${ofAccounts("p")}`;
