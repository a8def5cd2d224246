import type { Queryable } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import type { EndpointKey } from "../../engine/deliveries/delivery-signal.ts";

/** An endpoint with deliveries in the queue. */
export interface WaitingEndpoint extends EndpointKey {
  /** Of its oldest delivery. */
  dueAt: Date;
}

/** Most looks find less than the first page. After one endpoint that fills a page the next is short, after several long. */
const shortPageRows = 256;
const longPageRows = 2048;
const nil = "00000000-0000-0000-0000-000000000000";

/**
 * Reads page after page of the queue in the order of its index, and jumps from the last endpoint of a page to the next one:
 * the cost is that of the endpoints with deliveries, not of all endpoints nor of the length of any queue. Not one recursive
 * statement, because no distributed table takes it.
 */
export async function waitingEndpoints(db: Queryable): Promise<WaitingEndpoint[]> {
  const found: WaitingEndpoint[] = [];
  let after: readonly [string, string] = [nil, nil];
  let size = shortPageRows;
  for (;;) {
    const { rows } = await db.query<PageRow>(prepared(pageText, [...after, size]));
    for (const row of rows)
      found.push({ accountId: row.account_id, endpointId: row.endpoint_id, dueAt: row.oldest_due });
    if (rows.reduce((sum, { deliveries }) => sum + deliveries, 0) < size) return found;
    const last = rows.at(-1)!;
    after = [last.account_id, last.endpoint_id];
    size = rows.length > 1 ? longPageRows : shortPageRows;
  }
}

interface PageRow {
  account_id: string;
  endpoint_id: string;
  oldest_due: Date;
  /** Of those on the page. */
  deliveries: number;
}

const pageText = `
  select account_id, endpoint_id, min(due_at) as oldest_due, count(*) as deliveries
  from (
    select account_id, endpoint_id, due_at from webhook_queue where (account_id, endpoint_id) > ($1::uuid, $2::uuid)
    order by account_id, endpoint_id, due_at limit $3) page
  group by account_id, endpoint_id order by account_id, endpoint_id`;
