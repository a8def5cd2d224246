import type { Config } from "../../config.ts";
import { createPool } from "../../db/create-pool.ts";
import { type EmbeddedPostgres, findEmbedded, startEmbedded } from "../../db/embedded.ts";
import type { Pool } from "../../db/pool.ts";
import { serverAddresses, serverNames } from "../../lib/database-address.ts";
import { checkDatabase, UnfitDatabase } from "./check-database.ts";

export interface Database {
  url: string;
  embedded?: EmbeddedPostgres;
  /** Stops an embedded server that this process started or adopted. */
  stop(): Promise<void>;
}

/** The PostgreSQL of this installation: the operator's, or the embedded one under DATA_DIR. */
export async function openDatabase(config: Config): Promise<Database> {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, stop: async () => {} };
  const embedded = await startEmbedded({ dataDir: config.dataDir });
  return { url: embedded.url, embedded, stop: () => embedded.stop() };
}

/** For commands: uses the database of a running service, or starts it for the duration of the command. */
export async function joinDatabase(config: Config): Promise<Database> {
  const url = config.databaseUrl ?? (await findEmbedded(config.dataDir));
  if (url !== undefined) return { url, stop: async () => {} };
  const database = await openDatabase(config);
  process.once("exit", () => database.embedded?.stopWithoutWaiting());
  return database;
}

/** A pool on a server that works and suits us; otherwise throws one clear line. */
export async function connect(
  url: string,
  options: { max?: number; onError?: (error: Error) => void } = {},
): Promise<Pool> {
  const pool = createPool({ url, ...options });
  try {
    await checkOneOf(pool, url);
    return pool;
  } catch (error) {
    await pool.end();
    if (error instanceof UnfitDatabase) throw error;
    throw new Error(
      `No se pudo usar la base de datos en ${serverNames(url)}: ${(error as Error).message}. Revise DATABASE_URL y que el servidor esté encendido.`,
      { cause: error },
    );
  }
}

/** Each attempt that fails moves on to the next server of the address; there is one attempt for each. */
async function checkOneOf(pool: Pool, url: string): Promise<void> {
  const failures: unknown[] = [];
  for (const _server of serverAddresses(url)) {
    try {
      return await checkDatabase(pool, url);
    } catch (error) {
      if (error instanceof UnfitDatabase) throw error;
      failures.push(error);
    }
  }
  throw failures.at(-1);
}
