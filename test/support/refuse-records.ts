import type { Queryable } from "../../src/db/pool.ts";

/** PostgreSQL refuses these records, or all of the table, with this code until the returned function is called. */
export async function refuseRecords(
  db: Queryable,
  table: string,
  code: string,
  ids?: readonly string[],
): Promise<() => Promise<void>> {
  const isRefused = ids ? `new.id in (${ids.map((id) => `'${id}'`).join(", ")})` : "true";
  await db.query(`
    create or replace function refuse_record() returns trigger language plpgsql as
    $$ begin if ${isRefused} then raise exception using errcode = '${code}', message = 'refused'; end if; return new; end $$;
    create trigger refuse_record before insert or update on ${table} for each row execute function refuse_record()`);
  return async () => {
    await db.query(`drop trigger refuse_record on ${table}`);
  };
}
