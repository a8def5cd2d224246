import { readdir, readFile } from "node:fs/promises";
import { type Pool, unhurried } from "./pool.ts";

const folder = new URL("../../migrations/", import.meta.url);

/** Any number of processes may start at once: they queue on this lock and find the work done. */
const migrationLock = 7_042_600_001n;

export interface Migration {
  name: string;
  text: string;
}

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-.+\.sql$/.test(name)).sort();
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(new URL(name, folder), "utf8") })));
}

/** Brings the schema up to date; returns the names of the migrations it ran. */
export async function migrate(pool: Pool): Promise<string[]> {
  const migrations = await readMigrations();
  return unhurried(pool, async (client) => {
    await client.query("begin");
    await client.query(`select pg_advisory_xact_lock(${migrationLock})`);
    await client.query("set local lock_timeout = '60s'");
    await client.query(
      "create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())",
    );
    const { rows } = await client.query<{ name: string }>("select name from migrations");
    const applied = new Set(rows.map((row) => row.name));
    const unknown = [...applied].filter((name) => !migrations.some((migration) => migration.name === name));
    if (unknown.length > 0) {
      throw new Error(
        `La base de datos es de una versión más nueva de Mostrador (${unknown.join(", ")}). Actualice este programa antes de usarla.`,
      );
    }
    const ran: string[] = [];
    for (const { name, text } of migrations.filter((migration) => !applied.has(migration.name))) {
      await client.query(text);
      await client.query("insert into migrations (name) values ($1)", [name]);
      ran.push(name);
    }
    await client.query("commit");
    return ran;
  });
}
