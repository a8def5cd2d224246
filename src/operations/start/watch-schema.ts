import type { Logger } from "pino";
import { readMigrations, unknownMigrations } from "../../db/migrate.ts";
import type { Pool } from "../../db/pool.ts";
import { second } from "../../lib/clock.ts";

const everyMs = 30 * second;

export interface SchemaWatch {
  /** The migrations that a newer version applied, as last seen. */
  newer: () => readonly string[];
  stop: () => void;
}

/**
 * Notices that a newer version has changed the schema under this process. It goes on serving, because migrations only add; but it
 * is due to be replaced, and started again it would refuse.
 */
export async function watchSchema(pool: Pool, log: Logger, checkEveryMs = everyMs): Promise<SchemaWatch> {
  // Read once: an upgrade may put new files where this process was started from.
  const known = await readMigrations();
  let newer: readonly string[] = [];
  async function look(): Promise<void> {
    const found = await unknownMigrations(pool, known);
    if (found.length > 0 && newer.length === 0)
      log.warn({ migrations: found }, "the schema is newer than this build; replace this process");
    newer = found;
  }
  await look();
  // While the database is away, /readyz says so.
  const timer = setInterval(() => void look().catch(() => {}), checkEveryMs);
  timer.unref();
  return { newer: () => newer, stop: () => clearInterval(timer) };
}
