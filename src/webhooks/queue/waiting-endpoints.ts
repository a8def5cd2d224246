import type { Queryable } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import type { EndpointKey } from "../../engine/deliveries/delivery-signal.ts";

/** An endpoint with deliveries in the queue. */
export interface WaitingEndpoint extends EndpointKey {
  /** Of its oldest delivery. */
  dueAt: Date;
  isActive: boolean;
  /** Whether a test is due, which an endpoint gets in any state. */
  hasDueTest: boolean;
}

const firstPageRows = 64;
const mostPageRows = 1024;
const fewestPageRows = 4;
const nil = "00000000-0000-0000-0000-000000000000";

/**
 * For distributed tables, which take no recursive statement. Reads page after page of the queue in the order of its index, and jumps
 * from the last endpoint of a page to the next one: the cost is that of the endpoints with deliveries, not of all endpoints
 * nor of the length of any queue. Most looks find less than a page; where queues are long, pages become short.
 */
export async function waitingEndpoints(db: Queryable, now: Date): Promise<WaitingEndpoint[]> {
  const found: WaitingEndpoint[] = [];
  let after: readonly [string, string] = [nil, nil];
  let size = firstPageRows;
  for (;;) {
    const { rows } = await db.query<PageRow>(prepared(pageText, [...after, size, now]));
    const first = rows.filter(({ endpoint_id }, i) => endpoint_id !== rows[i - 1]?.endpoint_id);
    for (const row of first) found.push(waiting(row));
    if (rows.length < size) return found;
    const last = rows.at(-1)!;
    after = [last.account_id, last.endpoint_id];
    size = first.length * 4 < size ? Math.max(size / 4, fewestPageRows) : Math.min(size * 4, mostPageRows);
  }
}

interface PageRow {
  account_id: string;
  endpoint_id: string;
  due_at: Date;
  status: string | null;
  has_due_test: boolean;
}

function waiting(row: PageRow): WaitingEndpoint {
  return {
    accountId: row.account_id,
    endpointId: row.endpoint_id,
    dueAt: row.due_at,
    isActive: row.status === "active",
    hasDueTest: row.has_due_test,
  };
}

const pageText = `
  select q.account_id, q.endpoint_id, q.due_at,
    (select p.status from webhook_endpoints p where p.account_id = q.account_id and p.id = q.endpoint_id) as status,
    exists (select from webhook_queue t where t.account_id = q.account_id and t.endpoint_id = q.endpoint_id
      and t.is_test and t.due_at <= $4) as has_due_test
  from webhook_queue q where (q.account_id, q.endpoint_id) > ($1::uuid, $2::uuid)
  order by q.account_id, q.endpoint_id, q.due_at limit $3`;
