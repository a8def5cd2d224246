import { instantArray, plainArray } from "../../db/arrays.ts";
import { ofAccounts, prepared, type Statement, unnested } from "../../db/sql.ts";

export interface ClockRow {
  account_id: string;
  seq: number;
  ts: Date;
  /** The `sequence` of the last event. */
  event_seq: number;
  records_events: boolean;
  /** Whether an active webhook endpoint may be subscribed to the events. */
  fans_out: boolean;
  /** For each operation, in their order, whether its lock was free. */
  free: boolean[] | null;
}

export interface ClockWanted {
  accountId: string;
  /** The locks of the operations that must happen only once. */
  operations: readonly bigint[];
  /** Whether there are other jobs. */
  hasOthers: boolean;
}

/**
 * The first statement of every batch. The row lock puts the writers of one account in order. A second request with the same
 * idempotency key, in this process or another, does not get its operation's lock; if that is true of the whole batch,
 * there is no row at once instead of a wait for the clock. Nor is there one if the clock is locked and the batch may not wait.
 */
export function lockClocks(wanted: readonly ClockWanted[], mayWait: boolean): Statement {
  const one = oneOperation(wanted);
  const { text, values } = one ? lockOfOne(one) : lockOfMany(wanted);
  return prepared(mayWait ? text : `${text} skip locked`, values);
}

/** The most frequent batch: one operation of one client. */
function oneOperation([first, ...others]: readonly ClockWanted[]): ClockWanted | undefined {
  return others.length === 0 && first?.operations.length === 1 && !first.hasOthers ? first : undefined;
}

function lockOfOne({ accountId, operations }: ClockWanted) {
  const text = `
    select c.account_id, c.seq, c.ts, c.event_seq, c.records_events, c.fans_out, array[o.free] as free
    from (select pg_try_advisory_xact_lock($2::bigint) as free) o
    cross join account_clock c
    where c.account_id = $1 and o.free for update of c`;
  return { text, values: [accountId, String(operations[0])] };
}

function lockOfMany(wanted: readonly ClockWanted[]) {
  const accounts = plainArray(wanted.map(({ accountId }) => accountId));
  const operations = wanted.flatMap(({ accountId, operations: own }) => own.map((lock) => ({ accountId, lock })));
  const values = [
    accounts,
    plainArray(wanted.map(({ hasOthers }) => hasOthers)),
    plainArray(operations.map(({ accountId }) => accountId)),
    plainArray(operations.map(({ lock }) => String(lock))),
  ];
  return { text: lockText, values };
}

const lockText = `
  select c.account_id, c.seq, c.ts, c.event_seq, c.records_events, c.fans_out, o.free
  from ${unnested("$1::uuid[]", "$2::boolean[]")} as w(account_id, has_others)
  left join (select u.account_id, array_agg(pg_try_advisory_xact_lock(u.lock) order by u.place) as free
    from ${unnested("$3::uuid[]", "$4::bigint[]")} with ordinality as u(account_id, lock, place)
    group by u.account_id) o on o.account_id = w.account_id
  join account_clock c on c.account_id = w.account_id
  where ${ofAccounts("c")} and (w.has_others or true = any(o.free)) for update of c`;

export interface ClockMove {
  accountId: string;
  /** Where this batch found it. */
  from: number;
  seq: number;
  /** The last instant of the batch, and the `sequence` of its last event. */
  at: Date;
  eventSeq: number;
  /** Without it, registers have nothing new to receive. */
  feedSeq: number | undefined;
}

/**
 * The last statement of a batch. It fails if a clock is not where this batch found it (isClockMoved): on Citus a lock does not
 * follow an account that is moved to another node, and another batch may have written there meanwhile.
 */
export function moveClocks(moves: readonly ClockMove[]): Statement {
  const accounts = plainArray(moves.map(({ accountId }) => accountId));
  return prepared(moveText, [
    accounts,
    plainArray(moves.map(({ from }) => from)),
    plainArray(moves.map(({ seq }) => seq)),
    instantArray(moves.map(({ at }) => at)),
    plainArray(moves.map(({ feedSeq }) => feedSeq ?? null)),
    plainArray(moves.map(({ eventSeq }) => eventSeq)),
  ]);
}

const moved = ["$1::uuid[]", "$2::bigint[]", "$3::bigint[]", "$4::timestamptz[]", "$5::bigint[]", "$6::bigint[]"];
const moveText = `
  update account_clock c set seq = m.seq / (c.seq = m.from_seq)::int, ts = m.ts,
    feed_seq = coalesce(m.feed_seq, c.feed_seq), event_seq = m.event_seq
  from ${unnested(...moved)} as m(account_id, from_seq, seq, ts, feed_seq, event_seq)
  where ${ofAccounts("c")} and c.account_id = m.account_id`;

/** PostgreSQL's division_by_zero. No other statement of ours divides. */
export function isClockMoved(error: unknown): boolean {
  return (error as { code?: string }).code === "22012";
}

/** An account's instants never repeat and never go back, whatever the machine's clock does. */
export function nextInstant(last: Date, now: Date): Date {
  return new Date(Math.max(now.getTime(), last.getTime() + 1));
}
