import type { Queryable } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { validationError } from "../../lib/errors.ts";
import { passwordProblem } from "../accounts/password-strength.ts";

/** Refuses a new password that is easy to guess for somebody who knows the account. */
export async function requireStrongPassword(
  db: Queryable,
  accountId: string,
  param: string,
  password: string,
): Promise<void> {
  const { rows } = await db.query<{ email: string; name: string }>(
    sql`select email, name from accounts where id = ${accountId}`,
  );
  const message = passwordProblem(password, oneRow(rows));
  if (message !== undefined) throw validationError([{ param, message }]);
}
