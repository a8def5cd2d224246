import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { findPerson } from "../person.ts";

/** Begins an erasure; whoever ends it is the worker, or a command. Returns what will be forgotten, without saying whom. */
export async function requestErasure(
  db: Queryable,
  accountId: string,
  wanted: string,
  now: Date,
): Promise<{ id: string; customers: number }> {
  const person = await findPerson(db, accountId, wanted);
  const id = uuidv7(now);
  await db.query(sql`
    insert into erasures (account_id, id, created_at, customer_ids, sale_ids, person)
    values (${accountId}, ${id}, ${now}, ${person.customerIds}::uuid[], ${person.saleIds}::uuid[], ${JSON.stringify(person)})`);
  return { id, customers: person.customerIds.length };
}

export interface Erasure {
  id: string;
  created_at: Date;
  finished_at: Date | null;
  /** How many records and rows were changed, by table. */
  changed: Record<string, number>;
}

/** Newest first. */
export async function readErasures(db: Queryable, accountId: string, limit: number): Promise<Erasure[]> {
  const { rows } = await db.query<Omit<Erasure, "changed"> & { counts: string }>(sql`
    select id, created_at, finished_at, counts from erasures where account_id = ${accountId} order by created_at desc, id desc limit ${limit}`);
  return rows.map(({ counts, ...row }) => ({ ...row, changed: JSON.parse(counts) as Record<string, number> }));
}
