import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import type { Plan } from "../accounts/create-account.ts";
import { endedPassword, isEndedPassword } from "../accounts/password.ts";

/** Of the name that others read beside what she did. */
export const maxPersonName = 120;

export interface Person {
  id: string;
  email: string;
  name: string;
  password_hash: string;
  /** Whether the account with this id was opened for this person, and holds a copy of the address and the password. */
  founded: boolean;
}

export interface Home {
  id: string;
  name: string;
  plan: Plan;
  active: boolean;
}

/** The person with an address, as lower(email) gives it. */
export async function personByEmail(db: Queryable, emailKey: string): Promise<Person | undefined> {
  await catchUp(db, { emailKey });
  const { rows } = await db.query<Person>(sql`
    select id, email, name, password_hash, founded from people where lower(email) = ${emailKey}`);
  return rows[0];
}

export async function personById(db: Queryable, id: string): Promise<Person | undefined> {
  await catchUp(db, { id });
  const { rows } = await db.query<Person>(
    sql`select id, email, name, password_hash, founded from people where id = ${id}`,
  );
  return rows[0];
}

/**
 * Takes over what a process of the version before wrote meanwhile: an account that it opened gets its person, and a founder the
 * address and the password that it set. Both are what this version writes into `accounts` as well, so that afterwards nothing
 * differs; it goes with those columns. An account whose founder left keeps no address (`unfound`), and is nobody's.
 */
export async function catchUp(db: Queryable, who: { emailKey: string } | { id: string }): Promise<void> {
  const { emailKey = null, id = null } = who as { emailKey?: string; id?: string };
  const { rows } = await db.query<{ id: string }>(sql`
    select a.id from accounts a left join people known on known.id = a.id
    where (a.id = ${id} or lower(a.email) = ${emailKey}
        or a.id = (select one.id from people one where lower(one.email) = ${emailKey} and one.founded))
      and ((known.id is null and a.email <> a.id || '@former.invalid') or known.founded
        and (known.email, known.password_hash) is distinct from (a.email, a.password_hash))
      and not exists (select from people other where lower(other.email) = lower(a.email) and other.id <> a.id)`);
  for (const behind of rows) {
    await db.query(sql`
      insert into people as p (id, email, password_hash, founded, created_at, updated_at)
      select id, email, password_hash, true, created_at, updated_at from accounts where id = ${behind.id}
      on conflict (id) do update
        set email = excluded.email, password_hash = excluded.password_hash, updated_at = excluded.updated_at
        where p.founded`);
    await db.query(sql`
      insert into memberships (person_id, account_id, role, created_at, updated_at)
      select id, id, 'owner', created_at, updated_at from accounts where id = ${behind.id}
      on conflict do nothing`);
  }
}

/** The business in which a person's session opens: the last one used, unless it is inactive and another is not. */
export async function homeOf(db: Queryable, personId: string): Promise<Home | undefined> {
  const { rows } = await db.query<Home>(sql`
    select a.id, a.name, a.plan, a.active
    from memberships m join accounts a on a.id = m.account_id join people p on p.id = m.person_id
    where m.person_id = ${personId}
    order by a.active desc, (a.id is not distinct from p.last_account_id) desc, m.created_at, a.id limit 1`);
  return rows[0];
}

/** Sets a person's password, here and where processes of the version before look for it. */
export async function storePassword(db: Queryable, personId: string, hash: string, at: Date): Promise<void> {
  await db.query(sql`
    update people set password_hash = ${hash}, trusted_since = ${at}, updated_at = ${at} where id = ${personId}`);
  await db.query(sql`
    update accounts set password_hash = ${hash}, updated_at = ${at}
    where id = ${personId} and exists (select from people where id = ${personId} and founded)`);
}

/** Ends a password that somebody else knows, and keeps its hash: the same one is not set again. */
export async function endPassword(db: Queryable, personId: string, at: Date): Promise<void> {
  const { rows } = await db.query<{ password_hash: string }>(sql`
    select password_hash from people where id = ${personId} for update`);
  const known = rows[0]?.password_hash;
  // Said twice, the first one is it.
  if (known !== undefined && !isEndedPassword(known))
    await db.query(sql`update people set ended_password_hash = ${known} where id = ${personId}`);
  await storePassword(db, personId, endedPassword(), at);
}

/** Sets the address a person signs in with, in both places. Resolves with whether it was still the old one. */
export async function storeEmail(
  db: Queryable,
  { personId, oldEmail, email, at }: { personId: string; oldEmail: string | null; email: string; at: Date },
): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update people set email = ${email}, updated_at = ${at}
    where id = ${personId} and email = coalesce(${oldEmail}, email)`);
  await db.query(sql`
    update accounts set email = ${email}, updated_at = ${at}
    where id = ${personId} and ${rowCount !== 0} and exists (select from people where id = ${personId} and founded)`);
  return rowCount !== 0;
}
