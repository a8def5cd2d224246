import type { QueryResult } from "pg";
import { whileConnectionIsHeld } from "../../db/held-connection.ts";
import { sendPacket } from "../../db/packet.ts";
import type { Client } from "../../db/pool.ts";
import type { Statement } from "../../db/sql.ts";
import { commit } from "../../db/transaction.ts";
import { type Queued, queuedBy, queuedDeliveries } from "../deliveries/fan-out.ts";
import { type LoadedRow, loadStatement } from "../resources/read-one.ts";
import type { Resource } from "../resources/resource.ts";
import { type ClockMove, type ClockRow, lockClocks, moveClocks, nextInstant } from "./account-clock.ts";
import { BatchMemory } from "./batch-memory.ts";
import { type Changes, storeChanges } from "./changes.ts";
import { Draft } from "./draft.ts";
import type { Ending, Job } from "./job.ts";
import { type FoundResponse, findResponses, type StoredResponse } from "./stored-responses.ts";

/** After this time a batch runs no more jobs, so that its first does not wait long for the COMMIT. */
const maxDurationMs = 10;

/** Waiting jobs of one account, in their order. */
export interface Group {
  accountId: string;
  jobs: Job[];
}

export interface BatchMode {
  /** Whether to wait for a clock that another transaction holds. Only for a single group. */
  mayWait: boolean;
  /** Whether one statement may be for several accounts: not where tables are distributed. */
  together: boolean;
}

/** A batch that has been stored. */
export interface Stored {
  /** Their account's clock is locked by another transaction. Only if the batch may not wait. */
  locked: Group[];
  /** The time was over before these jobs ran. They are no longer in their group. */
  left: Group[];
  /** Tells every job that ran how it ended. */
  settle(): void;
}

type End = { job: Job; ending: Ending } | { job: Job; error: unknown };

/** A group whose clock is locked, if there is one, with what was read for its jobs. */
export interface Opened {
  group: Group;
  clock: ClockRow | undefined;
  memory: BatchMemory;
  found: ReadonlyMap<string, FoundResponse>;
}

interface Ran {
  ends: End[];
  kept: Draft[];
  feedSeq: number | undefined;
}

/**
 * Runs the jobs one after another in one transaction of two round trips, besides what they read. A job that fails is left
 * out. Throws when the transaction is lost. No job has been settled then, nor before `settle` is called.
 */
export async function runBatch(client: Client, opening: Promise<Opened[]>, mode: BatchMode): Promise<Stored> {
  const opened = await opening;
  const ready = opened.filter(({ clock }) => clock || mode.mayWait);
  const ran = await whileConnectionIsHeld(() => runGroups(ready));
  const results = await close(client, ready, ran, mode);
  const left = ready.map(({ group: { accountId, jobs } }, i) => ({
    accountId,
    jobs: jobs.splice(ran[i]!.ends.length),
  }));
  return {
    locked: opened.filter((one) => !ready.includes(one)).map(({ group }) => group),
    left: left.filter(({ jobs }) => jobs.length > 0),
    settle() {
      const queued = queuedBy([...ready.flatMap(({ memory }) => memory.results()), ...results]);
      for (const [i, { group, memory }] of ready.entries()) settleGroup(group, memory, ran[i]!, queued);
    },
  };
}

function settleGroup(group: Group, memory: BatchMemory, ran: Ran, queued: Queued): void {
  const jobs = group.jobs.splice(0);
  for (const end of ran.ends) {
    if ("error" in end) end.job.fail(end.error);
    else end.job.settle(end.ending);
  }
  wakeListeners(group.accountId, memory, ran, queued, jobs);
}

/**
 * Begins a batch: locks the clocks, then reads what is known to be needed, stored responses and the records to edit.
 */
export async function openBatch(client: Client, groups: readonly Group[], mode: BatchMode): Promise<Opened[]> {
  const wanted = groups.map(wantedOf);
  const locks = inParts(wanted, mode).map((part) => lockClocks(part, mode.mayWait));
  const loads = wanted.flatMap(({ accountId, targets }) =>
    Array.from(targets, ([kind, ids]) => loadStatement(kind, accountId, [...ids])),
  );
  const finds = inParts(wanted, mode)
    .map((part) => part.flatMap(({ accountId, once }) => once.map((one) => ({ accountId, once: one }))))
    .flatMap((keys) => (keys.length > 0 ? [findResponses(keys)] : []));
  const [, ...results] = await sendPacket(client, ["begin", ...locks, ...loads, ...finds]);
  const rowsOf = (statements: readonly Statement[]) =>
    results.splice(0, statements.length).map(({ rows }) => rows as unknown[]);
  const clocks = new Map((rowsOf(locks).flat() as ClockRow[]).map((clock) => [clock.account_id, clock]));
  const loaded = rowsOf(loads) as LoadedRow[][];
  const found = Map.groupBy(rowsOf(finds).flat() as FoundResponse[], ({ account_id }) => account_id);
  return groups.map((group, i) => {
    const { accountId, jobs } = group;
    const clock = clocks.get(accountId);
    if (!clock && wanted[i]!.hasOthers && mode.mayWait) throw new Error(`Account ${accountId} has no clock`);
    const rooms = () => jobs[0]!.deps.deliveries?.roomOf(accountId) ?? [];
    const memory = new BatchMemory(client, accountId, clock?.fans_out ? { rooms } : undefined);
    for (const kind of wanted[i]!.targets.keys()) memory.remember(kind, loaded.shift()!);
    return { group, clock, memory, found: new Map(found.get(accountId)?.map((one) => [one.key, one])) };
  });
}

/** What one statement is for: all accounts, or one. */
function inParts<T>(all: readonly T[], { together }: BatchMode): (readonly T[])[] {
  return together ? [all] : all.map((one) => [one]);
}

function wantedOf({ accountId, jobs }: Group) {
  const once = jobs.flatMap((job) => job.once ?? []);
  const targets = new Map<Resource, Set<string>>();
  for (const { target } of jobs)
    if (target) targets.set(target.resource, (targets.get(target.resource) ?? new Set()).add(target.id));
  return { accountId, once, targets, operations: once.map(({ lock }) => lock), hasOthers: once.length < jobs.length };
}

/** Runs the jobs of each account in turn, each on what the ones before it left. */
async function runGroups(ready: readonly Opened[]): Promise<Ran[]> {
  const startedAt = performance.now();
  const isAlone = ready.length === 1 && ready[0]!.group.jobs.length === 1;
  const all: Ran[] = [];
  for (const { group, clock, memory, found } of ready) {
    const ran: Ran = { ends: [], kept: [], feedSeq: undefined };
    const free = [...(clock?.free ?? [])];
    for (const job of group.jobs) {
      if (all.length + ran.ends.length > 0 && performance.now() - startedAt > maxDurationMs) break;
      const isFree = job.once ? (free.shift() ?? false) : true;
      // A completed operation is replayed even while another retry holds its lock.
      const earlier = job.once && found.get(job.once.key);
      if (earlier) ran.ends.push({ job, ending: { kind: "earlier", response: earlier } });
      else if (isFree) await runAndKeep(job, ran, clock!, memory, isAlone);
      else ran.ends.push({ job, ending: { kind: "in-progress" } });
    }
    all.push(ran);
  }
  return all;
}

async function runAndKeep(job: Job, ran: Ran, clock: ClockRow, memory: BatchMemory, isAlone: boolean): Promise<void> {
  const before = ran.kept.at(-1) ?? { seq: clock.seq, at: clock.ts };
  const now = job.deps.clock.now();
  const draft = new Draft(memory, {
    seq: before.seq + 1,
    at: nextInstant(before.at, now),
    recordsEvents: clock.records_events,
    requestId: job.requestId,
  });
  memory.hasDirectChanges = false;
  const end = await runJob(job, draft);
  if ("error" in end && memory.isBroken && !isAlone) throw end.error;
  if ("error" in end || draft.isDiscarded) {
    if (memory.hasDirectChanges && !isAlone) throw new LeftOverChanges();
  } else {
    // If this throws, the memory holds half of the write, and the batch is lost.
    if (
      draft.keep(
        now,
        end.response && { accountId: draft.accountId, at: draft.at, once: job.once!, response: end.response },
      )
    )
      ran.feedSeq = draft.seq;
    ran.kept.push(draft);
  }
  ran.ends.push(end);
}

async function runJob(job: Job, draft: Draft): Promise<End & { response?: StoredResponse | undefined }> {
  try {
    return { job, ending: { kind: "written" }, response: await job.run(draft) };
  } catch (error) {
    return { job, error };
  }
}

/** A job was left out whose own statements cannot be taken back without the others. */
class LeftOverChanges extends Error {}

/** Stores what the jobs have collected, if anything. */
async function close(
  client: Client,
  ready: readonly Opened[],
  ran: readonly Ran[],
  mode: BatchMode,
): Promise<QueryResult[]> {
  const closings = ready.flatMap(({ group: { accountId }, clock, memory }, i): Closing[] => {
    const { kept, feedSeq } = ran[i]!;
    const last = kept.at(-1);
    return last ? [{ memory, move: { accountId, from: clock!.seq, seq: last.seq, ts: last.at, feedSeq } }] : [];
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

function wakeListeners(accountId: string, memory: BatchMemory, ran: Ran, queued: Queued, jobs: readonly Job[]): void {
  if (memory.fannedOut.length > 0) {
    const { leased, free } = queuedDeliveries(accountId, queued, memory.fannedOut);
    jobs[0]?.deps.deliveries?.handOver(leased);
    for (const deliveries of new Set(jobs.map(({ deps }) => deps.deliveries))) deliveries?.announce(free);
  }
  if (ran.feedSeq === undefined) return;
  for (const feed of new Set(jobs.map(({ deps }) => deps.feed))) feed?.announce(accountId);
}
