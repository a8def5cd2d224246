import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { isCitus } from "./distribute.ts";
import { type Client, type Pool, type Queryable, withoutTimeouts } from "./pool.ts";
import { oneRow } from "./read.ts";
import { type Migration, type RunOptions, runMigration } from "./run-migration.ts";

export type { Migration };

const folder = new URL("../../migrations/", import.meta.url);

/** Processes that start together wait for this lock, and then find the work done. */
const migrationLock = 7_042_600_001n;
const lockPollMs = 100;

type Applied = Pick<Migration, "name" | "checksum">;

/** The first migration of the versions before 0.1.0, whose schema has no way here. */
const formerFirst = "0001-core.sql";

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-.+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = (await readFile(new URL(name, folder), "utf8")).replaceAll("\r\n", "\n");
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
    }),
  );
}

export interface MigrateOptions extends Pick<RunOptions, "onWait" | "giveUpAfterMs"> {
  /** Called before each, except on an empty database. */
  onRun?: (name: string) => void;
  migrations?: readonly Migration[];
}

/** Applies pending migrations, each in a transaction of its own, and returns their names. */
export async function migrate(pool: Pool, options: MigrateOptions = {}): Promise<string[]> {
  const { onRun = () => {}, migrations = await readMigrations(), ...runOptions } = options;
  return withoutTimeouts(pool, async (client) => {
    await takeMigrationLock(client);
    await client.query(
      "create table if not exists migrations (name text primary key, applied_at timestamptz not null default now(), checksum text not null)",
    );
    const pending = pendingOf(migrations, await readApplied(client));
    const onCitus = await isCitus(client);
    for (const migration of pending) {
      if (pending.length < migrations.length) onRun(migration.name);
      await runMigration(client, migration, { ...runOptions, onCitus });
    }
    return pending.map(({ name }) => name);
  });
}

/**
 * For the session, which ends with the migrations. Asked for again and again: who waits for a lock has a snapshot, and an index that is built
 * concurrently waits for all of them.
 */
async function takeMigrationLock(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${migrationLock}) as taken`);
    if (oneRow(rows).taken) return;
    await delay(lockPollMs);
  }
}

/** For commands that need the current schema but must not change it. */
export async function checkSchema(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ exists: boolean }>("select to_regclass('migrations') is not null as exists");
  const pending = pendingOf(await readMigrations(), oneRow(rows).exists ? await readApplied(pool) : []);
  if (pending.length === 0) return;
  throw new Error(
    `El esquema de la base de datos está atrasado (falta ${namesOf(pending)}). Póngalo al día con: npx mostrador migrate`,
  );
}

/** What a newer version applied: the names of the migrations that are not among these. */
export async function unknownMigrations(db: Queryable, known: readonly Migration[]): Promise<string[]> {
  return unknownOf(known, await readApplied(db))
    .map(({ name }) => name)
    .sort();
}

function unknownOf(migrations: readonly Migration[], applied: readonly Applied[]): Applied[] {
  const known = new Set(migrations.map(({ name }) => name));
  return applied.filter(({ name }) => !known.has(name));
}

async function readApplied(client: Queryable): Promise<Applied[]> {
  // The versions before 0.1.0 kept no checksum at first.
  const { rows } = await client.query<Applied>("select name, to_jsonb(m)->>'checksum' as checksum from migrations m");
  return rows;
}

function pendingOf(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  if (applied.some(({ name }) => name === formerFirst)) {
    throw new Error(
      "La base de datos es de una versión anterior a la 0.1.0 y no se puede actualizar. Con esa versión exporte sus datos (GET /public/v1/exports/…) y empiece con una base de datos vacía: vea docs/operations.md, «Databases made before 0.1.0».",
    );
  }
  const unknown = unknownOf(migrations, applied);
  if (unknown.length > 0) {
    throw new Error(
      `La base de datos es de una versión más nueva de Mostrador (${namesOf(unknown)}). Actualice este programa antes de usarla.`,
    );
  }
  const known = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  const changed = applied.filter(({ name, checksum }) => checksum !== known.get(name));
  if (changed.length > 0) {
    throw new Error(
      `La base de datos se hizo con otro texto de ${namesOf(changed)}. Devuelva el archivo a como era y escriba el cambio en una migración nueva.`,
    );
  }
  const done = new Set(applied.map(({ name }) => name));
  return migrations.filter(({ name }) => !done.has(name));
}

function namesOf(list: readonly { name: string }[]): string {
  return list.map(({ name }) => name).join(", ");
}
