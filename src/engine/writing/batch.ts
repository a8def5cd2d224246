import type { QueryResult } from "pg";
import { whileConnectionIsHeld } from "../../db/held-connection.ts";
import { sendPacket } from "../../db/packet.ts";
import type { Client } from "../../db/pool.ts";
import type { Statement } from "../../db/sql.ts";
import { commit, rollback } from "../../db/transaction.ts";
import { queuedDeliveries } from "../deliveries/fan-out.ts";
import { loadStatement } from "../resources/read-one.ts";
import { type ClockRow, lockClock, moveClock, nextInstant } from "./account-clock.ts";
import { BatchMemory } from "./batch-memory.ts";
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

/** What became of the groups of a batch. Of those in neither list every job is settled or failed. */
export interface BatchResult {
  /** Their account's clock is locked by another transaction. Only if the batch may not wait. */
  locked: Group[];
  /** The time was over. */
  left: Group[];
}

type End = { job: Job; ending: Ending } | { job: Job; error: unknown };

interface Opened {
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
 * out. Throws when the transaction is lost; then no job has been settled. Releases the connection.
 */
export async function runBatch(client: Client, groups: readonly Group[], mayWait: boolean): Promise<BatchResult> {
  const { locked, stored } = await store(client, groups, mayWait);
  for (const one of stored) {
    const jobs = one.group.jobs.splice(0, one.ran.ends.length);
    for (const end of one.ran.ends) {
      if ("error" in end) end.job.fail(end.error);
      else end.job.settle(end.ending);
    }
    wakeListeners(one, jobs);
  }
  return { locked, left: stored.map(({ group }) => group).filter(({ jobs }) => jobs.length > 0) };
}

/** A group that ran, with the results of its statements. */
interface Stored {
  group: Group;
  memory: BatchMemory;
  ran: Ran;
  results: QueryResult[];
}

async function store(
  client: Client,
  groups: readonly Group[],
  mayWait: boolean,
): Promise<{ locked: Group[]; stored: Stored[] }> {
  try {
    const opened = await open(client, groups, mayWait);
    const ready = opened.filter(({ clock }) => clock || mayWait);
    const ran = await whileConnectionIsHeld(() => runGroups(ready));
    const results = await close(client, ready, ran);
    return {
      locked: opened.filter((one) => !ready.includes(one)).map(({ group }) => group),
      stored: ready.map(({ group, memory }, i) => ({ group, memory, ran: ran[i]!, results: results[i] ?? [] })),
    };
  } catch (error) {
    await rollback(client);
    throw error;
  }
}

/** Locks the clocks, then reads what is known to be needed: stored responses, and the records to edit. */
async function open(client: Client, groups: readonly Group[], mayWait: boolean): Promise<Opened[]> {
  const openings = groups.map((group) => openingOf(group, mayWait));
  const [, ...results] = await sendPacket(client, ["begin", ...openings.flatMap(({ statements }) => statements)]);
  return openings.map((opening) => opening.read(client, results.splice(0, opening.statements.length)));
}

function openingOf(group: Group, mayWait: boolean) {
  const { accountId, jobs } = group;
  const once = jobs.flatMap((job) => job.once ?? []);
  const operations = once.map(({ lock }) => lock);
  const hasOthers = once.length < jobs.length;
  const targets = Map.groupBy(
    jobs.flatMap(({ target }) => target ?? []),
    ({ resource }) => resource,
  );
  const kinds = [...targets.keys()];
  const statements: Statement[] = [
    lockClock(accountId, { operations, hasOthers, mayWait }),
    ...kinds.map((kind) => loadStatement(kind, accountId, [...new Set(targets.get(kind)!.map(({ id }) => id))])),
    ...(once.length > 0 ? [findResponses(accountId, once)] : []),
  ];
  return {
    statements,
    read(client: Client, [locked, ...others]: QueryResult[]): Opened {
      const clock = locked!.rows[0] as ClockRow | undefined;
      if (!clock && hasOthers && mayWait) throw new Error(`Account ${accountId} has no clock`);
      const rooms = () => jobs[0]!.deps.deliveries?.roomOf(accountId) ?? [];
      const memory = new BatchMemory(client, accountId, clock?.fans_out ? { rooms } : undefined);
      for (const [i, kind] of kinds.entries()) memory.remember(kind, others[i]!.rows);
      const rows = (others[kinds.length]?.rows ?? []) as FoundResponse[];
      return { group, clock, memory, found: new Map(rows.map((row) => [row.key, row])) };
    },
  };
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
    if (draft.keep(now, end.response && { at: draft.at, once: job.once!, response: end.response }))
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

/** Stores what the jobs have collected, if anything, and returns the results of each account's statements. */
async function close(client: Client, ready: readonly Opened[], ran: readonly Ran[]): Promise<QueryResult[][]> {
  if (ran.every(({ kept }) => kept.length === 0)) {
    await rollback(client);
    return [];
  }
  const closings = ready.map(({ group, clock, memory }, i) => {
    const { kept, feedSeq } = ran[i]!;
    const last = kept.at(-1);
    if (!last) return [];
    return [
      ...memory.statements(),
      moveClock(group.accountId, { from: clock!.seq, seq: last.seq, ts: last.at, feedSeq }),
    ];
  });
  const results = await commit(client, closings.flat());
  client.release();
  return closings.map(({ length }, i) => [...ready[i]!.memory.results(), ...results.splice(0, length)]);
}

function wakeListeners({ group, memory, ran, results }: Stored, jobs: readonly Job[]): void {
  const { accountId } = group;
  if (memory.fannedOut.length > 0) {
    const { leased, free } = queuedDeliveries(accountId, results, memory.fannedOut);
    jobs[0]?.deps.deliveries?.handOver(leased);
    for (const deliveries of new Set(jobs.map(({ deps }) => deps.deliveries))) deliveries?.announce(free);
  }
  if (ran.feedSeq === undefined) return;
  for (const feed of new Set(jobs.map(({ deps }) => deps.feed))) feed?.announce(accountId);
}
