import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { isCitus } from "./distribute.ts";
import { type Pool, type Queryable, withoutTimeouts } from "./pool.ts";
import { splitStatements } from "./split-statements.ts";

const folder = new URL("../../migrations/", import.meta.url);

/** Processes that start together wait for this lock, and then find the work done. */
const migrationLock = 7_042_600_001n;

export interface Migration {
  name: string;
  text: string;
  /** Of the text with LF line ends, whatever the checkout uses. */
  checksum: string;
}

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

/** Applies pending migrations and returns their names. `onRun` is called before each, except on an empty database. */
export async function migrate(pool: Pool, onRun: (name: string) => void = () => {}): Promise<string[]> {
  const migrations = await readMigrations();
  return withoutTimeouts(pool, async (client) => {
    await client.query("begin");
    await client.query(`select pg_advisory_xact_lock(${migrationLock})`);
    // Read by Citus only: what touches a copied table wants one connection per node, and the nodes have to know the next setting too.
    await client.query("set local citus.multi_shard_modify_mode = 'sequential'");
    await client.query("set local citus.propagate_set_commands = 'local'");
    await client.query("set local lock_timeout = '60s'");
    await client.query(
      "create table if not exists migrations (name text primary key, applied_at timestamptz not null default now(), checksum text not null)",
    );
    const pending = pendingOf(migrations, await readApplied(client));
    const onCitus = await isCitus(client);
    for (const { name, text, checksum } of pending) {
      if (pending.length < migrations.length) onRun(name);
      for (const statement of splitStatements(text)) await client.query(onCitus ? forCitus(statement) : statement);
      await client.query("insert into migrations (name, checksum) values ($1, $2)", [name, checksum]);
    }
    await client.query("commit");
    return pending.map(({ name }) => name);
  });
}

/** Citus renames no constraint of a distributed table, but indexes, and with the index of a key its constraint. */
function forCitus(statement: string): string {
  return statement.replace(/^\s*alter table \S+ rename constraint (\S+_pkey) to /, "alter index $1 rename to ");
}

/** For commands that need the current schema but must not change it. */
export async function checkSchema(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ exists: boolean }>("select to_regclass('migrations') is not null as exists");
  const pending = pendingOf(await readMigrations(), rows[0]!.exists ? await readApplied(pool) : []);
  if (pending.length === 0) return;
  throw new Error(
    `El esquema de la base de datos está atrasado (falta ${namesOf(pending)}). Póngalo al día con: npx mostrador migrate`,
  );
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
  const known = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  const unknown = applied.filter(({ name }) => !known.has(name));
  if (unknown.length > 0) {
    throw new Error(
      `La base de datos es de una versión más nueva de Mostrador (${namesOf(unknown)}). Actualice este programa antes de usarla.`,
    );
  }
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
