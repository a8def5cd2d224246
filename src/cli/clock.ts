import type pg from "pg";
import { announceChange, changesChannel } from "../access/accounts/announce-change.ts";
import { newClient } from "../db/client.ts";
import type { Pool } from "../db/pool.ts";
import { sql } from "../db/sql.ts";
import { parseDuration } from "../lib/clock.ts";
import { readIdentity } from "../operations/installation/identity.ts";
import { listenerName, readClockOffset } from "../operations/start/listener.ts";
import { type Command, UsageError, word } from "./command.ts";
import { withCurrentSchema } from "./with-database.ts";

/** A process that is suspended or dead never replies: the command waits at most this long. */
const maxWaitMs = 3_000;

/** Years of five digits fit neither ISO 8601 nor the time in an id, and the clock never goes back. */
const lastInstant = new Date("9000-01-01T00:00:00Z");

export const clockAdvance: Command = {
  name: "clock advance",
  summary: "Adelanta el reloj de la instalación, solo en pruebas",
  usage: "26h   (también 90s, 15m, 2d, 1d12h)",
  takes: 1,
  async run(invocation) {
    const text = word(invocation, 0, "cuánto adelantar, por ejemplo 26h");
    const advanceMs = parseDuration(text);
    if (!advanceMs || advanceMs < 1)
      throw new UsageError(`"${text}" no es una duración. Escriba por ejemplo 90s, 15m, 26h o 2d.`);
    const result = await withCurrentSchema(invocation.config, async ({ url, pool, clock }) => {
      await requireTestInstallation(pool);
      if (!(clock.now().getTime() + advanceMs < lastInstant.getTime()))
        throw new UsageError(
          `El reloj no pasa de ${lastInstant.getUTCFullYear()}, y no vuelve atrás. Adelántelo menos.`,
        );
      const listener = newClient({ connectionString: url });
      await listener.connect();
      try {
        await listener.query(`listen ${changesChannel}`);
        await pool.query(sql`update installation set clock_offset_ms = clock_offset_ms + ${Math.round(advanceMs)}`);
        const { rows } = await pool.query<{ count: number }>(sql`
          select count(*) from pg_stat_activity where application_name = ${listenerName} and datname = current_database()`);
        const applied = waitForApplied(listener, rows[0]!.count);
        await announceChange(pool, "clock");
        const processes = await applied;
        await readClockOffset(pool, clock);
        return { now: clock.now().toISOString(), advanced_ms: advanceMs, processes };
      } finally {
        await listener.end();
      }
    });
    invocation.out.result(
      result,
      `El reloj marca ahora ${result.now} (aplicado en ${result.processes} ${result.processes === 1 ? "proceso" : "procesos"}).`,
    );
  },
};

export const clockShow: Command = {
  name: "clock show",
  summary: "Muestra la hora de la instalación",
  async run({ config, out }) {
    const result = await withCurrentSchema(config, async ({ clock }) => ({
      now: clock.now().toISOString(),
      offset_ms: clock.offsetMs(),
    }));
    out.result(result, `${result.now} (adelantado ${result.offset_ms / 1000} s)`);
  },
};

/** What the database says of itself counts, not the settings of this command: a live one must never be moved. */
async function requireTestInstallation(pool: Pool): Promise<void> {
  const identity = await readIdentity(pool);
  if (identity?.environment === "test") return;
  throw new UsageError(
    identity
      ? "El reloj solo se adelanta en el ambiente de pruebas, y esta base de datos es de producción. Use la de pruebas (DATABASE_URL o DATA_DIR)."
      : "Esta base de datos todavía no sabe si es de pruebas. Encienda el servicio una vez (npm start) y repita el comando.",
  );
}

/** Resolves with the number of processes that moved their clock: all of them, unless one does not reply. */
function waitForApplied(listener: pg.Client, expected: number): Promise<number> {
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
