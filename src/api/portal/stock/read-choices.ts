import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";

/** What filters and forms choose from. */
export interface Choice {
  id: string;
  name: string;
}

/** More would not fit in a list to choose from. */
const maxChoices = 1_000;

export async function readCategories(db: Queryable, accountId: string): Promise<Choice[]> {
  const { rows } = await db.query<Choice>(sql`
    select id, body ->> 'name' as name from categories
    where account_id = ${accountId} and deleted_at is null order by search, id limit ${maxChoices}`);
  return rows;
}

/** The default one first. */
export async function readWarehouses(db: Queryable, accountId: string): Promise<(Choice & { is_default: boolean })[]> {
  const { rows } = await db.query<Choice & { is_default: boolean }>(sql`
    select id, body ->> 'name' as name, is_default from warehouses
    where account_id = ${accountId} and deleted_at is null and active
    order by is_default desc, 2, id limit ${maxChoices}`);
  return rows;
}
