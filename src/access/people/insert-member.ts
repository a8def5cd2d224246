import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import type { StoredRole } from "./membership.ts";
import type { Person } from "./person.ts";

export type NewPerson = Pick<Person, "id" | "email" | "name" | "password_hash">;

export async function insertPerson(
  db: Queryable,
  { id, email, name, password_hash }: NewPerson,
  at: Date,
): Promise<void> {
  await db.query(sql`
    insert into people (id, email, name, password_hash, created_at, updated_at)
    values (${id}, ${email}, ${name}, ${password_hash}, ${at}, ${at})`);
}

/** Whoever belongs to the business already stays what she is. */
export async function insertMembership(
  db: Queryable,
  {
    personId,
    accountId,
    role,
    role_id,
    location_ids,
  }: StoredRole & {
    personId: string;
    accountId: string;
    location_ids: string[] | null;
  },
  at: Date,
): Promise<void> {
  await db.query(sql`
    insert into memberships (person_id, account_id, role, role_id, location_ids, created_at, updated_at)
    values (${personId}, ${accountId}, ${role}, ${role_id}, ${location_ids}, ${at}, ${at})
    on conflict do nothing`);
}
