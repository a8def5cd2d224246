import type { Plan } from "../../../access/accounts/create-account.ts";
import type { Session } from "../../../access/people/session.ts";
import type { Queryable } from "../../../db/pool.ts";
import { oneRow } from "../../../db/read.ts";
import { sql } from "../../../db/sql.ts";

export interface Account {
  id: string;
  name: string;
  /** The address of whoever asks. */
  email: string;
  plan: Plan;
  active: boolean;
  created_at: Date;
}

/** A business, with the address of whoever asks. */
export async function readAccount(
  db: Queryable,
  { accountId, personId }: Pick<Session, "accountId" | "personId">,
): Promise<Account> {
  const { rows } = await db.query<Account>(sql`
    select a.id, a.name, p.email, a.plan, a.active, a.created_at from accounts a, people p
    where a.id = ${accountId} and p.id = ${personId}`);
  return oneRow(rows);
}

export async function isEmailOfAnotherPerson(db: Queryable, personId: string, email: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    select 1 from people where lower(email) = ${email.toLowerCase()} and id <> ${personId}
    union all
    select 1 from accounts where lower(email) = ${email.toLowerCase()} and id <> ${personId}`);
  return rowCount !== 0;
}
