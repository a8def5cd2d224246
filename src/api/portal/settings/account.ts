import type { Plan } from "../../../access/accounts/create-account.ts";
import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";

export interface Account {
  id: string;
  name: string;
  email: string;
  plan: Plan;
  active: boolean;
  created_at: Date;
}

export async function readAccount(db: Queryable, accountId: string): Promise<Account> {
  const { rows } = await db.query<Account>(
    sql`select id, name, email, plan, active, created_at from accounts where id = ${accountId}`,
  );
  return rows[0]!;
}

export async function isEmailOfAnotherAccount(db: Queryable, accountId: string, email: string): Promise<boolean> {
  const { rowCount } = await db.query(
    sql`select 1 from accounts where lower(email) = ${email.toLowerCase()} and id <> ${accountId}`,
  );
  return rowCount !== 0;
}
