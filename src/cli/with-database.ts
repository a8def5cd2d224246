import { pino } from "pino";
import { UnknownAccountError } from "../access/accounts/account-lock.ts";
import { readClockOffset } from "../access/accounts/test-clock.ts";
import type { Config } from "../config.ts";
import { checkSchema } from "../db/migrate.ts";
import type { Pool } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { shiftedClock, type TimeSource } from "../lib/clock.ts";
import { requireOwnSettings } from "../operations/installation/identity.ts";
import { makeDeps } from "../operations/make-deps.ts";
import { databaseTime } from "../operations/start/compare-clocks.ts";
import { connect, type Database, joinDatabase } from "../operations/start/database.ts";
import { UsageError } from "./command.ts";
import { stopSignal } from "./stop-signal.ts";

export interface CommandDeps extends Deps {
  /** For a connection outside the pool. */
  url: string;
}

/**
 * Runs a command on the installation's database, whether the service is running or not. The schema must be current, and the
 * settings must be the installation's own.
 */
export function withDatabase<T>(config: Config, work: (deps: CommandDeps) => Promise<T>): Promise<T> {
  return withCurrentSchema(config, async (deps) => {
    await requireOwnSettings(deps.pool, config);
    return work(deps);
  });
}

/** For commands that depend on neither SECRET_KEY nor ENVIRONMENT: they list, check or repair. */
export async function withCurrentSchema<T>(config: Config, work: (deps: CommandDeps) => Promise<T>): Promise<T> {
  return withPool(config, async (pool, url) => {
    await checkSchema(pool);
    const clock = shiftedClock(await trustedTime(pool));
    await readClockOffset(pool, clock);
    const deps = makeDeps(pool, config, { clock, log: pino({ level: "silent" }) });
    return await work({ ...deps, url }).catch((error: unknown) => {
      if (!(error instanceof UnknownAccountError)) throw error;
      throw new UsageError(`No existe la cuenta ${error.message}. Véalas con: npx mostrador account list`);
    });
  });
}

/** Runs `work` on the database, whatever the state of its schema. */
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

/** A signal ends a command at once. A PostgreSQL that was started for it is stopped, even if it was still starting. */
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

/** A clock for commands that write timestamps: it throws when this machine's clock is wrong. */
async function trustedTime(pool: Pool): Promise<TimeSource> {
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
