import { type Statement, sql } from "../../db/sql.ts";

export interface ClockRow {
  seq: number;
  ts: Date;
  records_events: boolean;
  /** Whether some active webhook endpoint may want the events. */
  fans_out: boolean;
  /** Where the feed stands, if it moved with the clock. */
  feed_seq?: number;
}

/** Every writing transaction begins here: the row's lock orders the writers of one account. */
export function takeClock(accountId: string, now: Date): Statement {
  return sql`
    update account_clock set seq = seq + 1, ts = greatest(${now}::timestamptz(3), ts + interval '1 millisecond')
    where account_id = ${accountId} returning seq, ts, records_events, fans_out`;
}

/**
 * The same for an idempotent operation: with its lock taken, a second request with the same key finds no row at once
 * instead of waiting for the first. Such operations nearly always make something that registers receive, so the feed moves
 * with the clock in one update. A feed that moved for nothing shows a register an empty page, no more.
 */
export function takeClockFor(accountId: string, now: Date, operation: bigint): Statement {
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
