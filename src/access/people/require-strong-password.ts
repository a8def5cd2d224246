import type { Queryable } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { validationError } from "../../lib/errors.ts";
import { isPassword } from "../accounts/password.ts";
import { passwordProblem } from "../accounts/password-strength.ts";

const known =
  "Esa contraseña es la que dejó de servir cuando usted dijo «no fui yo»: alguien más la conoce. Elija otra, y cámbiela también donde más la use.";

/** Refuses a new password that is easy to guess for somebody who knows the person, or the business she is in, and one that somebody knew. */
export async function requireStrongPassword(
  db: Queryable,
  personId: string,
  param: string,
  password: string,
): Promise<void> {
  const { rows } = await db.query<{ email: string; name: string; ended: string | null }>(sql`
    select p.email, concat_ws(' ', p.name, string_agg(a.name, ' ')) as name, p.ended_password_hash as ended
    from people p left join memberships m on m.person_id = p.id left join accounts a on a.id = m.account_id
    where p.id = ${personId} group by p.id`);
  const { ended, ...person } = oneRow(rows);
  const problem = passwordProblem(password, person);
  const message = problem ?? (ended !== null && (await isPassword(password, ended)) ? known : undefined);
  if (message !== undefined) throw validationError([{ param, message }]);
}
