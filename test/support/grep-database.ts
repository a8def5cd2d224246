import type { Queryable } from "../../src/db/pool.ts";

/** Where any of these texts stands in the database: `table.column` once for each, in every column that can hold a text. */
export async function grepDatabase(pool: Pick<Queryable, "query">, needles: readonly string[]): Promise<string[]> {
  const { rows: columns } = await pool.query<{ table: string; column: string; type: string }>(`
    select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and format_type(a.atttypid, null) in ('text', 'json', 'jsonb', 'text[]', 'bytea', 'character varying')
    order by 1, 2`);
  const found: string[] = [];
  for (const { table, column, type } of columns) {
    const text = type === "bytea" ? `encode(${column}, 'escape')` : `${column}::text`;
    const { rows } = await pool.query(
      `select 1 from ${table} where exists (select from unnest($1::text[]) as needle where ${text} ilike '%' || needle || '%') limit 1`,
      [[...needles]],
    );
    if (rows.length > 0) found.push(`${table}.${column}`);
  }
  return found;
}
