import type { Deps } from "../../src/deps.ts";

/** Holds the account's clock, so that every write of the account waits until it is released. */
export async function holdClock(
  { pool }: Pick<Deps, "pool">,
  accountId: string,
): Promise<{ release(): Promise<void> }> {
  const client = await pool.connect();
  await client.query("begin");
  await client.query("select 1 from account_clock where account_id = $1 for update", [accountId]);
  return {
    async release() {
      // A session that was held too long is gone: its connection must not stay with the pool.
      const failed = await client.query("rollback").then(
        () => undefined,
        (error: Error) => error,
      );
      client.release(failed);
    },
  };
}

const isWaiting = "datname = current_database() and wait_event_type = 'Lock'";

/** How many sessions of this database wait for a lock, on any node. */
export async function waitingSessions({ pool }: Pick<Deps, "pool">): Promise<number> {
  const sessions = process.env.CITUS_URL ? "citus_stat_activity" : "pg_stat_activity";
  const { rows } = await pool.query<{ count: number }>(`select count(*) from ${sessions} where ${isWaiting}`);
  return rows[0]!.count;
}

/** Breaks the connections of the sessions that wait for a lock. */
export async function breakWaiting({ pool }: Pick<Deps, "pool">): Promise<void> {
  const [pid, sessions] = process.env.CITUS_URL ? ["global_pid", "citus_stat_activity"] : ["pid", "pg_stat_activity"];
  await pool.query(`select pg_terminate_backend(${pid}) from ${sessions} where ${isWaiting}`);
}

/** Waits for the sessions of a killed process to end: until then one may still be writing. */
export async function sessionsEnded({ pool }: Pick<Deps, "pool">, applicationName: string): Promise<void> {
  const alive = "select count(*) from pg_stat_activity where application_name = $1 and datname = current_database()";
  for (;;) {
    const { rows } = await pool.query<{ count: number }>(alive, [applicationName]);
    if (rows[0]!.count === 0) return;
  }
}
