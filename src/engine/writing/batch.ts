import type { QueryResult } from "pg";
import { whileConnectionIsHeld } from "../../db/held-connection.ts";
import type { Client } from "../../db/pool.ts";
import { commit, isUnavailable, rollback, sendTogether } from "../../db/transaction.ts";
import { queuedEndpoints } from "../deliveries/fan-out.ts";
import { loadStatement } from "../resources/read-one.ts";
import { type ClockRow, lockClock, moveClock, nextInstant } from "./account-clock.ts";
import { BatchMemory } from "./batch-memory.ts";
import { Draft } from "./draft.ts";
import type { Ending, Job } from "./job.ts";
import { type FoundResponse, findResponses } from "./stored-responses.ts";

/** After this time a batch takes no more jobs, so that its first does not wait long for the COMMIT. */
const maxDurationMs = 10;

/** The batch could not be committed, and none of its jobs has been settled. */
export interface LostBatch {
  error: unknown;
  /** The database is away or too slow: another attempt would wait as long, and nobody knows whether this one was stored. */
  isFinal: boolean;
}

type Told = { job: Job; ending: Ending } | { job: Job; error: unknown };

/**
 * Runs the jobs one after another in one transaction of two round trips, besides what they read. A job that fails is left
 * out. Jobs for which no time is left are taken out of `jobs` and returned in `left`. Releases the connection.
 */
export async function runBatch(
  client: Client,
  accountId: string,
  jobs: Job[],
): Promise<{ left: Job[]; lost?: LostBatch }> {
  let left: Job[] = [];
  try {
    const { memory, clock, found } = await open(client, accountId, jobs);
    const told = await whileConnectionIsHeld(() => tellAll(memory, jobs, clock, found));
    left = jobs.splice(told.ends.length);
    if (told.kept.length === 0) {
      await rollback(client);
    } else {
      const last = told.kept.at(-1)!;
      const earlier = await memory.results();
      const closing = [...memory.statements(), moveClock(accountId, last.seq, last.at, told.feedSeq)];
      const results = [...earlier, ...(await commit(client, closing))];
      client.release();
      wakeListeners(accountId, jobs, results, told.feedSeq !== undefined);
    }
    for (const end of told.ends) {
      if ("error" in end) end.job.fail(end.error);
      else end.job.settle(end.ending);
    }
    return { left };
  } catch (error) {
    await rollback(client);
    return { left, lost: { error, isFinal: isUnavailable(error) } };
  }
}

/** Locks the clock, then reads what is known to be needed: stored responses, and the records to edit. */
async function open(client: Client, accountId: string, jobs: readonly Job[]) {
  const once = jobs.flatMap((job) => job.once ?? []);
  const operations = once.map(({ lock }) => lock);
  const hasOthers = once.length < jobs.length;
  const targets = Map.groupBy(
    jobs.flatMap(({ target }) => target ?? []),
    ({ resource }) => resource,
  );
  const [, locked, ...read] = await sendTogether(client, [
    "begin",
    lockClock(accountId, operations, hasOthers),
    ...(once.length > 0 ? [findResponses(accountId, once)] : []),
    ...Array.from(targets).map(([resource, some]) =>
      loadStatement(resource, accountId, [...new Set(some.map(({ id }) => id))]),
    ),
  ]);
  const stored = once.length > 0 ? read.shift()!.rows : [];
  const clock = locked!.rows[0] as ClockRow | undefined;
  if (!clock && hasOthers) throw new Error(`Account ${accountId} has no clock`);
  const memory = new BatchMemory(client, accountId, clock?.fans_out ?? false);
  for (const [i, resource] of [...targets.keys()].entries()) memory.remember(resource, read[i]!.rows);
  const found = new Map((stored as FoundResponse[]).map((row) => [row.key, row]));
  return { memory, clock, found };
}

/** Runs each job on what the ones before it left. */
async function tellAll(
  memory: BatchMemory,
  jobs: readonly Job[],
  clock: ClockRow | undefined,
  found: ReadonlyMap<string, FoundResponse>,
): Promise<{ ends: Told[]; kept: Draft[]; feedSeq: number | undefined }> {
  const startedAt = performance.now();
  const ends: Told[] = [];
  const kept: Draft[] = [];
  const free = [...(clock?.free ?? [])];
  let feedSeq: number | undefined;
  for (const job of jobs) {
    if (ends.length > 0 && performance.now() - startedAt > maxDurationMs) break;
    const isFree = job.once ? (free.shift() ?? false) : true;
    // A completed operation is replayed even while another retry holds its lock.
    const earlier = job.once && found.get(job.once.key);
    if (earlier || !isFree) {
      ends.push({ job, ending: earlier ? { kind: "earlier", response: earlier } : { kind: "in-progress" } });
      continue;
    }
    const before = kept.at(-1) ?? { seq: clock!.seq, at: clock!.ts };
    const now = job.deps.clock.now();
    const draft = new Draft(memory, {
      seq: before.seq + 1,
      at: nextInstant(before.at, now),
      recordsEvents: clock!.records_events,
      requestId: job.requestId,
    });
    memory.hasForeignChanges = false;
    let isStored = false;
    try {
      const response = await job.run(draft);
      isStored = !draft.isDiscarded;
      if (isStored && draft.keep(now, response && { at: draft.at, once: job.once!, response })) feedSeq = draft.seq;
      ends.push({ job, ending: { kind: "written" } });
    } catch (error) {
      // Without the others, its own rollback is all it takes.
      if (memory.isBroken && jobs.length > 1) throw error;
      ends.push({ job, error });
    }
    if (isStored) kept.push(draft);
    else if (memory.hasForeignChanges && jobs.length > 1) throw new LeftOverChanges();
  }
  return { ends, kept, feedSeq };
}

/** A job was left out whose own statements cannot be taken back without the others. */
class LeftOverChanges extends Error {}

function wakeListeners(accountId: string, jobs: readonly Job[], results: QueryResult[], movedFeed: boolean): void {
  const endpoints = queuedEndpoints(results);
  for (const deliveries of new Set(jobs.map(({ deps }) => deps.deliveries))) deliveries?.announce(endpoints);
  if (movedFeed) for (const feed of new Set(jobs.map(({ deps }) => deps.feed))) feed?.announce(accountId);
}
