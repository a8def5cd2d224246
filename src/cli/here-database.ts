import { advanceClock, ClockError, type MovedClock } from "../access/accounts/test-clock.ts";
import { createEnrolmentCode } from "../access/devices/create-enrolment-code.ts";
import type { Config } from "../config.ts";
import { findEmbedded } from "../db/embedded.ts";
import { sql } from "../db/sql.ts";
import { hashToken } from "../lib/token.ts";
import { type ShownClock, UsageError } from "./command.ts";
import { type CommandDeps, withCurrentSchema, withDatabase } from "./with-database.ts";

/** A code for a register of the key's business; undefined when the key is not of this installation. */
export function enrolmentCode(config: Config, key: string, name: string): Promise<string | undefined> {
  return withDatabase(config, async (deps) => {
    const { rows } = await deps.pool.query<{ account_id: string }>(
      sql`select account_id from api_keys where hash = ${hashToken(key)}`,
    );
    return rows[0] && (await createEnrolmentCode(deps, { accountId: rows[0].account_id, name })).code;
  });
}

export function showClock(config: Config): Promise<ShownClock> {
  return onRunning(config, async ({ clock }) => ({ now: clock.now().toISOString(), offset_ms: clock.offsetMs() }));
}

export function moveClock(config: Config, duration: string): Promise<MovedClock> {
  return onRunning(config, ({ pool, clock }) => advanceClock(pool, clock, duration));
}

/** Never starts a database: a clock that moves while nobody serves is the wrong installation's. */
async function onRunning<T>(config: Config, work: (deps: CommandDeps) => Promise<T>): Promise<T> {
  if (config.databaseUrl === undefined && (await findEmbedded(config.dataDir)) === undefined)
    throw new UsageError(
      "Aquí no hay un servicio encendido. Enciéndalo (npm start), o diga cuál con --url y --key, por ejemplo --url http://127.0.0.1:3000 --key mst_test_…",
    );
  try {
    return await withCurrentSchema(config, work);
  } catch (error) {
    throw error instanceof ClockError ? new UsageError(error.message) : error;
  }
}
