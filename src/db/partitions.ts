import { day } from "../lib/clock.ts";
import type { Pool } from "./pool.ts";
import { oneRow } from "./read.ts";
import { transaction } from "./transaction.ts";

/** A table partitioned by day of `created_at`, and its retention. */
export interface DailyTable {
  table: string;
  keepDays: number;
}

/** Partitions are created this far ahead, so that housekeeping may fail for a day or two. */
const daysAhead = 3;
/** Dropping a partition locks its parent, and writers queue behind it: a running backup must not prolong that. */
const maxDropWaitMs = 500;

const existingText = `select relname from pg_class
  where relname = any($1::text[]) and relnamespace = current_schema()::regnamespace and relispartition`;

export interface Partitions {
  /** Ensures partitions for the day of this instant and the next. Nearly always just a set look-up. */
  ensure(at: Date): Promise<void>;
  /** If the error says that a row had no partition, creates that day's partitions and returns true. */
  createMissing(error: unknown): Promise<boolean>;
  /** Drops partitions that are entirely past their retention; returns their names. */
  dropExpired(now: Date): Promise<string[]>;
}

export function dailyPartitions(pool: Pool, tables: readonly DailyTable[]): Partitions {
  const ready = new Set<number>();
  let creating: Promise<void> | undefined;

  /** Skips days past a table's retention: the demo's past has no idempotency keys. */
  async function createFrom(from: number): Promise<void> {
    const { rows } = await pool.query<{ today: number }>(
      "select floor(extract(epoch from clock_timestamp()) / 86400)::int as today",
    );
    const days = Array.from({ length: daysAhead + 1 }, (_, i) => from + i);
    // One after the other: while a node is away none can be created, and those of the next days are there already.
    for (const dayNumber of days) {
      const kept = tables.filter(({ keepDays }) => dayNumber >= oneRow(rows).today - keepDays);
      await createPartitions(
        pool,
        kept.map(({ table }) => ({ table, dayNumber })),
      );
      ready.add(dayNumber);
    }
  }

  return {
    async ensure(at) {
      const dayNumber = Math.floor(at.getTime() / day);
      // An account's clock may run a few milliseconds ahead of ours, and so already be past midnight.
      const isReady = () => ready.has(dayNumber) && ready.has(dayNumber + 1);
      while (!isReady()) {
        creating ??= createFrom(dayNumber).finally(() => {
          creating = undefined;
        });
        await creating.catch((error: unknown) => {
          if (!isReady()) throw error;
        });
      }
    },
    async createMissing(error) {
      const dayNumber = dayWithoutPartition(error);
      if (dayNumber === undefined) return false;
      await createPartitions(
        pool,
        tables.map(({ table }) => ({ table, dayNumber })),
      );
      return true;
    },
    async dropExpired(now) {
      const dropped = await dropOlder(pool, tables, now);
      ready.clear();
      return dropped;
    },
  };
}

async function createPartitions(pool: Pool, wanted: readonly { table: string; dayNumber: number }[]): Promise<void> {
  const client = await pool.connect();
  try {
    // One session at a time, and only for days that are missing.
    await client.query("select pg_advisory_lock(7042600002)");
    const names = wanted.map(({ table, dayNumber }) => partitionName(table, dayNumber));
    const { rows } = await client.query<{ relname: string }>(existingText, [names]);
    const existing = new Set(rows.map((row) => row.relname));
    for (const [i, { table, dayNumber }] of wanted.entries()) {
      if (existing.has(names[i]!)) continue;
      for (const statement of partitionStatements(table, dayNumber)) await client.query(statement);
    }
  } finally {
    await client.query("select pg_advisory_unlock(7042600002)").then(
      () => client.release(),
      (error: Error) => client.release(error),
    );
  }
}

async function dropOlder(pool: Pool, tables: readonly DailyTable[], now: Date): Promise<string[]> {
  const dropped: string[] = [];
  for (const { table, keepDays } of tables) {
    const { rows } = await pool.query<{ relname: string }>(
      "select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass",
      [table],
    );
    // Only whole days are dropped: the oldest day may still hold rows within the retention.
    const oldest = partitionName(table, Math.floor(now.getTime() / day) - keepDays);
    for (const { relname } of rows.filter((row) => row.relname < oldest)) {
      await dropQuickly(pool, relname);
      dropped.push(relname);
    }
  }
  return dropped;
}

/**
 * The day for which an insert found no partition, if that is the error. A failed check constraint has the same code, but
 * also a name. The message may be in any language; the instant in it is in the session's time zone, which is always UTC.
 */
export function dayWithoutPartition(error: unknown): number | undefined {
  const { code, constraint, detail } = error as Partial<Record<string, string>>;
  if (code !== "23514" || constraint !== undefined) return undefined;
  const [, isoDate] = /\((\d{4}-\d\d-\d\d) [\d:.]+\+00\)/.exec(detail ?? "") ?? [];
  return isoDate === undefined ? undefined : Date.parse(isoDate) / day;
}

/**
 * Created as a table and then attached: `create table … partition of` waits until nobody reads the parent, and all writers
 * queue behind it for as long as a backup takes. Two transactions, because on Citus one of both holds locks on all nodes
 * that its readers wait for; a table that a crash left unattached is attached by the next attempt.
 */
function partitionStatements(table: string, dayNumber: number): string[] {
  const name = partitionName(table, dayNumber);
  return [
    `create table if not exists ${name} (like ${table} including all excluding indexes)`,
    `alter table ${table} attach partition ${name}
       for values from ('${isoDay(dayNumber)} 00:00+00') to ('${isoDay(dayNumber + 1)} 00:00+00')`,
  ];
}

async function dropQuickly(pool: Pool, partition: string): Promise<void> {
  await transaction(pool, async (client) => {
    await client.query(`set local lock_timeout = ${maxDropWaitMs}`);
    await client.query(`drop table if exists ${partition}`);
  });
}

function isoDay(dayNumber: number): string {
  return new Date(dayNumber * day).toISOString().slice(0, 10);
}

/** For how many days after today every table has its partitions; -1 when one of today's is missing. */
export async function partitionDaysAhead(pool: Pool, tables: readonly DailyTable[], now: Date): Promise<number> {
  const today = Math.floor(now.getTime() / day);
  const days = Array.from({ length: daysAhead + 1 }, (_, i) =>
    tables.map(({ table }) => partitionName(table, today + i)),
  );
  const { rows } = await pool.query<{ relname: string }>(existingText, [days.flat()]);
  const existing = new Set(rows.map(({ relname }) => relname));
  const missing = days.findIndex((names) => names.some((name) => !existing.has(name)));
  return missing === -1 ? daysAhead : missing - 1;
}

function partitionName(table: string, dayNumber: number): string {
  return `${table}_${isoDay(dayNumber).replaceAll("-", "")}`;
}
