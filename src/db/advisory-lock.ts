import { type ClientOptions, newClient } from "./client.ts";
import type { Pool } from "./pool.ts";

/**
 * Runs `work` while holding a session-level advisory lock; other processes wait for it without a timeout. The lock has a
 * connection outside the pool, so that `work` can use the whole pool.
 */
export async function withAdvisoryLock<T>(pool: Pool, lock: number, work: () => Promise<T>): Promise<T> {
  const client = newClient({
    ...(pool.options as ClientOptions),
    statement_timeout: 0,
    query_timeout: 0,
    lock_timeout: 0,
  });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(${lock})`);
    return await work();
  } finally {
    await client.end();
  }
}
