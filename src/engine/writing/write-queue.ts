import { isCitusPool } from "../../db/distribute.ts";
import type { Client, Pool } from "../../db/pool.ts";
import { isRetired } from "../../db/retire-connections.ts";
import { isDown, isUnavailable, rollback } from "../../db/transaction.ts";
import { isClockMoved } from "./account-clock.ts";
import { type BatchMode, type Group, openBatch, runBatch } from "./batch.ts";
import type { Job } from "./job.ts";

/** The most jobs of one account, and the most accounts, in one transaction. */
const maxJobs = 64;
const maxAccounts = 32;
/**
 * How many transactions of short jobs run at once. While one does, the next jobs gather, because a call in a batch of thirty takes half
 * the processor of one in a batch of ten; the second starts when the first takes longer than this, and may be stuck.
 */
const maxShared = 2;
const gatherMs = 50;

/** The longest queue of one account. Clients further back would have given up before their write ran. */
export const maxQueuedWrites = 128;

/** The account's queue is full. The code is PostgreSQL's insufficient_resources, which callers treat as temporary. */
export class WriteQueueFullError extends Error {
  readonly code = "53000";
}

interface Queue {
  pool: Pool;
  /** The jobs that wait, by account. */
  waiting: Map<string, Job[]>;
  /** Accounts with waiting jobs and none running: those that waited longest come first. */
  ready: Set<string>;
  /** Accounts with running jobs. */
  running: Set<string>;
  shared: number;
  /** When the last shared transaction was started, on the process's own clock. */
  sharedAtMs: number;
  gathering?: NodeJS.Timeout | undefined;
}

const queues = new WeakMap<Pool, Queue>();

function newQueue(pool: Pool): Queue {
  return { pool, waiting: new Map(), ready: new Set(), running: new Set(), shared: 0, sharedAtMs: 0 };
}

/**
 * Adds a write to its account's queue. The account's clock serializes these writes anyway; queueing them here takes no
 * connection each, and those that wait share the next transaction, with one lock, one statement per table and one wait for
 * the disk. Short writes of several accounts share one as well; such a transaction waits for nobody's clock.
 */
export function enqueueWrite(accountId: string, job: Job): void {
  const { pool } = job.deps;
  const queue = queues.get(pool) ?? newQueue(pool);
  queues.set(pool, queue);
  const jobs = queue.waiting.get(accountId) ?? [];
  if (jobs.length >= maxQueuedWrites) {
    job.fail(new WriteQueueFullError(`${maxQueuedWrites} writes are queued for account ${accountId}`));
    return;
  }
  jobs.push(job);
  queue.waiting.set(accountId, jobs);
  if (queue.running.has(accountId)) return;
  queue.ready.add(accountId);
  schedule(queue);
}

export function isWriteQueueFull(pool: Pool, accountId: string): boolean {
  return (queues.get(pool)?.waiting.get(accountId)?.length ?? 0) >= maxQueuedWrites;
}

/** Starts what may run now: accounts with a long job at once, those with short jobs as room is. */
function schedule(queue: Queue): void {
  for (const accountId of queue.ready) if (!isShort(queue, accountId)) void runLong(queue, accountId);
  while (queue.ready.size > 0 && queue.shared < maxShared && !isGathering(queue)) {
    queue.shared += 1;
    void runShared(queue, nextAccounts(queue)).finally(() => {
      queue.shared -= 1;
      schedule(queue);
    });
  }
}

/** Marks as running the accounts whose short jobs are next: those that are ready, and `going` if more of their jobs wait. */
function nextAccounts(queue: Queue, going: readonly string[] = []): string[] {
  queue.sharedAtMs = performance.now();
  const waiting = going.filter((id) => queue.waiting.has(id));
  const accountIds = [...queue.ready, ...waiting].filter((id) => isShort(queue, id)).slice(0, maxAccounts);
  for (const id of accountIds) start(queue, id);
  return accountIds;
}

function start(queue: Queue, accountId: string): void {
  queue.ready.delete(accountId);
  queue.running.add(accountId);
}

async function runLong(queue: Queue, accountId: string): Promise<void> {
  start(queue, accountId);
  await runTaken(queue, take(queue, accountId));
  release(queue, accountId);
}

function isGathering(queue: Queue): boolean {
  const leftMs = queue.sharedAtMs + gatherMs - performance.now();
  if (queue.shared === 0 || leftMs <= 0) return false;
  queue.gathering ??= setTimeout(() => {
    queue.gathering = undefined;
    schedule(queue);
  }, leftMs);
  return true;
}

function isShort({ waiting }: Queue, accountId: string): boolean {
  return waiting.get(accountId)?.[0]?.isShort ?? true;
}

function release(queue: Queue, accountId: string): void {
  queue.running.delete(accountId);
  if (!queue.waiting.has(accountId)) return;
  queue.ready.add(accountId);
  schedule(queue);
}

/** The next jobs of an account. Long ones and short ones do not mix, since the short would wait for the long. */
function take({ waiting }: Queue, accountId: string): Group {
  const all = waiting.get(accountId) ?? [];
  const isFirstShort = all[0]?.isShort;
  const other = all.findIndex((job) => job.isShort !== isFirstShort);
  const jobs = all.splice(0, Math.min(maxJobs, other === -1 ? all.length : other));
  if (all.length === 0) waiting.delete(accountId);
  return { accountId, jobs };
}

function putBack({ waiting }: Queue, { accountId, jobs }: Group): void {
  waiting.set(accountId, [...jobs, ...(waiting.get(accountId) ?? [])]);
}

async function runTaken(queue: Queue, group: Group): Promise<void> {
  const unavailable = await runAlone(queue.pool, group);
  if (group.jobs.length > 0) putBack(queue, group);
  // The lock or the database is unavailable: those behind would each wait as long for the same error.
  if (unavailable !== undefined) failAll(queue.waiting.get(group.accountId) ?? [], unavailable);
  if (queue.waiting.get(group.accountId)?.length === 0) queue.waiting.delete(group.accountId);
}

/** Runs short jobs of these accounts, and of all that have some by the time these are stored. */
async function runShared(queue: Queue, accountIds: readonly string[]): Promise<void> {
  try {
    const mode = { mayWait: false, together: !(await isCitusPool(queue.pool)) };
    const client = await queue.pool.connect();
    // Jobs that came while a connection was awaited go along.
    const groups = accountIds.map((id) => take(queue, id));
    await runInTurn(queue, client, mode, groups);
  } catch (error) {
    for (const id of accountIds) failAll(take(queue, id).jobs, error);
    for (const id of accountIds) release(queue, id);
  }
}

/**
 * Runs one batch after another on a connection. The next one is opened before the jobs of the last are answered: PostgreSQL
 * works on the one while the service sends the other.
 */
async function runInTurn(queue: Queue, client: Client, mode: BatchMode, first: Group[]): Promise<void> {
  let groups = first;
  try {
    for (let opening = openBatch(client, groups, mode); groups.length > 0; ) {
      const { locked, left, settle } = await runBatch(client, opening, mode);
      for (const group of left) putBack(queue, group);
      const done = groups.filter((group) => !locked.includes(group)).map(({ accountId }) => accountId);
      groups = isRetired(client) ? [] : nextAccounts(queue, done).map((id) => take(queue, id));
      if (groups.length > 0) opening = openBatch(client, groups, mode);
      settle();
      // They wait for their clocks without holding up the others.
      for (const group of locked) void runTaken(queue, group).then(() => release(queue, group.accountId));
      const going = new Set(groups.map(({ accountId }) => accountId));
      for (const id of done) if (!going.has(id)) release(queue, id);
    }
    client.release();
  } catch (error) {
    await rollback(client);
    if (isDown(error)) for (const { jobs } of groups) failAll(jobs, error);
    else await Promise.all(groups.map((group) => runTaken(queue, group)));
    for (const { accountId } of groups) release(queue, accountId);
  }
}

/**
 * Runs jobs of one account, waiting for its clock. Those for which no time was left stay in the group. Returns the error
 * if the lock or the database is unavailable.
 */
async function runAlone(pool: Pool, group: Group, mayRepeat = true): Promise<unknown> {
  try {
    await runOnce(await pool.connect(), group);
  } catch (error) {
    if (mayRepeat && isClockMoved(error)) return runAlone(pool, group, false);
    if (group.jobs.length > 1 && !isUnavailable(error)) return runOneByOne(pool, group);
    failAll(group.jobs, error);
    if (isUnavailable(error)) return error;
  }
  return undefined;
}

async function runOnce(client: Client, group: Group): Promise<void> {
  const mode = { mayWait: true, together: false };
  try {
    const { left, settle } = await runBatch(client, openBatch(client, [group], mode), mode);
    client.release();
    settle();
    for (const { jobs } of left) group.jobs.push(...jobs);
  } catch (error) {
    await rollback(client);
    throw error;
  }
}

/** One of them makes their transaction fail: alone, it fails alone. */
async function runOneByOne(pool: Pool, { accountId, jobs }: Group): Promise<unknown> {
  while (jobs.length > 0) {
    const unavailable = await runAlone(pool, { accountId, jobs: jobs.splice(0, 1) });
    if (unavailable !== undefined) {
      failAll(jobs, unavailable);
      return unavailable;
    }
  }
  return undefined;
}

function failAll(jobs: Job[], error: unknown): void {
  for (const job of jobs.splice(0)) job.fail(error);
}
