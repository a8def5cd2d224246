import type { Queryable } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { validationError } from "../../lib/errors.ts";
import { passwordProblem } from "../accounts/password-strength.ts";

/** Refuses a new password that is easy to guess for somebody who knows the person, or the business she is in. */
export async function requireStrongPassword(
  db: Queryable,
  personId: string,
  param: string,
  password: string,
): Promise<void> {
  const { rows } = await db.query<{ email: string; name: string }>(sql`
    select p.email, concat_ws(' ', p.name, string_agg(a.name, ' ')) as name
    from people p left join memberships m on m.person_id = p.id left join accounts a on a.id = m.account_id
    where p.id = ${personId} group by p.id`);
  const message = passwordProblem(password, oneRow(rows));
  if (message !== undefined) throw validationError([{ param, message }]);
}
