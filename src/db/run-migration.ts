import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "./pool.ts";
import { splitStatements } from "./split-statements.ts";

export interface Migration {
  name: string;
  text: string;
  /** Of the text with LF line ends, whatever the checkout uses. */
  checksum: string;
}

/**
 * For how long a migration may hold up requests by waiting for locks: they queue behind a statement that waits for a strong lock,
 * and behind the locks that its transaction already has.
 */
const lockBudgetMs = 500;
const minLockMs = 50;
/** A backup or a report that reads a table keeps its lock for long: tried again until then. */
const giveUpMs = 300_000;
const [firstWaitMs, maxWaitMs] = [100, 2_000];

/** The migrations of before upgrades under load fill tables while they hold locks. The old processes are stopped before them. */
const lastUnbounded = "0020-sale-journal.sql";
const unboundedLockMs = 60_000;

const indexConcurrently = /^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?(\w+)/i;

export interface RunOptions {
  onCitus: boolean;
  /** Called when a lock was not free and the migration is tried again. */
  onWait?: (name: string) => void;
  giveUpAfterMs?: number;
}

/** Applies one migration and notes it. It is done whole or not at all; one with steps outside a transaction can be repeated. */
export async function runMigration(client: Client, migration: Migration, options: RunOptions): Promise<void> {
  const { onWait = () => {}, giveUpAfterMs = giveUpMs } = options;
  const statements = statementsOf(migration, options.onCitus);
  const isApart = statements.some((statement) => indexConcurrently.test(withoutComments(statement)));
  const run = isApart ? runApart : runTogether;
  const until = performance.now() + giveUpAfterMs;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, maxWaitMs)) {
    try {
      return await run(client, migration, statements);
    } catch (error) {
      if (!isLockRefused(error)) throw error;
      if (performance.now() > until)
        throw new Error(
          `No se pudo aplicar ${migration.name}: otra transacción tiene ocupada una tabla desde hace rato (¿una copia de seguridad, una consulta larga?). Espere a que termine y repita; nada cambió.`,
          { cause: error },
        );
    }
    onWait(migration.name);
    await delay(waitMs);
  }
}

function statementsOf({ text }: Migration, onCitus: boolean): string[] {
  const statements = splitStatements(text);
  return onCitus ? statements.map(forCitus) : statements;
}

/** Citus renames no constraint of a distributed table, but indexes, and with the index of a key its constraint. */
function forCitus(statement: string): string {
  return statement.replace(/^\s*alter table \S+ rename constraint (\S+_pkey) to /, "alter index $1 rename to ");
}

async function runTogether(client: Client, migration: Migration, statements: readonly string[]): Promise<void> {
  await client.query("begin");
  try {
    // Read by Citus only: what touches a copied table wants one connection per node, and the nodes have to know the next setting too.
    await client.query("set local citus.multi_shard_modify_mode = 'sequential'");
    await client.query("set local citus.propagate_set_commands = 'local'");
    const startedAt = performance.now();
    for (const statement of statements) {
      await client.query(`set local lock_timeout = ${lockMs(migration, performance.now() - startedAt)}`);
      await client.query(statement);
    }
    await note(client, migration);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

function lockMs({ name }: Migration, elapsedMs: number): number {
  if (name <= lastUnbounded) return unboundedLockMs;
  return Math.max(minLockMs, Math.round(lockBudgetMs - elapsedMs));
}

/** Each statement by itself. Nobody queues behind one that builds an index concurrently, so it may wait. */
async function runApart(client: Client, migration: Migration, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    const [, index] = indexConcurrently.exec(withoutComments(statement)) ?? [];
    await client.query(`set lock_timeout = ${index ? 0 : lockBudgetMs}`);
    if (index) await dropUnfinished(client, index);
    await client.query(statement);
  }
  await note(client, migration);
}

/** What an interrupted attempt left; "if not exists" would take it for the index. */
async function dropUnfinished(client: Client, index: string): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relname = $1 and c.relnamespace = current_schema()::regnamespace and not i.indisvalid`,
    [index],
  );
  if (rowCount !== 0) await client.query(`drop index concurrently if exists ${index}`);
}

async function note(client: Client, { name, checksum }: Migration): Promise<void> {
  await client.query("insert into migrations (name, checksum) values ($1, $2)", [name, checksum]);
}

function withoutComments(statement: string): string {
  return statement.replaceAll(/--[^\n]*/g, "").trim();
}

/** lock_not_available, or a deadlock with writers that take the same locks in another order. */
function isLockRefused(error: unknown): boolean {
  return ["55P03", "40P01"].includes((error as { code?: string }).code ?? "");
}
