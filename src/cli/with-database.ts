import type { Config } from "../config.ts";
import { migrate } from "../db/migrate.ts";
import type { Pool } from "../db/pool.ts";
import { type ShiftedClock, shiftedClock, type TimeSource } from "../lib/clock.ts";
import { databaseTime } from "../start/compare-clocks.ts";
import { connect, joinDatabase } from "../start/database.ts";
import { readClockOffset } from "../start/listener.ts";
import { UsageError } from "./command.ts";

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
      const clock = shiftedClock(await stampingTime(pool));
      await readClockOffset(pool, clock);
      return await work({ config, url: database.url, pool, clock });
    } finally {
      await pool.end();
    }
  } finally {
    await database.stop();
  }
}

/** A command that stamps anything asks for the time first; on a machine whose clock is wrong it goes no further. */
async function stampingTime(pool: Pool): Promise<TimeSource> {
  const time = await databaseTime(pool);
  return {
    ...time,
    now() {
      if (time.isTrusted()) return time.now();
      throw new UsageError(
        "El reloj de esta máquina y el de la base de datos difieren en más de un minuto, así que no se cambió nada. Corrija la hora (NTP) y repita el comando.",
      );
    },
  };
}
