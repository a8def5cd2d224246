import type { Pool } from "../../db/pool.ts";
import { type FoundResponse, findResponses, type IdempotencyKey } from "./stored-responses.ts";

interface Waiting {
  once: IdempotencyKey;
  resolve(found: FoundResponse | undefined): void;
  reject(error: unknown): void;
}

/** The most requests of one account that wait for its look-up. Those behind are told that the operation is in progress. */
const maxWaiting = 128;

const waitingByPool = new WeakMap<Pool, Map<string, Waiting[]>>();

/**
 * The stored response of an operation that is pending in this process, if there is one. One look-up of an account runs at a
 * time, for all that wait by then: repeats take one connection together, and none of them waits for the account's clock.
 */
export function findWhilePending(
  pool: Pool,
  accountId: string,
  once: IdempotencyKey,
): Promise<FoundResponse | undefined> {
  const accounts = waitingByPool.get(pool) ?? new Map<string, Waiting[]>();
  waitingByPool.set(pool, accounts);
  const waiting = accounts.get(accountId);
  if (waiting && waiting.length >= maxWaiting) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const one = { once, resolve, reject };
    if (waiting) waiting.push(one);
    else {
      accounts.set(accountId, [one]);
      void lookUpInTurn(pool, accounts, accountId);
    }
  });
}

async function lookUpInTurn(pool: Pool, accounts: Map<string, Waiting[]>, accountId: string): Promise<void> {
  for (let batch = accounts.get(accountId)!; batch.length > 0; batch = accounts.get(accountId)!) {
    accounts.set(accountId, []);
    await lookUp(pool, accountId, batch);
  }
  accounts.delete(accountId);
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
