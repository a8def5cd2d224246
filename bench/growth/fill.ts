import { type Pool, withoutTimeouts } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import type { Bench, BenchShop } from "../support/dataset.ts";

/** Rows are copies of a model: columns that many rows share, and a body with placeholders for each row's own values. */
export interface Model {
  columns: (accountId: string) => Record<string, unknown>;
  body: string;
}

/** Where PostgreSQL's format() inserts a row's own values into a model's body. */
export const placeholder = { id: "%1$s", createdAt: "%2$s", updatedAt: "%3$s", number: "%4$s", code: "%5$s" };

/** Ten digits for each number, very different for neighbouring numbers. */
export function codeOf(number: number): string {
  return String(1_000_000_000n + ((BigInt(number) * 7_919_003n) % 999_999_937n));
}
const codeInSql = "(1000000000 + (number::bigint * 7919003) % 999999937)::text";

/** One kind of record: its models, and how a row's number, id and times determine its other columns. */
export interface Family {
  table: string;
  models: Model[];
  /** Replaces the other models in a few rows of every account, whatever its size, for searches that match little. */
  rare: Model;
  /** The models' columns, with their types. */
  columns: Record<string, string>;
  /** The other columns, as SQL over `number`, `code`, `id`, `at` and `changed`, and the models' columns. */
  own: Record<string, string>;
  /** Functions that `own` needs. */
  functions?: string;
  /** Milliseconds between two rows in an account of this size. */
  gapMs(rows: number): number;
}

export interface SizedShop extends BenchShop {
  rows: number;
}

/** An account of a known size. Row `number`, counted from the oldest, was created at instantOf(number). */
export interface FilledShop extends SizedShop {
  newest: Date;
  instantOf(number: number): Date;
}

/** The same in every account, whatever its size: how many rows are rare, and how many were changed last. */
const rareRows = 30;
const changedRows = 100;

/**
 * Fills one family's table for several accounts. Two sessions insert the rows in SQL while the table has no indexes, which
 * are built afterwards, in parallel.
 */
export async function fillFamily(
  bench: Bench,
  family: Family,
  shops: readonly SizedShop[],
  note: (text: string) => void,
): Promise<FilledShop[]> {
  const { pool } = bench;
  const newest = new Date(Math.floor(bench.clock.now().getTime() / 1000) * 1000);
  const total = shops.reduce((sum, { rows }) => sum + rows, 0);
  const startedAt = performance.now();
  const step = (text: string) => note(`${text} after ${Math.round((performance.now() - startedAt) / 1000)} s`);
  note(`filling ${total} ${family.table}…`);
  await pool.query("alter system set max_wal_size = '8GB'");
  await pool.query("alter system set autovacuum = off");
  await pool.query("select pg_reload_conf()");
  const indexes = await dropIndexes(pool, family.table);
  if (family.functions) await pool.query(family.functions);
  for (const shop of shops) {
    const half = Math.ceil(shop.rows / 2);
    await Promise.all([
      insertRange(pool, family, shop, newest, 0, half),
      insertRange(pool, family, shop, newest, half, shop.rows),
    ]);
    await pool.query(
      sql`update account_clock set seq = ${shop.rows}, ts = ${newest} where account_id = ${shop.accountId}`,
    );
  }
  step("  rows");
  for (const { name, statement } of indexes) {
    await runWithoutLimits(pool, statement);
    step(`  ${name}`);
  }
  await pool.query("alter system reset all");
  await pool.query("select pg_reload_conf()");
  await runWithoutLimits(pool, `vacuum analyze ${family.table}`);
  await runWithoutLimits(pool, "checkpoint");
  const { rows: size } = await pool.query<{ gb: number }>(
    "select round(pg_database_size(current_database()) / 1e9, 1) as gb",
  );
  step(`${total} ${family.table} in a database of ${size[0]!.gb} GB`);
  return shops.map((shop) => ({
    ...shop,
    newest,
    instantOf: (number) => new Date(newest.getTime() - (shop.rows - number) * family.gapMs(shop.rows)),
  }));
}

async function insertRange(
  pool: Pool,
  family: Family,
  { accountId, rows }: SizedShop,
  newest: Date,
  from: number,
  until: number,
): Promise<void> {
  const shared = Object.fromEntries(Object.keys(family.columns).map((name) => [name, `model.${name}`]));
  const columns = { ...shared, ...family.own };
  const typed = Object.entries({ rank: "int", text: "text", ...family.columns }).map((column) => column.join(" "));
  const models = [...family.models, family.rare].map(({ columns, body }, rank) => ({
    rank,
    text: body,
    ...columns(accountId),
  }));
  const instant = (value: string) => `to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const text = `
    insert into ${family.table} (account_id, id, created_at, ${Object.keys(columns).join(", ")}, body)
    select $1::uuid, id, at, ${Object.values(columns).join(", ")},
      format(text, id, ${instant("at")}, ${instant("changed")}, number, code)::json
    from (
      select number, ${codeInSql} as code, at, uuidv7(at - clock_timestamp()) as id,
        case when number % $6::int = 3 then $2::timestamptz else at end as changed,
        case when number % $7::int = 7 then ${family.models.length} else number % ${family.models.length} end as rank
      from (
        select number, ($2::timestamptz - ($3::int - number) * $4::float8 * interval '1 ms')::timestamptz(3) as at
        from generate_series($8::int, $9::int - 1) as number
      ) as placed
    ) as made
    join json_to_recordset($5::json) as model(${typed.join(", ")}) using (rank)`;
  await runWithoutLimits(pool, text, [
    accountId,
    newest,
    rows,
    family.gapMs(rows),
    JSON.stringify(models),
    Math.floor(rows / changedRows),
    Math.floor(rows / rareRows),
    from,
    until,
  ]);
}

/** Drops the indexes, which would be updated row by row. Returns the statements that create them again, keys first. */
async function dropIndexes(pool: Pool, table: string): Promise<{ name: string; statement: string }[]> {
  const { rows } = await pool.query<{ name: string; key: string | null; definition: string }>(sql`
    select c.relname as name, pg_get_constraintdef(k.oid) as key, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid left join pg_constraint k on k.conindid = i.indexrelid
    where i.indrelid = ${table}::regclass order by k.oid is null, c.relname`);
  for (const { name, key } of rows) {
    await pool.query(key ? `alter table ${table} drop constraint ${name}` : `drop index ${name}`);
  }
  return rows.map(({ name, key, definition }) => ({
    name,
    // For a partitioned table, the definition would leave out the partitions.
    statement: key ? `alter table ${table} add constraint ${name} ${key}` : definition.replace(" ON ONLY ", " ON "),
  }));
}

/** Runs one statement without the service's timeouts and with more memory. */
function runWithoutLimits(pool: Pool, text: string, values: unknown[] = []): Promise<void> {
  return withoutTimeouts(pool, async (client) => {
    await client.query("set synchronous_commit = off");
    await client.query("set maintenance_work_mem = '2GB'");
    await client.query("set max_parallel_maintenance_workers = 2");
    await client.query(text, values);
  });
}
