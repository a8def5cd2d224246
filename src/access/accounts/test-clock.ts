import type { Client, Pool } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { parseDuration, type ShiftedClock, second } from "../../lib/clock.ts";
import { announceChange, changesChannel } from "./announce-change.ts";

/** The application name by which the listening connections of all processes are recognized. */
export const listenerName = "mostrador listener";

/** A process that is suspended or dead never replies. */
const maxWaitMs = 3 * second;

/** Years of five digits fit neither ISO 8601 nor the time in an id, and the clock never goes back. */
const lastInstant = new Date("9000-01-01T00:00:00Z");

/** The clock cannot be moved like this. The message is for the person who asked for it. */
export class ClockError extends Error {}

export interface MovedClock {
  now: string;
  advanced_ms: number;
  /** How many processes follow it by now: all of them, unless one does not reply. */
  processes: number;
}

export async function readClockOffset(pool: Pool, clock: ShiftedClock): Promise<void> {
  const { rows } = await pool.query<{ clock_offset_ms: number }>("select clock_offset_ms from installation");
  clock.shiftTo(rows[0]?.clock_offset_ms ?? 0);
}

/** Moves the clock of a test installation ahead, for all of its processes. */
export async function advanceClock(pool: Pool, clock: ShiftedClock, duration: string): Promise<MovedClock> {
  const advanceMs = parseDuration(duration);
  if (!advanceMs || advanceMs < 1)
    throw new ClockError(`"${duration}" no es una duración. Escriba por ejemplo 90s, 15m, 26h o 2d.`);
  if (!(clock.now().getTime() + advanceMs < lastInstant.getTime()))
    throw new ClockError(`El reloj no pasa de ${lastInstant.getUTCFullYear()}, y no vuelve atrás. Adelántelo menos.`);
  const listener = await pool.connect();
  try {
    await listener.query(`listen ${changesChannel}`);
    // What the database says of itself counts, not anybody's settings: a live one must never be moved.
    const { rowCount } = await pool.query(sql`
      update installation set clock_offset_ms = clock_offset_ms + ${Math.round(advanceMs)} where environment = 'test'`);
    if (rowCount === 0) throw await notOfTests(pool);
    const { rows } = await pool.query<{ count: number }>(sql`
      select count(*) from pg_stat_activity where application_name = ${listenerName} and datname = current_database()`);
    const applied = waitForApplied(listener, oneRow(rows).count);
    await announceChange(pool, "clock");
    const processes = await applied;
    await readClockOffset(pool, clock);
    return { now: clock.now().toISOString(), advanced_ms: advanceMs, processes };
  } finally {
    // It listens, so nobody else may use it.
    listener.release(true);
  }
}

async function notOfTests(pool: Pool): Promise<ClockError> {
  const { rows } = await pool.query<{ environment: string | null }>("select environment from installation");
  return new ClockError(
    rows[0]?.environment
      ? "El reloj solo se adelanta en el ambiente de pruebas, y esta base de datos es de producción. Use la de pruebas (DATABASE_URL o DATA_DIR)."
      : "Esta base de datos todavía no sabe si es de pruebas. Encienda el servicio una vez (npm start) y repita el comando.",
  );
}

function waitForApplied(listener: Client, expected: number): Promise<number> {
  return new Promise((resolve) => {
    let applied = 0;
    const timer = setTimeout(() => resolve(applied), maxWaitMs);
    const finish = () => {
      clearTimeout(timer);
      resolve(applied);
    };
    if (expected === 0) finish();
    listener.on("notification", ({ payload }) => {
      if (payload === "clock-applied" && ++applied >= expected) finish();
    });
  });
}
