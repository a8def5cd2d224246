import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";

export interface Sede {
  id: string;
  name: string;
}

/** The sedes of a business, to choose whose a person is. None before there is a table of them. */
export async function readSedes(db: Queryable, accountId: string): Promise<Sede[]> {
  const { rows: table } = await db.query<{ is_there: boolean }>(
    "select to_regclass('locations') is not null as is_there",
  );
  if (!table[0]?.is_there) return [];
  const { rows } = await db.query<Sede>(sql`
    select id, body ->> 'name' as name from locations
    where account_id = ${accountId} and deleted_at is null order by created_at, id`);
  return rows;
}
