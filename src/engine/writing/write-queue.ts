import type { Pool } from "../../db/pool.ts";
import { runBatch } from "./batch.ts";
import type { Job } from "./job.ts";

/** The most jobs in one transaction. */
const maxJobs = 64;

/** The longest queue of one account. Clients further back would have given up before their write ran. */
export const maxQueuedWrites = 128;

/** The account's queue is full. The code is PostgreSQL's insufficient_resources, which callers treat as temporary. */
export class WriteQueueFullError extends Error {
  readonly code = "53000";
}

const queues = new WeakMap<Pool, Map<string, Job[]>>();

/**
 * Adds a write to its account's queue. The account's clock serializes these writes anyway; queueing them here takes no
 * connection each, and those that wait share the next transaction, with one lock, one statement per table and one wait for
 * the disk.
 */
export function enqueueWrite(accountId: string, job: Job): void {
  const { pool } = job.deps;
  const byAccount = queues.get(pool) ?? new Map<string, Job[]>();
  queues.set(pool, byAccount);
  const waiting = byAccount.get(accountId);
  if (waiting) {
    if (isWriteQueueFull(pool, accountId))
      job.fail(new WriteQueueFullError(`${maxQueuedWrites} writes are queued for account ${accountId}`));
    else waiting.push(job);
    return;
  }
  const jobs = [job];
  byAccount.set(accountId, jobs);
  void drain(pool, accountId, jobs, () => byAccount.delete(accountId));
}

export function isWriteQueueFull(pool: Pool, accountId: string): boolean {
  return (queues.get(pool)?.get(accountId)?.length ?? 0) >= maxQueuedWrites;
}

/** For a job that must not wait behind the account's other writes. */
export function writeOutsideQueue(accountId: string, job: Job): void {
  void drain(job.deps.pool, accountId, [job]);
}

/** `close` runs in the same tick as the last check of the queue, so that no job joins a finished one. */
async function drain(pool: Pool, accountId: string, waiting: Job[], close?: () => void): Promise<void> {
  while (waiting.length > 0) {
    try {
      const client = await pool.connect();
      const jobs = waiting.splice(0, maxJobs);
      const { left, lost } = await runBatch(client, accountId, jobs);
      waiting.unshift(...left);
      if (!lost) continue;
      if (jobs.length > 1 && !lost.isFinal) await runOneByOne(pool, accountId, jobs);
      else for (const job of jobs) job.fail(lost.error);
      // The lock or the database is unavailable: the others would each wait as long for the same error.
      if (lost.isFinal) failAll(waiting, lost.error);
    } catch (error) {
      failAll(waiting, error);
    }
  }
  close?.();
}

/** One of them makes their transaction fail: alone, it fails alone. */
async function runOneByOne(pool: Pool, accountId: string, jobs: Job[]): Promise<void> {
  while (jobs.length > 0) {
    const job = jobs.shift()!;
    try {
      const { lost } = await runBatch(await pool.connect(), accountId, [job]);
      if (!lost) continue;
      job.fail(lost.error);
      if (lost.isFinal) failAll(jobs, lost.error);
    } catch (error) {
      failAll([job, ...jobs.splice(0)], error);
    }
  }
}

function failAll(jobs: Job[], error: unknown): void {
  for (const job of jobs.splice(0)) job.fail(error);
}
