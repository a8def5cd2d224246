import type { Client } from "../../db/pool.ts";
import { ApiError } from "../../lib/errors.ts";
import { isEmailTaken } from "../accounts/create-account.ts";
import { storeEmail } from "./person.ts";

/** Changes the address a person signs in with. Two people cannot share one. */
export async function changeEmail(
  client: Client,
  { personId, oldEmail, email, now }: { personId: string; oldEmail: string; email: string; now: Date },
): Promise<void> {
  // If two changes are pending, the second still names the old address, where its notice would go: it is refused.
  const changed = await storeEmail(client, { personId, oldEmail, email, at: now }).catch((error: unknown) => {
    throw isEmailTaken(error) ? new ApiError("EMAIL_TAKEN", { param: "email", cause: error }) : error;
  });
  if (!changed) throw new ApiError("CODE_EXPIRED");
}
