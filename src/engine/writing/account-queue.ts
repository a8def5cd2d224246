import type { Job } from "./job.ts";

/**
 * The states of an account's queue, and where each can go. Jobs are added in any of them.
 *
 * - `empty`: no job waits or runs. Entered when a run ends and nothing waits; left by the next job.
 * - `ready`: jobs wait, none runs. Entered by the first job, and when a run ends while others wait. Left when a run begins.
 * - `shared`: its short jobs run in a transaction with those of other accounts, which waits for nobody's clock. Entered from
 *   `ready`, and from itself when its next jobs follow on the same connection. Left when the jobs are done, or to `alone` when the
 *   clock was locked or the transaction failed.
 * - `alone`: its jobs run in transactions of their own, which wait for the clock. Entered from `ready` by a long job, or from
 *   `shared`. Left when the jobs are done.
 */
const nextStates = {
  empty: ["ready"],
  ready: ["shared", "alone"],
  shared: ["shared", "alone", "ready", "empty"],
  alone: ["ready", "empty"],
} as const satisfies Record<string, readonly string[]>;

export type QueueState = keyof typeof nextStates;

/** Jobs of one account that are run together, in their order. */
export interface Group {
  accountId: string;
  jobs: Job[];
}

/** The most jobs of one account in one transaction. */
const maxJobs = 64;

/** The longest queue of one account. Clients further back would have given up before their write ran. */
export const maxQueuedWrites = 128;

/** The account's queue is full. The code is PostgreSQL's insufficient_resources, which callers treat as temporary. */
export class WriteQueueFullError extends Error {
  readonly code = "53000";
}

export class AccountQueue {
  readonly accountId: string;
  #state: QueueState = "empty";
  #waiting: Job[] = [];

  constructor(accountId: string) {
    this.accountId = accountId;
  }

  get state(): QueueState {
    return this.#state;
  }

  get isFull(): boolean {
    return this.#waiting.length >= maxQueuedWrites;
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  get isNextShort(): boolean {
    return this.#waiting[0]?.isShort ?? true;
  }

  add(job: Job): void {
    this.#waiting.push(job);
    if (this.#state === "empty") this.#moveTo("ready");
  }

  /** A run begins, or goes on in another way. */
  run(state: "shared" | "alone"): void {
    this.#moveTo(state);
  }

  /** The run has ended. */
  end(): void {
    this.#moveTo(this.hasWaiting ? "ready" : "empty");
  }

  /** The next jobs to run. Long ones and short ones do not mix, since the short would wait for the long. */
  take(): Group {
    this.#mustRun();
    const isFirstShort = this.isNextShort;
    const other = this.#waiting.findIndex((job) => job.isShort !== isFirstShort);
    const jobs = this.#waiting.splice(0, Math.min(maxJobs, other === -1 ? this.#waiting.length : other));
    return { accountId: this.accountId, jobs };
  }

  /** Jobs for which the run had no time: they are next. */
  putBack({ jobs }: Group): void {
    this.#mustRun();
    this.#waiting = [...jobs, ...this.#waiting];
  }

  failWaiting(error: unknown): void {
    failAll(this.#waiting, error);
  }

  #mustRun(): void {
    if (this.#state !== "shared" && this.#state !== "alone")
      throw new Error(`The write queue of account ${this.accountId} is ${this.#state}: none of its jobs may run`);
  }

  #moveTo(state: QueueState): void {
    const allowed: readonly QueueState[] = nextStates[this.#state];
    if (!allowed.includes(state))
      throw new Error(`The write queue of account ${this.accountId} cannot go from ${this.#state} to ${state}`);
    this.#state = state;
  }
}

export function failAll(jobs: Job[], error: unknown): void {
  for (const job of jobs.splice(0)) job.fail(error);
}
