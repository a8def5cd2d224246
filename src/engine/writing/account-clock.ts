import { prepared, type Statement, sql } from "../../db/sql.ts";

export interface ClockRow {
  seq: number;
  ts: Date;
  records_events: boolean;
  /** Whether an active webhook endpoint may be subscribed to the events. */
  fans_out: boolean;
  /** For each operation, in their order, whether its lock was free. */
  free: boolean[] | null;
}

/**
 * The first statement of every batch. The row lock puts the writers of one account in order. A second request with the same
 * idempotency key, in this process or another, does not get its operation's lock; if that is true of the whole batch,
 * there is no row at once instead of a wait for the clock. Nor is there one if the clock is locked and the batch may not wait.
 */
export function lockClock(
  accountId: string,
  { operations, hasOthers, mayWait }: { operations: readonly bigint[]; hasOthers: boolean; mayWait: boolean },
): Statement {
  const isOne = operations.length === 1 && !hasOthers;
  const values = isOne ? [accountId, String(operations[0])] : [accountId, operations.map(String), hasOthers];
  const text = isOne ? lockTextOfOne : lockText;
  return prepared(mayWait ? text : `${text} skip locked`, values);
}

/** The most frequent batch: one operation of one client. */
const lockTextOfOne = `
  select c.seq, c.ts, c.records_events, c.fans_out, array[o.free] as free
  from (select pg_try_advisory_xact_lock($2::bigint) as free) o
  cross join account_clock c
  where c.account_id = $1 and o.free for update of c`;

const lockText = `
  select c.seq, c.ts, c.records_events, c.fans_out, o.free
  from (select array_agg(pg_try_advisory_xact_lock(lock) order by place) as free
    from unnest($2::bigint[]) with ordinality as u(lock, place)) o
  cross join account_clock c
  where c.account_id = $1 and ($3::boolean or true = any(o.free)) for update of c`;

/**
 * The last statement of a batch. It fails if the clock is not where this batch found it (isClockMoved): on Citus a lock does not
 * follow an account that is moved to another node, and another batch may have written there meanwhile. Without a `feedSeq`,
 * registers have nothing new to receive.
 */
export function moveClock(
  accountId: string,
  { from, seq, ts, feedSeq }: { from: number; seq: number; ts: Date; feedSeq: number | undefined },
): Statement {
  return sql`
    update account_clock set seq = ${seq}::bigint / (seq = ${from}::bigint)::int, ts = ${ts},
      feed_seq = coalesce(${feedSeq ?? null}::bigint, feed_seq)
    where account_id = ${accountId}`;
}

/** PostgreSQL's division_by_zero. No other statement of ours divides. */
export function isClockMoved(error: unknown): boolean {
  return (error as { code?: string }).code === "22012";
}

/** An account's instants never repeat and never go back, whatever the machine's clock does. */
export function nextInstant(last: Date, now: Date): Date {
  return new Date(Math.max(now.getTime(), last.getTime() + 1));
}
