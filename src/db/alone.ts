import type { Pool } from "./pool.ts";

/** Runs `work` while no other process does the same; they wait for it, however long it takes. */
export async function alone<T>(pool: Pool, lock: number, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("set statement_timeout = 0; set lock_timeout = 0");
    await client.query(`select pg_advisory_lock(${lock})`);
    return await work();
  } finally {
    // The connection ends, and with it the lock and the settings.
    client.release(true);
  }
}
