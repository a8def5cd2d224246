import pg from "pg";
import { oneRow } from "../../db/read.ts";

/** One service per embedded database: two would stop each other's PostgreSQL. */
const serviceLock = 7_042_600_003;

export interface Hold {
  /** Resolves when the connection is lost, with or without its server. */
  lost: Promise<void>;
  release(): Promise<void>;
}

/** Holds a session lock for as long as the connection lives, so that a crash cannot leave a stale lock behind. */
export async function holdInstallation(url: string): Promise<Hold | undefined> {
  const client = new pg.Client({ connectionString: url, application_name: "mostrador service", keepAlive: true });
  client.on("error", () => {});
  const lost = new Promise<void>((resolve) => client.once("end", () => resolve()));
  await client.connect();
  const { rows } = await client.query<{ held: boolean }>(`select pg_try_advisory_lock(${serviceLock}) as held`);
  if (!oneRow(rows).held) {
    await client.end();
    return undefined;
  }
  return { lost, release: () => client.end().catch(() => {}) };
}
