import pg from "pg";
import type { Pool } from "./pool.ts";

/**
 * Runs `work` while no other process does the same; they wait for it, however long it takes. The lock has a connection
 * beside the pool, whose connections are all for the work.
 */
export async function alone<T>(pool: Pool, lock: number, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...pool.options, statement_timeout: 0, query_timeout: 0, lock_timeout: 0 });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(${lock})`);
    return await work();
  } finally {
    await client.end();
  }
}
