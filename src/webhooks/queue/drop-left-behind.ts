import { ofAllAccounts, type Part } from "../../db/nodes.ts";
import type { Pool } from "../../db/pool.ts";
import { prepared, sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { dropLocked } from "../../engine/deliveries/drop-pending.ts";

/**
 * Drops the deliveries that were leased when their endpoint was deleted or deactivated, and were then given back or left
 * by a crash: they were not dropped with the others, and no worker claims them. Returns how many. An endpoint that was
 * reactivated in the meantime keeps what it got since.
 */
export async function dropLeftBehind(pool: Pool, now: Date): Promise<number> {
  const rows = await ofAllAccounts(pool, async (part) => {
    const statement = prepared(closedText(part), [...part.values]);
    return (await pool.query<{ account_id: string; endpoint_id: string }>(statement)).rows;
  });
  let dropped = 0;
  for (const { account_id: accountId, endpoint_id: endpointId } of rows) {
    const lock = sql`
      select status from webhook_endpoints where account_id = ${accountId} and id = ${endpointId} for update`;
    dropped += await transaction(pool, (client) =>
      dropLocked(client, lock, ([endpoint]) => {
        const { status } = (endpoint ?? { status: "deleted" }) as { status: string };
        if (status !== "deleted" && status !== "deactivated") return undefined;
        return { accountId, endpointId, now, inFlightToo: false, testsToo: status === "deleted" };
      }),
    );
  }
  return dropped;
}

const closedText = (part: Part) => `
  select q.account_id, q.endpoint_id
  from webhook_queue q left join webhook_endpoints p on p.account_id = q.account_id and p.id = q.endpoint_id
  where (p.id is null or p.status = 'deactivated') and ${part.of("q.account_id", 1)}
  group by q.account_id, q.endpoint_id`;
