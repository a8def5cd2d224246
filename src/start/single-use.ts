import pg from "pg";

/** One service per embedded database: two would share one DATA_DIR and stop each other's PostgreSQL. */
const serviceLock = 7_042_600_003;

/** Holds the installation for as long as the connection lives, so that no crash can leave a stale lock behind. */
export async function holdInstallation(url: string): Promise<{ release: () => Promise<void> } | undefined> {
  const client = new pg.Client({ connectionString: url, application_name: "mostrador service", keepAlive: true });
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query<{ held: boolean }>(`select pg_try_advisory_lock(${serviceLock}) as held`);
  if (!rows[0]!.held) {
    await client.end();
    return undefined;
  }
  return { release: () => client.end().catch(() => {}) };
}
