import type { Pool } from "../../db/pool.ts";

/**
 * The instant by which things are old enough to go: the database's clock, unless it jumped. One that is suddenly more than a
 * day further than at the last look may be wrong, as after a switch to a server whose clock is: retention stands still, and
 * then catches up by 24 hours for each hour that the clock has run on steadily. Ten days switched off take ten hours, and a
 * clock that is 400 days ahead leaves its operator two weeks to notice.
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
  const { retention_at: at, is_held_back: isHeldBack } = rows[0]!;
  return { at, isHeldBack };
}
