import type { Pool } from "../../db/pool.ts";
import { type FoundResponse, findResponses, type IdempotencyKey } from "./stored-responses.ts";

interface Waiting {
  once: IdempotencyKey;
  resolve(found: FoundResponse | undefined): void;
  reject(error: unknown): void;
}

/** The most requests of one account that wait for its look-up. Those behind are told that the operation is in progress. */
const maxWaiting = 128;

/** The operations with an idempotency key that wait or run in this process, by their locks, and the repeats that ask for them. */
export class PendingOperations {
  readonly #pool: Pool;
  readonly #locks = new Set<bigint>();
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** False if the operation is pending already. */
  begin(lock: bigint): boolean {
    if (this.#locks.has(lock)) return false;
    this.#locks.add(lock);
    return true;
  }

  end(lock: bigint): void {
    this.#locks.delete(lock);
  }

  /**
   * The stored response of a pending operation, if there is one. One look-up of an account runs at a time, for all that wait by
   * then: repeats take one connection together, and none of them waits for the account's clock.
   */
  find(accountId: string, once: IdempotencyKey): Promise<FoundResponse | undefined> {
    const waiting = this.#waiting.get(accountId);
    if (waiting && waiting.length >= maxWaiting) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const one = { once, resolve, reject };
      if (waiting) waiting.push(one);
      else void this.#lookUpInTurn(accountId, [one]);
    });
  }

  async #lookUpInTurn(accountId: string, first: Waiting[]): Promise<void> {
    for (let batch = first; batch.length > 0; ) {
      const next: Waiting[] = [];
      this.#waiting.set(accountId, next);
      await lookUp(this.#pool, accountId, batch);
      batch = next;
    }
    this.#waiting.delete(accountId);
  }
}

async function lookUp(pool: Pool, accountId: string, batch: readonly Waiting[]): Promise<void> {
  const keys = new Map(batch.map(({ once }) => [once.key, { accountId, once }]));
  try {
    const { rows } = await pool.query<FoundResponse>(findResponses([...keys.values()]));
    const found = new Map(rows.map((row) => [row.key, row]));
    for (const { once, resolve } of batch) resolve(found.get(once.key));
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
