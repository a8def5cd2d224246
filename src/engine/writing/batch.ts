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
import { answer, BatchMemory } from "./batch-memory.ts";
import { type Changes, storeChanges } from "./changes.ts";
import { Draft, type Place } from "./draft.ts";
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
  /** The first job, if it reads first. */
  begun: Begun | undefined;
}

/** A job that runs. */
interface Begun {
  draft: Draft;
  end: Promise<End & { response?: StoredResponse | undefined }>;
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
 * Begins a batch: locks the clocks, then reads what is known to be needed, stored responses, the records to edit, and what a
 * job that reads first asks for.
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
  const memories = groups.map(({ accountId }) => new BatchMemory(client, accountId));
  // Only the first can: the others read what those before them changed.
  const begun = groups.map(({ jobs: [job] }, i) =>
    job?.readsFirst && mode.mayWait ? whileConnectionIsHeld(() => begin(job, memories[i]!)) : undefined,
  );
  const asked = memories.map((memory) => memory.takeAsked());
  /** The connection is free for others when this throws: nobody must be using it. */
  const giveUp = async (error: unknown): Promise<never> => {
    for (const [i, memory] of memories.entries()) memory.refuse(asked[i]!, error);
    for (const one of begun) await one?.end;
    for (const memory of memories) memory.close();
    throw error;
  };
  const first = asked.flat().map(({ statement }) => statement);
  const sent = sendPacket(client, ["begin", ...locks, ...loads, ...finds, ...first]);
  const [, ...results] = await sent.catch(giveUp);
  const rowsOf = (statements: readonly Statement[]) =>
    results.splice(0, statements.length).map(({ rows }) => rows as unknown[]);
  const clocks = new Map((rowsOf(locks).flat() as ClockRow[]).map((clock) => [clock.account_id, clock]));
  const loaded = rowsOf(loads) as LoadedRow[][];
  const found = Map.groupBy(rowsOf(finds).flat() as FoundResponse[], ({ account_id }) => account_id);
  const missing = groups.find(({ accountId }, i) => !clocks.has(accountId) && wanted[i]!.hasOthers);
  if (missing && mode.mayWait) return giveUp(new Error(`Account ${missing.accountId} has no clock`));
  return groups.map((group, i) => {
    const { accountId, jobs } = group;
    const clock = clocks.get(accountId);
    const memory = memories[i]!;
    const rooms = () => jobs[0]!.deps.deliveries?.roomOf(accountId) ?? [];
    if (clock?.fans_out) memory.subscribers = { rooms };
    for (const kind of wanted[i]!.targets.keys()) memory.remember(kind, loaded.shift()!);
    begun[i]?.draft.placeAt(placeAfter(undefined, clock!, jobs[0]!));
    answer(asked[i]!, results.splice(0, asked[i]!.length));
    const responses = new Map(found.get(accountId)?.map((one) => [one.key, one]));
    return { group, clock, memory, found: responses, begun: begun[i] };
  });
}

function begin(job: Job, memory: BatchMemory, place?: Place): Begun {
  const draft = new Draft(memory, job.requestId);
  if (place) draft.placeAt(place);
  memory.hasDirectChanges = false;
  return { draft, end: runJob(job, draft) };
}

function placeAfter(before: Draft | undefined, clock: ClockRow, { deps }: Job): Place {
  const now = deps.clock.now();
  const { seq, at, eventSeq } = before?.end ?? { seq: clock.seq, at: clock.ts, eventSeq: clock.event_seq };
  return { seq: seq + 1, at: nextInstant(at, now), eventSeq, now, recordsEvents: clock.records_events };
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
  for (const { group, clock, memory, found, begun } of ready) {
    const ran: Ran = { ends: [], kept: [], feedSeq: undefined };
    const free = [...(clock?.free ?? [])];
    for (const job of group.jobs) {
      if (all.length + ran.ends.length > 0 && performance.now() - startedAt > maxDurationMs) break;
      const isFree = job.once ? (free.shift() ?? false) : true;
      // A completed operation is replayed even while another retry holds its lock.
      const earlier = job.once && found.get(job.once.key);
      if (earlier) ran.ends.push({ job, ending: { kind: "earlier", response: earlier } });
      else if (isFree) {
        const isBegun = job === group.jobs[0] && begun;
        const running = isBegun || begin(job, memory, placeAfter(ran.kept.at(-1), clock!, job));
        await keepEnd(running, job, ran, memory, isAlone);
      } else ran.ends.push({ job, ending: { kind: "in-progress" } });
    }
    all.push(ran);
  }
  return all;
}

async function keepEnd(begun: Begun, job: Job, ran: Ran, memory: BatchMemory, isAlone: boolean): Promise<void> {
  const { draft } = begun;
  const end = await begun.end;
  if ("error" in end && memory.isBroken && !isAlone) throw end.error;
  if ("error" in end || draft.isDiscarded) {
    if (memory.hasDirectChanges && !isAlone) throw new LeftOverChanges();
  } else {
    // If this throws, the memory holds half of the write, and the batch is lost.
    const { accountId, at, seq } = draft;
    if (draft.keep(end.response && { accountId, at, once: job.once!, response: end.response })) ran.feedSeq = seq;
    ran.kept.push(draft);
  }
  ran.ends.push(end);
}

async function runJob(job: Job, draft: Draft): Begun["end"] {
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
  for (const { memory } of ready) memory.close();
  const closings = ready.flatMap(({ group: { accountId }, clock, memory }, i): Closing[] => {
    const { kept, feedSeq } = ran[i]!;
    const last = kept.at(-1)?.end;
    return last ? [{ memory, move: { accountId, from: clock!.seq, ...last, feedSeq } }] : [];
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
