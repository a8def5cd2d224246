import type { Client } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { ApiError } from "../../lib/errors.ts";
import { isEmailTaken } from "../accounts/create-account.ts";

/** Gives the account another address to sign in with. Two accounts cannot share one. */
export async function changeEmail(
  client: Client,
  { accountId, oldEmail, email, now }: { accountId: string; oldEmail: string; email: string; now: Date },
): Promise<void> {
  // Of two changes that were asked for, the second names an address that the first has ended: its notice would go there.
  const change = sql`update accounts set email = ${email}, updated_at = ${now} where id = ${accountId} and email = ${oldEmail}`;
  const changed = await client.query(change).catch((error: unknown) => {
    throw isEmailTaken(error) ? new ApiError("EMAIL_TAKEN", { param: "email", cause: error }) : error;
  });
  if (changed.rowCount === 0) throw new ApiError("CODE_EXPIRED");
}
