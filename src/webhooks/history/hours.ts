import { ofAllAccounts } from "../../db/nodes.ts";
import type { Queryable } from "../../db/pool.ts";
import { prepared, sql } from "../../db/sql.ts";
import { day } from "../../lib/clock.ts";
import { must } from "../../lib/must.ts";

/** What became of an endpoint's attempts in one hour. */
export interface Hour extends AttemptCounts {
  endpoint_id: string;
  hour: Date;
  durations: number[];
}

export interface AttemptCounts {
  delivered: number;
  failed: number;
  dropped: number;
}

/** The share of what was attempted or given up that arrived; null when there was nothing. */
export function successRate({ delivered, failed, dropped }: AttemptCounts): number | null {
  const all = delivered + failed + dropped;
  return all === 0 ? null : delivered / all;
}

export async function readHours(
  db: Queryable,
  query: { accountId: string; endpointIds: readonly string[]; since: Date; until: Date },
): Promise<Hour[]> {
  if (query.endpointIds.length === 0) return [];
  const { rows } = await db.query<Hour>(sql`
    select endpoint_id, hour, delivered, failed, dropped, durations from webhook_hours
    where account_id = ${query.accountId} and endpoint_id = any(${[...query.endpointIds]}::uuid[])
      and hour >= ${query.since} and hour < ${query.until}`);
  return rows;
}

/** How each of the endpoints did since an instant. */
export async function readHealth(
  db: Queryable,
  accountId: string,
  endpointIds: readonly string[],
  now: Date,
): Promise<Map<string, AttemptCounts>> {
  const hours = await readHours(db, { accountId, endpointIds, since: new Date(now.getTime() - day), until: now });
  const health = new Map(endpointIds.map((id) => [id, { delivered: 0, failed: 0, dropped: 0 }]));
  for (const one of hours) {
    const counts = must(health.get(one.endpoint_id), "The endpoints of the hours are those asked for");
    counts.delivered += one.delivered;
    counts.failed += one.failed;
    counts.dropped += one.dropped;
  }
  return health;
}

/** The charts show a week. */
const keepDays = 8;

export async function forgetOldHours(db: Queryable, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keepDays * day);
  await ofAllAccounts(db, async (part) => {
    const text = `delete from webhook_hours where hour < $1 and ${part.of("account_id", 2)}`;
    return (await db.query(prepared(text, [before, ...part.values]))).rows;
  });
}
