import type { QueryResult } from "pg";
import { whileConnectionIsHeld } from "../../db/held-connection.ts";
import type { Client, Pool } from "../../db/pool.ts";
import type { Statement } from "../../db/sql.ts";
import { commit, isUnavailable, rollback, sendTogether } from "../../db/transaction.ts";

/** One write, as part of a transaction that several writes may share. */
export interface Job {
  /** The first statements, sent in one packet. */
  opening(): Statement[];
  /** Takes the results of the opening and returns the statements to store, or undefined to roll back. */
  proceed(client: Client, opened: QueryResult[]): Promise<Statement[] | undefined>;
  /** Called after COMMIT, or after the rollback that it asked for. */
  settle(results: QueryResult[]): void;
  fail(error: unknown): void;
}

/** Limits on one shared transaction, so that the first write in it does not wait long for its COMMIT. */
const maxJobs = 16;
const maxDurationMs = 10;

/** The longest queue of one account. Clients further back would have given up before their write ran. */
export const maxQueuedWrites = 128;

/** The account's queue is full. The code is PostgreSQL's insufficient_resources, which callers treat as temporary. */
export class WriteQueueFullError extends Error {
  readonly code = "53000";
}

const queues = new WeakMap<Pool, Map<string, Job[]>>();

/**
 * Adds a write to its account's queue. The account's clock serializes these writes anyway; queueing them here takes no
 * connection each, and those that wait share the next transaction, with one lock and one wait for the disk. Each has a
 * savepoint, so that a failed one does not affect the others.
 */
export function enqueueWrite(pool: Pool, accountId: string, job: Job): void {
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
  void drain(pool, jobs, () => byAccount.delete(accountId));
}

export function isWriteQueueFull(pool: Pool, accountId: string): boolean {
  return (queues.get(pool)?.get(accountId)?.length ?? 0) >= maxQueuedWrites;
}

/** For a job that must not wait behind the account's other writes. */
export function writeOutsideQueue(pool: Pool, job: Job): void {
  void drain(pool, [job]);
}

/** `close` runs in the same tick as the last check of the queue, so that no job joins a finished one. */
async function drain(pool: Pool, jobs: Job[], close?: () => void): Promise<void> {
  while (jobs.length > 0) {
    try {
      await runTransaction(await pool.connect(), jobs);
    } catch (error) {
      for (const job of jobs.splice(0)) job.fail(error);
    }
  }
  close?.();
}

/** Never throws: every job it takes from the queue is settled or failed. */
async function runTransaction(client: Client, jobs: Job[]): Promise<void> {
  const startedAt = performance.now();
  const succeeded: { job: Job; results: QueryResult[] }[] = [];
  const first = jobs.shift()!;
  try {
    const [, ...opened] = await sendTogether(client, ["begin", ...first.opening()]);
    const statements = await whileConnectionIsHeld(() => first.proceed(client, opened));
    if (!statements) {
      await rollback(client);
      first.settle([]);
      return;
    }
    if (jobs.length === 0) {
      const results = await commit(client, statements);
      client.release();
      first.settle(results);
      return;
    }
    succeeded.push({ job: first, results: await sendTogether(client, statements) });
  } catch (error) {
    await rollback(client);
    first.fail(error);
    // The lock or the database is unavailable: the other jobs would each wait as long for the same error.
    if (isUnavailable(error)) for (const job of jobs.splice(0)) job.fail(error);
    return;
  }
  try {
    while (jobs.length > 0 && succeeded.length < maxJobs && performance.now() - startedAt < maxDurationMs) {
      const job = jobs.shift()!;
      const results = await runInSavepoint(client, job);
      if (results) succeeded.push({ job, results });
    }
    await commit(client, []);
    client.release();
  } catch (error) {
    await rollback(client);
    for (const { job } of succeeded) job.fail(error);
    return;
  }
  for (const { job, results } of succeeded) job.settle(results);
}

/** Undefined when the job has failed; throws when the whole transaction is lost. */
async function runInSavepoint(client: Client, job: Job): Promise<QueryResult[] | undefined> {
  try {
    const [, ...opened] = await sendTogether(client, ["savepoint job", ...job.opening()]);
    const statements = await whileConnectionIsHeld(() => job.proceed(client, opened));
    if (statements) return await sendTogether(client, [...statements, "release savepoint job"]);
    await client.query("rollback to savepoint job");
    return [];
  } catch (error) {
    job.fail(error);
    await client.query("rollback to savepoint job");
    return undefined;
  }
}
