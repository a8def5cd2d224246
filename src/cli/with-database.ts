import type { Config } from "../config.ts";
import { checkSchema } from "../db/migrate.ts";
import type { Pool } from "../db/pool.ts";
import { type ShiftedClock, shiftedClock, type TimeSource } from "../lib/clock.ts";
import { databaseTime } from "../operations/start/compare-clocks.ts";
import { connect, type Database, joinDatabase } from "../operations/start/database.ts";
import { readClockOffset } from "../operations/start/listener.ts";
import { UsageError } from "./command.ts";
import { stopSignal } from "./stop-signal.ts";

export interface CommandDeps {
  config: Config;
  /** For a connection outside the pool. */
  url: string;
  pool: Pool;
  clock: ShiftedClock;
}

/** Runs a command on the installation's database, beside a running service or alone. Only `start` and `migrate` change the schema. */
export async function withDatabase<T>(config: Config, work: (deps: CommandDeps) => Promise<T>): Promise<T> {
  return withPool(config, async (pool, url) => {
    await checkSchema(pool);
    const clock = shiftedClock(await stampingTime(pool));
    await readClockOffset(pool, clock);
    return await work({ config, url, pool, clock });
  });
}

/** The database as it is, whatever its schema. */
export async function withPool<T>(config: Config, work: (pool: Pool, url: string) => Promise<T>): Promise<T> {
  const database = await joinInterruptibly(config);
  try {
    const pool = await connect(database.url, { max: 4 });
    try {
      return await work(pool, database.url);
    } finally {
      await pool.end();
    }
  } finally {
    await database.stop();
  }
}

/** A signal ends a command at once; a PostgreSQL that was started for it is not left behind, not even half started. */
async function joinInterruptibly(config: Config): Promise<Database> {
  const stopping = stopSignal();
  try {
    const database = await joinDatabase(config);
    stopping.throwIfAborted();
    stopping.addEventListener("abort", exitAtOnce);
    return database;
  } catch (error) {
    throw stopping.aborted ? stopping.reason : error;
  }
}

function exitAtOnce(): void {
  process.exit(130);
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
