import type { Config } from "../../config.ts";
import { type EmbeddedPostgres, findEmbedded, startEmbedded } from "../../db/embedded.ts";
import { createPool, type Pool } from "../../db/pool.ts";
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
    await checkDatabase(pool, url);
    return pool;
  } catch (error) {
    await pool.end();
    if (error instanceof UnfitDatabase) throw error;
    const { host } = new URL(url);
    throw new Error(
      `No se pudo usar la base de datos en ${host}: ${(error as Error).message}. Revise DATABASE_URL y que el servidor esté encendido.`,
      { cause: error },
    );
  }
}
