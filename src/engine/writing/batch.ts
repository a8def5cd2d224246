import type { QueryResult } from "pg";
import { whileConnectionIsHeld } from "../../db/held-connection.ts";
import { sendPacket } from "../../db/packet.ts";
import type { Client } from "../../db/pool.ts";
import type { Statement } from "../../db/sql.ts";
import { commit } from "../../db/transaction.ts";
import { must } from "../../lib/must.ts";
import { type Queued, queuedBy, queuedDeliveries } from "../deliveries/fan-out.ts";
import { type LoadedRow, loadStatement } from "../resources/read-one.ts";
import type { Resource } from "../resources/resource.ts";
import { type ClockMove, type ClockRow, lockClocks, moveClocks, nextInstant } from "./account-clock.ts";
import type { Group } from "./account-queue.ts";
import { BatchMemory } from "./batch-memory.ts";
import { type Changes, storeChanges } from "./changes.ts";
import type { Ending, Job } from "./job.ts";
import { type ClockPosition, PendingWrite } from "./pending-write.ts";
import { type FoundResponse, findResponses, type StoredResponse } from "./stored-responses.ts";

/*
 * A batch is one transaction. It goes through these steps, and from each of them to a rollback when the transaction is lost:
 *
 * 1. `openBatch` sends BEGIN, the locks of the clocks and what the jobs have declared to read, as one packet.
 * 2. `runGroups` runs the jobs one after another; each leaves its changes in the memory of its account.
 * 3. `close` ends every memory and sends the changes with COMMIT, as one packet.
 * 4. `settle` tells each job how it ended, and wakes those who wait for events and changes. Nobody is told anything before.
 */

/** After this time a batch runs no more jobs, so that its first does not wait long for the COMMIT. */
const maxDurationMs = 10;

export interface BatchMode {
  /** Whether to wait for a clock that another transaction holds. Only for a single group. */
  mayWait: boolean;
  /** Whether one statement may be for several accounts: not where tables are distributed. */
  together: boolean;
}

/** What became of a batch. */
export interface BatchResult {
  /** Their account's clock is locked by another transaction. Only if the batch may not wait. */
  locked: Group[];
  /** The time was over before these jobs ran. They are no longer in their group. */
  left: Group[];
  /** Tells every job that ran how it ended. */
  settle(): void;
}

type End = { job: Job; ending: Ending } | { job: Job; error: unknown };

/** A group, with what was read for its jobs. */
interface Opened {
  group: Group;
  memory: BatchMemory;
  /** Undefined if it is locked by another transaction, or all of the jobs are operations that run elsewhere. */
  clock: ClockRow | undefined;
  found: ReadonlyMap<string, FoundResponse>;
}

/** What became of a group's jobs. */
interface Ran extends Opened {
  ends: End[];
  kept: PendingWrite[];
  feedSeq: number | undefined;
}

/**
 * Runs the jobs one after another in one transaction of two round trips, besides what they read. A job that fails is left
 * out. Throws when the transaction is lost. No job has been settled then, nor before `settle` is called.
 */
export async function runBatch(client: Client, opening: Promise<Opened[]>, mode: BatchMode): Promise<BatchResult> {
  const opened = await opening;
  const ready = opened.filter(({ clock }) => clock || mode.mayWait);
  const ran = await whileConnectionIsHeld(() => runGroups(ready)).finally(() => {
    for (const { memory } of opened) memory.close();
  });
  const results = await close(client, ran, mode);
  const left = ran.map(({ group, ends }) => ({ ...group, jobs: group.jobs.splice(ends.length) }));
  return {
    locked: opened.filter((one) => !ready.includes(one)).map(({ group }) => group),
    left: left.filter(({ jobs }) => jobs.length > 0),
    settle() {
      const queued = queuedBy([...ready.flatMap(({ memory }) => memory.results()), ...results]);
      for (const one of ran) settleGroup(one, queued);
    },
  };
}

/** What the opening reads for the jobs of one account. */
interface Wanted {
  group: Group;
  memory: BatchMemory;
  once: NonNullable<Job["once"]>[];
  records: Map<Resource, Set<string>>;
  /** Of the first job only: what it changes, the next ones must see. */
  others: NonNullable<Job["declared"]>["others"];
}

function wantedOf(client: Client, group: Group): Wanted {
  const { accountId, jobs } = group;
  const once = jobs.flatMap((job) => job.once ?? []);
  const records = new Map<Resource, Set<string>>();
  // What a long job stores with statements of its own is not followed: the next one reads for itself.
  const reading = jobs.filter((job, i) => job.isShort || i === 0);
  for (const { resource, ids } of reading.flatMap(({ declared }) => declared?.records ?? [])) {
    const wanted = records.get(resource) ?? new Set();
    records.set(resource, wanted);
    for (const id of ids) wanted.add(id.toLowerCase());
  }
  return { group, memory: new BatchMemory(client, accountId), once, records, others: jobs[0]?.declared?.others };
}

/** Begins a batch: locks the clocks, then reads what the jobs have declared and the stored responses of their operations. */
export async function openBatch(client: Client, groups: readonly Group[], mode: BatchMode): Promise<Opened[]> {
  const all = groups.map((group) => wantedOf(client, group));
  const locks = inParts(all, mode).map((part) => lockClocks(part.map(clockWanted), mode.mayWait));
  const loads = all.flatMap(({ group: { accountId }, memory, records }) =>
    Array.from(records, ([resource, ids]) => ({
      statement: loadStatement(resource, accountId, [...ids]),
      take: (rows: LoadedRow[]) => memory.remember(resource, ids, rows),
    })),
  );
  const finds = inParts(all, mode)
    .map((part) => part.flatMap(({ group: { accountId }, once }) => once.map((one) => ({ accountId, once: one }))))
    .flatMap((keys) => (keys.length > 0 ? [findResponses(keys)] : []));
  const reads = all.flatMap(({ memory, others }) => (others ? [{ memory, read: others }] : []));
  const [, ...results] = await sendPacket(client, [
    "begin",
    ...locks,
    ...reads.flatMap(({ read }) => read.statements),
    ...loads.map(({ statement }) => statement),
    ...finds,
  ]);
  const rowsOf = (statements: readonly unknown[]) =>
    results.splice(0, statements.length).map(({ rows }) => rows as unknown[]);
  const clocks = new Map((rowsOf(locks).flat() as ClockRow[]).map((clock) => [clock.account_id, clock]));
  for (const { memory, read } of reads) memory.rememberAnswers(read, results.splice(0, read.statements.length));
  for (const [i, rows] of rowsOf(loads).entries()) loads[i]?.take(rows as LoadedRow[]);
  const found = Map.groupBy(rowsOf(finds).flat() as FoundResponse[], ({ account_id }) => account_id);
  return all.map(({ group, memory, once }) => {
    const { accountId, jobs } = group;
    const clock = clocks.get(accountId);
    if (!clock && mode.mayWait && once.length < jobs.length) throw new Error(`Account ${accountId} has no clock`);
    const rooms = () => jobs[0]?.deps.deliveries?.roomOf(accountId) ?? [];
    if (clock?.fans_out) memory.subscribers = { rooms };
    return { group, clock, memory, found: new Map(found.get(accountId)?.map((one) => [one.key, one])) };
  });
}

function clockWanted({ group: { accountId, jobs }, once }: Wanted) {
  return { accountId, operations: once.map(({ lock }) => lock), hasOthers: once.length < jobs.length };
}

/** Runs the jobs of each account in turn, each on what the ones before it left. */
async function runGroups(ready: readonly Opened[]): Promise<Ran[]> {
  const startedAt = performance.now();
  const isAlone = ready.length === 1 && ready[0]?.group.jobs.length === 1;
  const all: Ran[] = [];
  for (const opened of ready) {
    const ran: Ran = { ...opened, ends: [], kept: [], feedSeq: undefined };
    const free = [...(opened.clock?.free ?? [])];
    for (const job of opened.group.jobs) {
      if (all.length + ran.ends.length > 0 && performance.now() - startedAt > maxDurationMs) break;
      const isFree = job.once ? (free.shift() ?? false) : true;
      // A completed operation is replayed even while another retry holds its lock.
      const earlier = job.once && opened.found.get(job.once.key);
      if (earlier) ran.ends.push({ job, ending: { kind: "earlier", response: earlier } });
      else if (isFree) ran.ends.push(await runJob(job, ran, isAlone));
      else ran.ends.push({ job, ending: { kind: "in-progress" } });
    }
    all.push(ran);
  }
  return all;
}

/** Runs one job and keeps what it wrote. Throws if the transaction is lost with it. */
async function runJob(job: Job, ran: Ran, isAlone: boolean): Promise<End> {
  const { memory } = ran;
  const write = new PendingWrite(memory, positionAfter(ran, job), job.requestId);
  memory.hasDirectChanges = false;
  let response: StoredResponse | undefined;
  let end: End = { job, ending: { kind: "written" } };
  try {
    response = await job.run(write);
    if (!write.isDiscarded) await write.settle();
  } catch (error) {
    if (memory.isBroken && !isAlone) throw error;
    end = { job, error };
  }
  if ("error" in end || write.isDiscarded) {
    if (memory.hasDirectChanges && !isAlone) throw new LeftOverChanges();
    return end;
  }
  // If this throws, the memory holds half of the write, and the batch is lost.
  const { accountId, at, seq } = write;
  if (write.keep(response && job.once && { accountId, at, once: job.once, response })) ran.feedSeq = seq;
  ran.kept.push(write);
  return end;
}

function positionAfter({ clock, kept }: Ran, { deps }: Job): ClockPosition {
  const found = lockedClock(clock);
  const now = deps.clock.now();
  const { seq, at, eventSeq } = kept.at(-1)?.end ?? { seq: found.seq, at: found.ts, eventSeq: found.event_seq };
  return { seq: seq + 1, at: nextInstant(at, now), eventSeq, now, recordsEvents: found.records_events };
}

function lockedClock(clock: ClockRow | undefined): ClockRow {
  return must(clock, "A job runs only where its account's clock is locked");
}

/** A job was left out whose own statements cannot be taken back without the others. */
class LeftOverChanges extends Error {}

/** Stores what the jobs have collected, if anything. */
async function close(client: Client, all: readonly Ran[], mode: BatchMode): Promise<QueryResult[]> {
  const closings = all.flatMap(({ group: { accountId }, clock, memory, kept, feedSeq }): Closing[] => {
    const last = kept.at(-1)?.end;
    return last ? [{ memory, move: { accountId, from: lockedClock(clock).seq, ...last, feedSeq } }] : [];
  });
  if (closings.length > 0) return commit(client, inParts(closings, mode).flatMap(closingStatements));
  await sendPacket(client, ["rollback"]);
  return [];
}

interface Closing {
  memory: BatchMemory;
  move: ClockMove;
}

function closingStatements(closings: readonly Closing[]): Statement[] {
  const changes: Changes[] = [];
  const others: Statement[] = [];
  for (const { memory } of closings) {
    const own = memory.takeChanges();
    if (own) changes.push(own);
    else others.push(...memory.statements());
  }
  return [...others, ...storeChanges(changes), moveClocks(closings.map(({ move }) => move))];
}

function settleGroup({ group: { accountId, jobs: waiting }, memory, ends, feedSeq }: Ran, queued: Queued): void {
  const jobs = waiting.splice(0);
  for (const end of ends) {
    if ("error" in end) end.job.fail(end.error);
    else end.job.settle(end.ending);
  }
  if (memory.fannedOut.length > 0) {
    const { leased, free } = queuedDeliveries(accountId, queued, memory.fannedOut);
    jobs[0]?.deps.deliveries?.handOver(leased);
    for (const deliveries of new Set(jobs.map(({ deps }) => deps.deliveries))) deliveries?.announce(free);
  }
  if (feedSeq === undefined) return;
  for (const feed of new Set(jobs.map(({ deps }) => deps.feed))) feed?.announce(accountId);
}

/** What one statement is for: all accounts, or one. */
function inParts<T>(all: readonly T[], { together }: BatchMode): (readonly T[])[] {
  return together ? [all] : all.map((one) => [one]);
}
