import type { Config } from "../config.ts";
import { migrate } from "../db/migrate.ts";
import type { Pool } from "../db/pool.ts";
import { type ShiftedClock, shiftedClock } from "../lib/clock.ts";
import { connect, joinDatabase } from "../start/database.ts";
import { readClockOffset } from "../start/listener.ts";

export interface CommandDeps {
  config: Config;
  /** For a connection outside the pool. */
  url: string;
  pool: Pool;
  clock: ShiftedClock;
}

/** Runs a command on the installation's database, beside a running service or alone, with its schema up to date. */
export async function withDatabase<T>(config: Config, work: (deps: CommandDeps) => Promise<T>): Promise<T> {
  const database = await joinDatabase(config);
  try {
    const pool = await connect(database.url, { max: 4 });
    try {
      await migrate(pool);
      const clock = shiftedClock();
      await readClockOffset(pool, clock);
      return await work({ config, url: database.url, pool, clock });
    } finally {
      await pool.end();
    }
  } finally {
    await database.stop();
  }
}
