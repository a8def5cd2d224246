import type { Pool } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";

/**
 * The instant from which retention is counted: the database's clock, unless it jumped. If it is suddenly more than a day
 * ahead, it may be wrong, for example after a switch to a server with a wrong clock: retention then stands still, and
 * catches up by 24 hours for each hour that the clock runs steadily. Ten days switched off take ten hours to catch up, and
 * with a clock 400 days ahead the operator has two weeks to notice.
 */
export async function retentionInstant(pool: Pool): Promise<{ at: Date; isHeldBack: boolean }> {
  const { rows } = await pool.query<{ retention_at: Date; is_held_back: boolean }>(`
    with clock as (select clock_timestamp()::timestamptz(3) as now)
    update installation i set
      retention_at = least(clock.now, coalesce(i.retention_at + 25 * case
        when clock.now - i.clock_seen_at between interval '0' and interval '1 day' then clock.now - i.clock_seen_at
        else interval '0' end, clock.now)),
      clock_seen_at = clock.now
    from clock
    returning retention_at, retention_at < clock.now - interval '1 day' as is_held_back`);
  const { retention_at: at, is_held_back: isHeldBack } = oneRow(rows);
  return { at, isHeldBack };
}
