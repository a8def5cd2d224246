import type { Client } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { ApiError } from "../../lib/errors.ts";
import { isEmailTaken } from "../accounts/create-account.ts";

/** Changes the address the owner signs in with. Two accounts cannot share one. */
export async function changeEmail(
  client: Client,
  { accountId, oldEmail, email, now }: { accountId: string; oldEmail: string; email: string; now: Date },
): Promise<void> {
  // If two changes are pending, the second still names the old address, where its notice would go: it is refused.
  const change = sql`update accounts set email = ${email}, updated_at = ${now} where id = ${accountId} and email = ${oldEmail}`;
  const changed = await client.query(change).catch((error: unknown) => {
    throw isEmailTaken(error) ? new ApiError("EMAIL_TAKEN", { param: "email", cause: error }) : error;
  });
  if (changed.rowCount === 0) throw new ApiError("CODE_EXPIRED");
}
