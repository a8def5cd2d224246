import pg from "pg";

/** One service per embedded database: two would share one DATA_DIR and stop each other's PostgreSQL. */
const serviceLock = 7_042_600_003;

export interface Hold {
  /** Resolves when the connection that holds it is gone, with its server or alone. */
  lost: Promise<void>;
  release(): Promise<void>;
}

/** Holds the installation for as long as the connection lives, so that no crash can leave a stale lock behind. */
export async function holdInstallation(url: string): Promise<Hold | undefined> {
  const client = new pg.Client({ connectionString: url, application_name: "mostrador service", keepAlive: true });
  client.on("error", () => {});
  const lost = new Promise<void>((resolve) => client.once("end", () => resolve()));
  await client.connect();
  const { rows } = await client.query<{ held: boolean }>(`select pg_try_advisory_lock(${serviceLock}) as held`);
  if (!rows[0]!.held) {
    await client.end();
    return undefined;
  }
  return { lost, release: () => client.end().catch(() => {}) };
}
