import type { QueryResult } from "pg";
import { whileConnectionIsHeld } from "../../db/held-connection.ts";
import type { Client, Pool } from "../../db/pool.ts";
import type { Statement } from "../../db/sql.ts";
import { commit, isUnavailable, rollback, sendTogether } from "../../db/transaction.ts";

/** One writer's part of a transaction. */
export interface Job {
  /** Sent first, in one packet. */
  opening(): Statement[];
  /** Given the answers to the opening: what to write, or undefined to leave no trace. */
  proceed(client: Client, opened: QueryResult[]): Promise<Statement[] | undefined>;
  /** What it wrote is committed, and everything it read with it. */
  settle(results: QueryResult[]): void;
  fail(error: unknown): void;
}

/** A register's long upload must not wait for many more of them before it is answered. */
const mostTogether = 16;
const longestMs = 10;

/** So many writers of one account may wait. Further ones would be answered after their clients gave up. */
export const mostWaiting = 128;

/** The account's queue is full. The code is PostgreSQL's for what lacks resources: the same write is good in a moment. */
export class CrowdedError extends Error {
  readonly code = "53000";
}

const queues = new WeakMap<Pool, Map<string, Job[]>>();

/**
 * The writers of one account take turns anyway, for its clock. Here they do so without a connection each, and those who
 * wait go together in the next transaction: they share its lock and its wait for the disk. Each has a savepoint, so
 * that one that fails takes nobody along.
 */
export function takeTurn(pool: Pool, accountId: string, job: Job): void {
  const ofPool = queues.get(pool) ?? new Map<string, Job[]>();
  queues.set(pool, ofPool);
  const waiting = ofPool.get(accountId);
  if (waiting) {
    if (isCrowded(pool, accountId)) job.fail(new CrowdedError(`${mostWaiting} writers wait for account ${accountId}`));
    else waiting.push(job);
    return;
  }
  const jobs = [job];
  ofPool.set(accountId, jobs);
  void serve(pool, jobs, () => ofPool.delete(accountId));
}

export function isCrowded(pool: Pool, accountId: string): boolean {
  return (queues.get(pool)?.get(accountId)?.length ?? 0) >= mostWaiting;
}

/** For a job that may not wait behind its account's others. */
export function takeOwnTurn(pool: Pool, job: Job): void {
  void serve(pool, [job]);
}

/** `close` is called in the same breath as the last look at the queue, so that nobody joins one that is over. */
async function serve(pool: Pool, jobs: Job[], close?: () => void): Promise<void> {
  while (jobs.length > 0) {
    try {
      await serveTogether(await pool.connect(), jobs);
    } catch (error) {
      for (const job of jobs.splice(0)) job.fail(error);
    }
  }
  close?.();
}

/** Never throws: whoever took part has been told. */
async function serveTogether(client: Client, jobs: Job[]): Promise<void> {
  const startedAt = performance.now();
  const kept: { job: Job; results: QueryResult[] }[] = [];
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
    kept.push({ job: first, results: await sendTogether(client, statements) });
  } catch (error) {
    await rollback(client);
    first.fail(error);
    // The lock or the database is away, not this job wrong: the others would each wait as long for the same answer.
    if (isUnavailable(error)) for (const job of jobs.splice(0)) job.fail(error);
    return;
  }
  try {
    while (jobs.length > 0 && kept.length < mostTogether && performance.now() - startedAt < longestMs) {
      const job = jobs.shift()!;
      const results = await join(client, job);
      if (results) kept.push({ job, results });
    }
    await commit(client, []);
    client.release();
  } catch (error) {
    await rollback(client);
    for (const { job } of kept) job.fail(error);
    return;
  }
  for (const { job, results } of kept) job.settle(results);
}

/** Undefined when the job failed and was told so; throws when the whole transaction is lost. */
async function join(client: Client, job: Job): Promise<QueryResult[] | undefined> {
  try {
    const [, ...opened] = await sendTogether(client, ["savepoint turn", ...job.opening()]);
    const statements = await whileConnectionIsHeld(() => job.proceed(client, opened));
    if (statements) return await sendTogether(client, [...statements, "release savepoint turn"]);
    await client.query("rollback to savepoint turn");
    return [];
  } catch (error) {
    job.fail(error);
    await client.query("rollback to savepoint turn");
    return undefined;
  }
}
