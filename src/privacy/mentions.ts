import type { Queryable } from "../db/pool.ts";
import { oneRow } from "../db/read.ts";
import { prepared } from "../db/sql.ts";

/** A table as it is searched: in the order of its key, by its columns that hold text. */
export interface SearchedTable {
  name: string;
  /** Without the account's id. */
  key: Column[];
  texts: Column[];
  hasBodyBytes: boolean;
}

interface Column {
  name: string;
  type: string;
}

/** A row by the texts of its columns; null where it has none. */
export interface FoundRow {
  key: string[];
  texts: (string | null)[];
  /** Whether it was found by the other condition: it is about her. */
  hers: boolean;
}

export interface Chunk {
  rows: FoundRow[];
  /** The key of the last row that was looked at; undefined at the end of the table. */
  last: string[] | undefined;
}

const textTypes = ["text", "json", "jsonb", "text[]"];

/** Of the catalog, so that no column that a later version adds is forgotten. */
export async function searchedTable(db: Queryable, name: string): Promise<SearchedTable> {
  const { rows } = await db.query<Column & { place: number | null; generated: boolean }>(
    prepared(
      `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attgenerated <> '' as generated,
         array_position(i.indkey::int2[], a.attnum) as place
       from pg_attribute a join pg_index i on i.indrelid = a.attrelid and i.indisprimary
       where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped order by place, a.attnum`,
      [name],
    ),
  );
  const key = rows.filter((row) => row.place !== null && row.name !== "account_id");
  const texts = rows.filter(({ place, type, generated }) => place === null && !generated && textTypes.includes(type));
  return { name, key, texts, hasBodyBytes: rows.some((row) => row.name === "body_bytes") };
}

const rowsPerChunk = 1_000;

/**
 * The next rows of an account after a key, of which those are returned that match the pattern or the other condition, which takes
 * its values from $3 on.
 */
export async function nextChunk(
  db: Queryable,
  table: SearchedTable,
  accountId: string,
  from: readonly string[] | undefined,
  wanted: { pattern: string | undefined; or?: string | undefined; values?: readonly unknown[] },
): Promise<Chunk> {
  const { name, key, texts } = table;
  const { pattern = null, or, values: own = [] } = wanted;
  const keys = key.map((column) => column.name).join(", ");
  const values: unknown[] = [accountId, pattern, ...own];
  const place = (keyTexts: readonly string[]) => {
    const parameters = keyTexts.map((text, i) => `$${values.push(text)}::text::${key[i]?.type}`);
    return `(${parameters.join(", ")})`;
  };
  const after = from ? `and (${keys}) > ${place(from)}` : "";
  const all = texts.map((column) => `coalesce(${column.name}::text, '')`).join(" || ' ' || ");
  const condition = [`(${all}) ~* $2`, ...(or ? [or] : [])].join(" or ");
  const { rows } = await db.query<{ last: string[] | null; count: number; found: string }>(
    prepared(
      `with chunk as materialized (
         select * from ${name} where account_id = $1 ${after} order by ${keys} limit ${rowsPerChunk})
       select (select count(*)::int from chunk) as count,
         (select array[${textsOf(key)}] from chunk order by ${key.map((one) => `${one.name} desc`).join(", ")} limit 1) as last,
         coalesce((select json_agg(json_build_object('key', array[${textsOf(key)}], 'texts', array[${textsOf(texts)}]::text[],
             'hers', coalesce(${or ?? "false"}, false)))
           from chunk where ${condition}), '[]') as found`,
      values,
    ),
  );
  const { last, count, found } = oneRow(rows);
  return { rows: JSON.parse(found) as FoundRow[], last: count < rowsPerChunk ? undefined : (last ?? undefined) };
}

function textsOf(columns: readonly Column[]): string {
  return columns.map(({ name }) => `${name}::text`).join(", ");
}

/** Puts other texts into a row, unless somebody changed it since it was read. Returns whether it did. */
export async function replaceTexts(
  db: Queryable,
  table: SearchedTable,
  accountId: string,
  { key, texts }: FoundRow,
  after: readonly (string | null)[],
): Promise<boolean> {
  const values: unknown[] = [accountId];
  const bind = (text: string | null | undefined, type = "text") => `$${values.push(text ?? null)}::text::${type}`;
  const changed = table.texts.flatMap((column, i) => (after[i] === texts[i] ? [] : [{ column, i }]));
  if (changed.length === 0) return true;
  const sets = changed.map(({ column, i }) => `${column.name} = ${bind(after[i], column.type)}`);
  const body = changed.find(({ column }) => column.name === "body");
  if (table.hasBodyBytes && body) sets.push(`body_bytes = ${Buffer.byteLength(after[body.i] ?? "")}`);
  const where = [
    ...table.key.map((column, i) => `${column.name} = ${bind(key[i], column.type)}`),
    ...changed.map(({ column, i }) => `${column.name}::text is not distinct from ${bind(texts[i])}`),
  ];
  const text = `update ${table.name} set ${sets.join(", ")} where account_id = $1 and ${where.join(" and ")}`;
  return (await db.query(prepared(text, values))).rowCount === 1;
}
