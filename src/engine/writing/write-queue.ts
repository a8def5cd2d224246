import { isCitusPool } from "../../db/distribute.ts";
import type { Client, Pool } from "../../db/pool.ts";
import { isRetired } from "../../db/retire-connections.ts";
import { isDown, isUnavailable, rollback } from "../../db/transaction.ts";
import { isClockMoved } from "./account-clock.ts";
import { AccountQueue, failAll, type Group, maxQueuedWrites, WriteQueueFullError } from "./account-queue.ts";
import { type BatchMode, openBatch, runBatch } from "./batch.ts";
import type { Job } from "./job.ts";

/** The most accounts in one transaction. */
const maxAccounts = 32;
/**
 * How many transactions of short jobs run at once. While one does, the next jobs gather, because a call in a batch of thirty takes half
 * the processor of one in a batch of ten; the second starts when the first takes longer than this, and may be stuck.
 */
const maxShared = 2;
const gatherMs = 50;

/**
 * The writes of this process that wait for their turn. An account's clock serializes its writes anyway; queueing them here takes
 * no connection each, and those that wait share the next transaction, with one lock, one statement per table and one wait for
 * the disk. Short writes of several accounts share one as well; such a transaction waits for nobody's clock. The states of an
 * account's queue are in account-queue.ts.
 */
export class WriteQueue {
  readonly #pool: Pool;
  /** All but the empty ones. */
  readonly #queues = new Map<string, AccountQueue>();
  /** Those in the state `ready`: those that waited longest come first. */
  readonly #ready = new Set<AccountQueue>();
  /** How many transactions are shared now. */
  #shared = 0;
  /** When the last shared transaction was started, on the process's own clock. */
  #sharedAtMs = 0;
  #gathering: NodeJS.Timeout | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  add(accountId: string, job: Job): void {
    if (this.isFull(accountId)) {
      job.fail(new WriteQueueFullError(`${maxQueuedWrites} writes are queued for account ${accountId}`));
      return;
    }
    const queue = this.#queueOf(accountId);
    queue.add(job);
    if (queue.state !== "ready") return;
    this.#ready.add(queue);
    this.#schedule();
  }

  isFull(accountId: string): boolean {
    return this.#queues.get(accountId)?.isFull ?? false;
  }

  #queueOf(accountId: string): AccountQueue {
    const queue = this.#queues.get(accountId) ?? new AccountQueue(accountId);
    this.#queues.set(accountId, queue);
    return queue;
  }

  /** Starts what may run now: accounts with a long job at once, those with short jobs as room is. */
  #schedule(): void {
    for (const queue of this.#ready) if (!queue.isNextShort) void this.#runLong(queue);
    while (this.#ready.size > 0 && this.#shared < maxShared && !this.#isGathering()) {
      this.#shared += 1;
      void this.#runShared(this.#startShared()).finally(() => {
        this.#shared -= 1;
        this.#schedule();
      });
    }
  }

  #isGathering(): boolean {
    const leftMs = this.#sharedAtMs + gatherMs - performance.now();
    if (this.#shared === 0 || leftMs <= 0) return false;
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.#schedule();
    }, leftMs);
    return true;
  }

  /** Begins a shared run for those that are ready, and for `going` whose next jobs wait. */
  #startShared(going: readonly AccountQueue[] = []): AccountQueue[] {
    this.#sharedAtMs = performance.now();
    const waiting = going.filter((queue) => queue.hasWaiting);
    const queues = [...this.#ready, ...waiting].filter((queue) => queue.isNextShort).slice(0, maxAccounts);
    for (const queue of queues) {
      this.#ready.delete(queue);
      queue.run("shared");
    }
    return queues;
  }

  async #runLong(queue: AccountQueue): Promise<void> {
    this.#ready.delete(queue);
    queue.run("alone");
    await this.#runTaken(queue, queue.take());
    this.#end(queue);
  }

  #end(queue: AccountQueue): void {
    queue.end();
    if (queue.state === "empty") {
      this.#queues.delete(queue.accountId);
      return;
    }
    this.#ready.add(queue);
    this.#schedule();
  }

  async #runTaken(queue: AccountQueue, group: Group): Promise<void> {
    const unavailable = await runAlone(this.#pool, group);
    queue.putBack(group);
    // The lock or the database is unavailable: those behind would each wait as long for the same error.
    if (unavailable !== undefined) queue.failWaiting(unavailable);
  }

  /** What a shared transaction could not do is done by one that waits for the account's clock. */
  async #goOnAlone(group: Group): Promise<void> {
    const queue = this.#queueOf(group.accountId);
    queue.run("alone");
    await this.#runTaken(queue, group);
    this.#end(queue);
  }

  /** Runs short jobs of these accounts, and of all that have some by the time these are stored. */
  async #runShared(queues: readonly AccountQueue[]): Promise<void> {
    try {
      const mode = { mayWait: false, together: !(await isCitusPool(this.#pool)) };
      const client = await this.#pool.connect();
      // Jobs that came while a connection was awaited go along.
      const groups = queues.map((queue) => queue.take());
      await this.#runInTurn(client, mode, groups);
    } catch (error) {
      for (const queue of queues) failAll(queue.take().jobs, error);
      for (const queue of queues) this.#end(queue);
    }
  }

  /**
   * Runs one batch after another on a connection. The next one is opened before the jobs of the last are answered: PostgreSQL
   * works on the one while the service sends the other.
   */
  async #runInTurn(client: Client, mode: BatchMode, first: Group[]): Promise<void> {
    let groups = first;
    try {
      for (let opening = openBatch(client, groups, mode); groups.length > 0; ) {
        const { locked, left, settle } = await runBatch(client, opening, mode);
        for (const group of left) this.#queueOf(group.accountId).putBack(group);
        const done = groups.filter((group) => !locked.includes(group)).map(({ accountId }) => this.#queueOf(accountId));
        const going = isRetired(this.#pool, client) ? [] : this.#startShared(done);
        groups = going.map((queue) => queue.take());
        if (groups.length > 0) opening = openBatch(client, groups, mode);
        settle();
        // They wait for their clocks without holding up the others.
        for (const group of locked) void this.#goOnAlone(group);
        for (const queue of done) if (!going.includes(queue)) this.#end(queue);
      }
      client.release();
    } catch (error) {
      await rollback(client);
      if (!isDown(error)) {
        await Promise.all(groups.map((group) => this.#goOnAlone(group)));
        return;
      }
      for (const { jobs } of groups) failAll(jobs, error);
      for (const { accountId } of groups) this.#end(this.#queueOf(accountId));
    }
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
