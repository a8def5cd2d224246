import { type Statement, sql } from "../../db/sql.ts";

export interface ClockRow {
  seq: number;
  ts: Date;
  records_events: boolean;
  /** Whether an active webhook endpoint may be subscribed to the events. */
  fans_out: boolean;
  /** The feed's last seq, if it advanced with the clock. */
  feed_seq?: number;
}

/** The first statement of every write. The row lock puts the writers of one account in order. */
export function advanceClock(accountId: string, now: Date): Statement {
  return sql`
    update account_clock set seq = seq + 1, ts = greatest(${now}::timestamptz(3), ts + interval '1 millisecond')
    where account_id = ${accountId} returning seq, ts, records_events, fans_out`;
}

/**
 * The same for an idempotent operation. While its lock is held, a second request with the same key gets no row at once
 * instead of waiting. These operations nearly always create something that registers receive, so the same update advances
 * the feed. If there is nothing for registers after all, they get an empty page.
 */
export function advanceClockForOperation(accountId: string, now: Date, operation: bigint): Statement {
  return sql`
    update account_clock set seq = seq + 1, feed_seq = seq + 1,
      ts = greatest(${now}::timestamptz(3), ts + interval '1 millisecond')
    where account_id = ${accountId} and pg_try_advisory_xact_lock(${operation.toString()}::bigint)
    returning seq, ts, records_events, fans_out, feed_seq`;
}

export function clockRow(result: { rows: unknown[] } | undefined, accountId: string): ClockRow {
  const row = result?.rows[0] as ClockRow | undefined;
  if (!row) throw new Error(`Account ${accountId} has no clock`);
  return row;
}
