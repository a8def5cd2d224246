import type { Queryable } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";

export const mostPerSecond = 1000;

/**
 * How many deliveries may go at once after a rest: a fifth of a second's, so that in no second there are a fifth more than the
 * endpoint takes, and a claim is worth its statement.
 */
const burst = "greatest(1, per_second / 5)";

/**
 * Takes up to `wanted` deliveries of what the endpoint takes a second, from all processes: the row says up to when they are spoken for.
 * Null for an endpoint that has no limit, or is not there any more.
 */
export async function takePace(
  db: Queryable,
  { accountId, endpointId }: { accountId: string; endpointId: string },
  wanted: number,
): Promise<number | null> {
  const { rows } = await db.query<{ taken: number }>(prepared(takeText, [accountId, endpointId, wanted]));
  return rows[0]?.taken ?? null;
}

/** By the machine's time: a test clock that jumps makes deliveries due, and the endpoint takes no more for that. */
const takeText = `
  with held as materialized (
    select id, per_second, greatest(coalesce(paced_until, '-infinity'),
      statement_timestamp() - ${burst} * interval '1 second' / per_second) as free_from
    from webhook_endpoints where account_id = $1 and id = $2 and per_second is not null for no key update
  ), given as materialized (
    select *, greatest(0, least($3::int,
      floor(extract(epoch from statement_timestamp() - free_from) * per_second + 0.001)::int)) as taken
    from held
  )
  update webhook_endpoints p set paced_until = g.free_from + g.taken * interval '1 second' / g.per_second
  from given g where p.account_id = $1 and p.id = g.id
  returning g.taken`;
