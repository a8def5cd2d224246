import { type Pool, unhurried } from "./pool.ts";

/** Runs `work` while no other process does the same; they wait for it, however long it takes. */
export function alone<T>(pool: Pool, lock: number, work: () => Promise<T>): Promise<T> {
  return unhurried(pool, async (client) => {
    await client.query(`select pg_advisory_lock(${lock})`);
    return await work();
  });
}
