import type { Client } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { day } from "../../lib/clock.ts";
import { ApiError } from "../../lib/errors.ts";
import { hashToken } from "../../lib/token.ts";
import { emailKeyOf } from "./known-device.ts";

/** Mails a day to one mailbox, whose holder asked for none: from one business, and from all of them together. */
const fromOne = 3;
const fromAll = 10;

const held =
  "Por hoy no se envían más invitaciones a este correo. Si ya envió una, sirve durante 72 horas: pida que la busquen, también entre el correo no deseado, o invite otra vez mañana.";

/** Refuses an invitation that would be one too many in somebody's mailbox, and counts it. What it says is the same whoever invited before. */
export async function requireFewTo(
  client: Client,
  { accountId, email, at }: { accountId: string; email: string; at: Date },
): Promise<void> {
  const dayBefore = new Date(at.getTime() - day);
  const { rows: mails } = await client.query<{ sent: number; first: Date | null }>(sql`
    select count(*)::int as sent, min(created_at) as first from mails
    where account_id = ${accountId} and kind = 'invitation' and lower(recipient) = ${emailKeyOf(email)}
      and created_at > ${dayBefore}`);
  const { sent, first } = oneRow(mails);
  if (sent >= fromOne) throw tooMany(held, (first ?? at).getTime() + day - at.getTime());
  // Those of all businesses are counted beside the sign-ins that fail, under a name that is nobody's address.
  const key = `invitations to ${hashToken(emailKeyOf(email)).toString("base64url")}`;
  const { rows } = await client.query<{ failures: number }>(sql`
    insert into sign_in_failures as f (email_key, source, failures, last_failure_at) values (${key}, 'businesses', 1, ${at})
    on conflict (email_key, source) do update set last_failure_at = excluded.last_failure_at,
      failures = case when f.last_failure_at < ${dayBefore} then 1 else f.failures + 1 end
    returning failures`);
  if (oneRow(rows).failures > fromAll) throw tooMany(held, day);
}

export function tooMany(message: string, forMs: number): ApiError {
  return new ApiError("RATE_LIMITED", {
    message,
    headers: { "retry-after": String(Math.max(1, Math.ceil(forMs / 1000))) },
  });
}
