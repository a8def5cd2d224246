import type { Pool } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import { type Clock, day } from "../../lib/clock.ts";

export const tombstoneLifeMs = 180 * day;

const tables = ["customers", "categories", "products", "quotes"] as const;

/**
 * Takes tombstones past their time out of the feed, account by account, and raises the floor under which a cursor has
 * missed one. The rows stay: include_deleted still finds them, and what was announced once is remembered for ever.
 */
export async function purgeTombstones(deps: { pool: Pool; clock: Clock }): Promise<number> {
  const before = new Date(deps.clock.now().getTime() - tombstoneLifeMs);
  let purged = 0;
  for (const table of tables) {
    const { rows } = await deps.pool.query<{ count: number }>(
      prepared(
        `with old as (
           select account_id, max(feed_seq) as place, count(*) as count from ${table}
           where deleted_at < $1 and feed_seq is not null group by account_id),
         floors as (
           update account_clock c set feed_floor = greatest(c.feed_floor, old.place) from old
           where c.account_id = old.account_id returning c.account_id),
         gone as (
           update ${table} t set feed_seq = null from floors f
           where t.account_id = f.account_id and t.deleted_at < $1 and t.feed_seq is not null returning 1)
         select count(*) from gone`,
        [before],
      ),
    );
    purged += rows[0]!.count;
  }
  return purged;
}
