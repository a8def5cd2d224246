import type { Client } from "../db/pool.ts";
import { sql } from "../db/sql.ts";
import { ApiError } from "../lib/errors.ts";

/** Gives the account another address to sign in with. Two accounts cannot share one. */
export async function changeEmail(
  client: Client,
  { accountId, oldEmail, email, now }: { accountId: string; oldEmail: string; email: string; now: Date },
): Promise<void> {
  // Asked first: a broken constraint would end the transaction of whoever calls.
  const { rowCount } = await client.query(
    sql`select 1 from accounts where lower(email) = ${email.toLowerCase()} and id <> ${accountId}`,
  );
  if (rowCount !== 0) throw new ApiError("EMAIL_TAKEN", { param: "email" });
  // Of two changes that were asked for, the second names an address that the first has ended: its notice would go there.
  const changed = await client.query(
    sql`update accounts set email = ${email}, updated_at = ${now} where id = ${accountId} and email = ${oldEmail}`,
  );
  if (changed.rowCount === 0) throw new ApiError("CODE_EXPIRED");
}
