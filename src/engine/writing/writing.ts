import { createHash } from "node:crypto";
import type { QueryResult } from "pg";
import { jsonArray } from "../../db/json-array.ts";
import type { Partitions } from "../../db/partitions.ts";
import type { Client, Pool } from "../../db/pool.ts";
import { prepared, type Statement, sql } from "../../db/sql.ts";
import type { Clock } from "../../lib/clock.ts";
import { uuidv7 } from "../../lib/ids.ts";
import type { DeliverySignal } from "../deliveries/delivery-signal.ts";
import { fanOut, lanesOf } from "../deliveries/fan-out.ts";
import type { EventType } from "../events/event-types.ts";
import { type NewEvent, recordEvents } from "../events/record-event.ts";
import { loadMany } from "../resources/read-one.ts";
import {
  type Loaded,
  putOneText,
  putOneValues,
  putRow,
  putText,
  type RecordBody,
  type Resource,
  renderBody,
  type Stored,
} from "../resources/resource.ts";
import { type Tracking, track } from "../resources/revisions.ts";
import type { FeedSignal } from "./feed-signal.ts";
import { type Job, takeOwnTurn, takeTurn } from "./turns.ts";

export interface WritingDeps {
  pool: Pool;
  clock: Clock;
  partitions: Partitions;
  /** Tells this process's webhook worker what was just committed. Without one, a worker finds it when it next looks. */
  deliveries?: DeliverySignal | undefined;
  /** Wakes the registers that wait in this process. Without one, they find the change when they next look. */
  feed?: FeedSignal | undefined;
}

/** What a write may do. Nothing reaches the tables before the story ends: all of it is sent together with COMMIT. */
export interface Write {
  readonly accountId: string;
  /** This change's place in the account's order: the seq of every record it touches. */
  readonly seq: number;
  /** This change's instant: created_at and updated_at of what it stores. */
  readonly at: Date;
  /** For reads under the account's lock. */
  readonly client: Client;
  load<B extends RecordBody, P extends object>(resource: Resource<B, P>, id: string): Promise<Loaded<B, P> | undefined>;
  loadMany<B extends RecordBody, P extends object>(
    resource: Resource<B, P>,
    ids: readonly string[],
  ): Promise<Map<string, Loaded<B, P>>>;
  /**
   * Stores a record, new or changed. A record put twice is stored as it was last. Which of its fields changed is told
   * by comparing it with what this write loaded, unless the caller knows better who edited them and when.
   */
  put<B extends RecordBody, P extends object>(
    resource: Resource<B, P>,
    record: Stored<B, P>,
    tracking?: Tracking,
  ): void;
  /** Sends a record down to the registers once more as it is, without changing it. */
  resend<B extends RecordBody, P extends object>(resource: Resource<B, P>, id: string): void;
  emit(type: EventType, body: RecordBody): void;
  /** One more statement to send together with COMMIT. */
  also(statement: Statement): void;
  /** This write turned out to change nothing: it leaves no trace, not even a step of the account's clock. */
  forget(): void;
}

/**
 * One change of one account, whole or not at all, at its own place in the account's order. Its events keep the id of the
 * request that caused it, where there was one.
 */
export async function writing<T>(
  deps: WritingDeps,
  accountId: string,
  story: (write: Write) => Promise<T> | T,
  requestId?: string,
): Promise<T> {
  return withPartitions(deps, () => writeOnTurn(deps, accountId, story, requestId));
}

/** A story is told again when its account's clock is on a day that has no partition: nothing of the first time was kept. */
async function withPartitions<T>({ partitions, clock }: WritingDeps, write: () => Promise<T>): Promise<T> {
  await partitions.ensure(clock.now());
  try {
    return await write();
  } catch (error) {
    if (!(await partitions.createMissing(error))) throw error;
    return write();
  }
}

function writeOnTurn<T>(
  deps: WritingDeps,
  accountId: string,
  story: (write: Write) => Promise<T> | T,
  requestId: string | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let draft: Draft;
    let result: T;
    takeTurn(deps.pool, accountId, {
      opening: () => [takeClock(accountId, deps.clock.now())],
      async proceed(client, [clock]) {
        draft = newDraft(client, accountId, clockRow(clock, accountId), () => deps.clock.now(), requestId);
        result = await story(draft.write);
        return draft.isForgotten() ? undefined : draft.statements();
      },
      settle(results) {
        if (!draft.isForgotten()) announce(deps, accountId, draft, results);
        resolve(result);
      },
      fail: reject,
    });
  });
}

function announce(deps: WritingDeps, accountId: string, draft: Draft, results: QueryResult[]): void {
  deps.deliveries?.announce(lanesOf(results));
  if (draft.movedFeed()) deps.feed?.announce(accountId);
}

/** An operation that must happen once, whoever repeats it. */
export interface OnceKey {
  key: string;
  fingerprint: Buffer;
  /** Only what is younger than this counts as the same operation. */
  validAfter: Date;
  requestId: string;
}

/** The answer to an operation, kept word for word. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export type OnceOutcome =
  | { kind: "done"; answer: Answer }
  | { kind: "replayed"; answer: Answer }
  | { kind: "in-progress" }
  | { kind: "reused" };

const operationsWaiting = new WeakMap<Pool, Set<bigint>>();

/** A write whose key, effect and answer commit together: a crash leaves nothing half done, and no key is ever stuck. */
export async function writingOnce(
  deps: WritingDeps,
  accountId: string,
  once: OnceKey,
  story: (write: Write) => Promise<Answer>,
): Promise<OnceOutcome> {
  return withPartitions(deps, () => writeOnceOnTurn(deps, accountId, once, story));
}

function writeOnceOnTurn(
  deps: WritingDeps,
  accountId: string,
  once: OnceKey,
  story: (write: Write) => Promise<Answer>,
): Promise<OnceOutcome> {
  const operation = operationLock(accountId, once.key);
  const waiting = operationsWaiting.get(deps.pool) ?? new Set();
  operationsWaiting.set(deps.pool, waiting);
  // A repetition is told at once how the operation stands, instead of waiting behind it.
  const isRepetition = waiting.has(operation);
  return new Promise((resolve, reject) => {
    let draft: Draft | undefined;
    let outcome: OnceOutcome;
    const end = () => void (isRepetition || waiting.delete(operation));
    const job: Job = {
      opening: () => [takeClockFor(accountId, deps.clock.now(), operation), findAnswer(accountId, once)],
      async proceed(client, [clock, stored]) {
        // An operation that is done is answered even while another repetition of it holds the lock.
        const earlier = stored!.rows[0] as StoredAnswer | undefined;
        const isFree = clock!.rows.length > 0;
        if (earlier || !isFree) {
          outcome = earlier ? repeated(earlier, once) : { kind: "in-progress" };
          return undefined;
        }
        draft = newDraft(client, accountId, clockRow(clock, accountId), () => deps.clock.now(), once.requestId);
        const answer = await story(draft.write);
        outcome = { kind: "done", answer };
        return [...draft.statements(), keepAnswer(draft.write, once, answer)];
      },
      settle(results) {
        end();
        if (draft) announce(deps, accountId, draft, results);
        resolve(outcome);
      },
      fail(error) {
        end();
        reject(error as Error);
      },
    };
    if (isRepetition) takeOwnTurn(deps.pool, job);
    else {
      waiting.add(operation);
      takeTurn(deps.pool, accountId, job);
    }
  });
}

function findAnswer(accountId: string, once: OnceKey): Statement {
  return sql`
    select fingerprint, status, headers, body from idempotency_keys
    where account_id = ${accountId} and key = ${once.key} and created_at > ${once.validAfter}
    order by created_at desc limit 1`;
}

function repeated(earlier: StoredAnswer, once: OnceKey): OnceOutcome {
  if (!earlier.fingerprint.equals(once.fingerprint)) return { kind: "reused" };
  const { status, headers, body } = earlier;
  return { kind: "replayed", answer: { status, headers: JSON.parse(headers), body } };
}

interface StoredAnswer {
  fingerprint: Buffer;
  status: number;
  headers: string;
  body: string;
}

interface ClockRow {
  seq: number;
  ts: Date;
  records_events: boolean;
  /** Whether some active webhook endpoint may want the events. */
  fans_out: boolean;
  /** Where the feed stands, if it moved with the clock. */
  feed_seq?: number;
}

/**
 * Every writing transaction begins here. The row's lock orders the writers of one account; with an operation's lock, a
 * second request of the same key finds no row at once instead of waiting for the first.
 */
function takeClock(accountId: string, now: Date): Statement {
  return sql`
    update account_clock set seq = seq + 1, ts = greatest(${now}::timestamptz(3), ts + interval '1 millisecond')
    where account_id = ${accountId} returning seq, ts, records_events, fans_out`;
}

/**
 * The same for an operation that happens once, which nearly always makes something that registers receive: the feed moves
 * with the clock, in one update of its row. A feed that moved for nothing shows a register an empty page, no more.
 */
function takeClockFor(accountId: string, now: Date, operation: bigint): Statement {
  return sql`
    update account_clock set seq = seq + 1, feed_seq = seq + 1,
      ts = greatest(${now}::timestamptz(3), ts + interval '1 millisecond')
    where account_id = ${accountId} and pg_try_advisory_xact_lock(${operation.toString()}::bigint)
    returning seq, ts, records_events, fans_out, feed_seq`;
}

function clockRow(result: { rows: unknown[] } | undefined, accountId: string): ClockRow {
  const row = result?.rows[0] as ClockRow | undefined;
  if (!row) throw new Error(`Account ${accountId} has no clock`);
  return row;
}

function operationLock(accountId: string, key: string): bigint {
  return createHash("sha256").update(`${accountId}\n${key}`).digest().readBigInt64BE();
}

function keepAnswer(write: Write, once: OnceKey, answer: Answer): Statement {
  return sql`
    insert into idempotency_keys (account_id, key, created_at, fingerprint, status, headers, body)
    values (${write.accountId}, ${once.key}, ${write.at}, ${once.fingerprint}, ${answer.status},
      ${JSON.stringify(answer.headers)}, ${answer.body})`;
}

/** A story's buffer: nothing in it has reached the tables yet. */
interface Draft {
  write: Write;
  statements(): Statement[];
  isForgotten(): boolean;
  /** Whether registers have something new to receive; known once the statements are made. */
  movedFeed(): boolean;
}

/** Collects what a story stores and emits, and turns it into one statement per table. */
function newDraft(
  client: Client,
  accountId: string,
  clock: ClockRow,
  now: () => Date,
  requestId: string | undefined,
): Draft {
  const puts = new Map<Resource, Map<string, { record: Stored<RecordBody>; tracking: Tracking | undefined }>>();
  const loaded = new Map<Resource, Map<string, Loaded<RecordBody>>>();
  const events: Omit<NewEvent, "id">[] = [];
  const others: Statement[] = [];
  let forgotten = false;
  let feedMoved = false;
  const write: Write = {
    accountId,
    seq: clock.seq,
    at: clock.ts,
    client,
    async load(resource, id) {
      // A uuid may be written in capitals; stored ids are in small letters.
      return (await write.loadMany(resource, [id])).get(id.toLowerCase());
    },
    async loadMany(resource, ids) {
      const found = await loadMany(client, resource, accountId, ids);
      const kind = resource as unknown as Resource;
      const known = loaded.get(kind) ?? new Map<string, Loaded<RecordBody>>();
      loaded.set(kind, known);
      for (const [id, record] of found) known.set(id, record as unknown as Loaded<RecordBody>);
      return found;
    },
    put(resource, record, tracking) {
      const kind = resource as unknown as Resource;
      const records = puts.get(kind) ?? new Map();
      puts.set(kind, records.set(record.body.id, { record, tracking }));
    },
    emit(type, body) {
      if (clock.records_events) events.push({ type, objectText: renderBody(body) });
    },
    resend(resource, id) {
      feedMoved = true;
      const text = `update ${resource.table} set feed_seq = $2 where account_id = $1 and id = $3`;
      others.push(prepared(text, [accountId, clock.seq, id]));
    },
    also(statement) {
      others.push(statement);
    },
    forget() {
      forgotten = true;
    },
  };

  function trackingOf(resource: Resource, record: Stored<RecordBody>): Tracking | undefined {
    if (!resource.units) return undefined;
    const before = loaded.get(resource)?.get(record.body.id);
    return track(
      before?.tracking && { units: resource.units(before), tracking: before.tracking },
      resource.units(record),
      clock.seq,
      clock.ts,
    );
  }

  function putStatement([resource, records]: [
    Resource,
    Map<string, { record: Stored<RecordBody>; tracking: Tracking | undefined }>,
  ]) {
    const rows = Array.from(records.values(), ({ record, tracking = trackingOf(resource, record) }) => {
      feedMoved ||= tracking?.feedSeq === clock.seq || (resource.travels?.(record) ?? false);
      return putRow(resource, accountId, record, tracking);
    });
    const bodies = Array.from(records.values(), ({ record }) => renderBody(record.body));
    if (rows.length === 1)
      return prepared(putOneText(resource), [accountId, clock.seq, ...putOneValues(resource, rows[0]!), bodies[0]]);
    return prepared(putText(resource), [accountId, clock.seq, JSON.stringify(rows), jsonArray(bodies)]);
  }

  return {
    write,
    statements() {
      const stored = [...puts].map(putStatement);
      if (feedMoved && clock.feed_seq !== clock.seq)
        stored.push(sql`update account_clock set feed_seq = seq where account_id = ${accountId}`);
      // Ids are given here, in one go: they sort as the events were emitted, whatever else this process wrote meanwhile.
      const recorded = events.map((event): NewEvent => ({ ...event, id: uuidv7(clock.ts) }));
      if (recorded.length > 0)
        stored.push(recordEvents({ accountId, at: clock.ts, seq: clock.seq, requestId }, recorded));
      if (recorded.length > 0 && clock.fans_out) stored.push(fanOut(accountId, clock.ts, now(), recorded));
      return [...stored, ...others];
    },
    isForgotten: () => forgotten,
    movedFeed: () => feedMoved,
  };
}
