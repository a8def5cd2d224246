import { day } from "../lib/clock.ts";
import type { Pool } from "./pool.ts";

/** A table partitioned by day of `created_at`, and for how many days its rows are kept. */
export interface DailyTable {
  table: string;
  keepDays: number;
}

/** Days made ahead: housekeeping that fails for a day or two leaves nobody without a partition. */
const daysAhead = 3;
/** Dropping a partition takes its parent alone, and whoever writes waits behind it: a backup must not make that long. */
const longestDropWaitMs = 500;

export interface Partitions {
  /** Makes sure that rows of this instant, and of the day after it, have a partition. Nearly always a set look-up. */
  ensure(at: Date): Promise<void>;
  /** Makes the partitions of the day whose absence this error tells of; false when it tells of something else. */
  mend(error: unknown): Promise<boolean>;
  /** Drops what is wholly past its retention; returns the names dropped. */
  dropExpired(now: Date): Promise<string[]>;
}

export function dailyPartitions(pool: Pool, tables: readonly DailyTable[]): Partitions {
  const ready = new Set<number>();
  let making: Promise<void> | undefined;

  /** Days whose rows would be dropped at once are left out: a demo's past has no idempotency keys. */
  async function makeFrom(from: number): Promise<void> {
    const { rows } = await pool.query<{ today: number }>(
      "select floor(extract(epoch from clock_timestamp()) / 86400)::int as today",
    );
    const days = Array.from({ length: daysAhead + 1 }, (_, i) => from + i);
    await make(
      tables.flatMap(({ table, keepDays }) =>
        days.filter((dayNumber) => dayNumber >= rows[0]!.today - keepDays).map((dayNumber) => ({ table, dayNumber })),
      ),
    );
    for (const dayNumber of days) ready.add(dayNumber);
  }

  async function make(wanted: readonly { table: string; dayNumber: number }[]): Promise<void> {
    const client = await pool.connect();
    try {
      // One session at a time, and only for days that are missing.
      await client.query("select pg_advisory_lock(7042600002)");
      const names = wanted.map(({ table, dayNumber }) => partitionName(table, dayNumber));
      const { rows } = await client.query<{ relname: string }>(
        "select relname from pg_class where relname = any($1::text[]) and relnamespace = current_schema()::regnamespace",
        [names],
      );
      const existing = new Set(rows.map((row) => row.relname));
      for (const [i, { table, dayNumber }] of wanted.entries()) {
        if (existing.has(names[i]!)) continue;
        await client.query(partitionText(table, dayNumber));
      }
    } finally {
      await client.query("select pg_advisory_unlock(7042600002)").then(
        () => client.release(),
        (error: Error) => client.release(error),
      );
    }
  }

  return {
    async ensure(at) {
      const dayNumber = Math.floor(at.getTime() / day);
      // An account's clock runs ahead of ours by a millisecond per write: it may be past midnight already.
      while (!ready.has(dayNumber) || !ready.has(dayNumber + 1)) {
        making ??= makeFrom(dayNumber).finally(() => {
          making = undefined;
        });
        await making;
      }
    },
    async mend(error) {
      const dayNumber = dayWithoutPartition(error);
      if (dayNumber === undefined) return false;
      await make(tables.map(({ table }) => ({ table, dayNumber })));
      return true;
    },
    async dropExpired(now) {
      const dropped: string[] = [];
      for (const { table, keepDays } of tables) {
        const { rows } = await pool.query<{ relname: string }>(
          "select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass",
          [table],
        );
        // The day before the retention's first still holds readable hours: only whole days go.
        const oldest = partitionName(table, Math.floor(now.getTime() / day) - keepDays);
        for (const { relname } of rows.filter((row) => row.relname < oldest)) {
          await pool.query(`set local lock_timeout = ${longestDropWaitMs}; drop table if exists ${relname}`);
          dropped.push(relname);
        }
      }
      ready.clear();
      return dropped;
    },
  };
}

/**
 * What an insert says that found no partition for its row. A check of ours that failed has the same code, and a name. The
 * words may be in any language; the row's instant is in the session's, which is always UTC.
 */
export function dayWithoutPartition(error: unknown): number | undefined {
  const { code, constraint, detail } = error as Partial<Record<string, string>>;
  if (code !== "23514" || constraint !== undefined) return undefined;
  const [, isoDate] = /\((\d{4}-\d\d-\d\d) [\d:.]+\+00\)/.exec(detail ?? "") ?? [];
  return isoDate === undefined ? undefined : Date.parse(isoDate) / day;
}

/**
 * Made by itself and then attached, in one transaction: a table that is born as a partition waits until nobody reads its
 * parent, and all writers wait behind it, for as long as a backup takes.
 */
function partitionText(table: string, dayNumber: number): string {
  const name = partitionName(table, dayNumber);
  return `create table ${name} (like ${table} including all excluding indexes);
    alter table ${table} attach partition ${name}
      for values from ('${isoDay(dayNumber)} 00:00+00') to ('${isoDay(dayNumber + 1)} 00:00+00')`;
}

function isoDay(dayNumber: number): string {
  return new Date(dayNumber * day).toISOString().slice(0, 10);
}

function partitionName(table: string, dayNumber: number): string {
  return `${table}_${isoDay(dayNumber).replaceAll("-", "")}`;
}
