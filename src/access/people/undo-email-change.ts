import { randomBytes } from "node:crypto";
import type { Client } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { hour } from "../../lib/clock.ts";
import { ApiError } from "../../lib/errors.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { changeUndoneMail } from "../../mail/templates.ts";
import { withAccountLock } from "../accounts/account-lock.ts";
import { isEmailTaken } from "../accounts/create-account.ts";
import { hashPassword } from "../accounts/password.ts";
import { recordAudit } from "../accounts/record-audit.ts";
import { emailKeyOf } from "./known-device.ts";
import { personById, storeEmail, storePassword } from "./person.ts";
import { hashesOf } from "./session.ts";

const undoableMs = 72 * hour;

/** The link with which the old address takes the account back. Its secret is in the fragment, which no server logs. */
export async function makeUndoable(
  client: Client,
  publicUrl: string,
  { accountId, personId, oldEmail, now }: { accountId: string; personId: string; oldEmail: string; now: Date },
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const person = await personById(client, personId);
  // A process of the version before would give the account's address back: it finds only the links of founders.
  const { founders, others } = hashesOf(token);
  await client.query(sql`
    insert into email_changes (hash, account_id, person_id, old_email, created_at, expires_at)
    values (${person?.founded ? founders : others}, ${person?.founded ? personId : accountId}, ${personId}, ${oldEmail}, ${now},
      ${new Date(now.getTime() + undoableMs)})`);
  return `${publicUrl}/deshacer-correo#${token}`;
}

/**
 * Restores the address that the person had before a change, whatever happened since. Whoever made the change knew the
 * password and may still be signed in, so all sessions, pending codes and the password end. She sets a new one with a
 * code.
 */
export async function undoEmailChange(
  deps: CoreDeps,
  token: string,
  remoteAddress: string,
): Promise<{ email: string }> {
  const now = deps.clock.now();
  const { founders, others } = hashesOf(token);
  const found = await deps.pool.query<{ account_id: string; person_id: string }>(sql`
    select account_id, coalesce(person_id, account_id) as person_id from email_changes
    where hash in (${founders}, ${others}) and undone_at is null and expires_at > ${now}`);
  if (!found.rows[0]) throw new ApiError("UNDO_EXPIRED");
  const { account_id: accountId, person_id: personId } = found.rows[0];
  const unusableHash = await hashPassword(randomBytes(32).toString("base64url"));
  await deps.partitions.ensure(now);
  const email = await withAccountLock(deps, accountId, async (client) => {
    const { old_email } = await useLink(client, token, now);
    const replaced = await restoreEmail(client, { personId, email: old_email, unusableHash, now });
    await endEverything(client, personId);
    // So that codes requested by others do not count against the one that she requests next.
    await client.query(sql`
      delete from password_resets
      where coalesce(person_id, account_id) = ${personId} or email_key = ${emailKeyOf(old_email)}`);
    await recordAudit(client, {
      accountId,
      at: now,
      action: "account.undo_email_change",
      details: { old_email: replaced, email: old_email },
      actor: { kind: "owner", sessionId: null, remoteAddress, personId },
    });
    await queueMail(client, accountId, now, changeUndoneMail(old_email), replaced);
    return old_email;
  });
  deps.mail?.emit();
  return { email };
}

/** Ends a person's sessions with what waits in them, so that a code that was just compared finds nothing to confirm. */
async function endEverything(client: Client, personId: string): Promise<void> {
  const { rows } = await client.query<{ id: string; account_id: string }>(sql`
    delete from portal_sessions where person_id = ${personId} or (person_id is null and account_id = ${personId})
    returning id, account_id`);
  for (const { id, account_id } of rows)
    await client.query(sql`
      delete from confirmations where account_id = ${account_id} and session_id = ${id} and used_at is null`);
}

/** Uses up the link, and those of all later changes, which would bring the thief's address back. */
async function useLink(client: Client, token: string, now: Date): Promise<{ old_email: string }> {
  const { founders, others } = hashesOf(token);
  const { rows } = await client.query<{ person_id: string; old_email: string; created_at: Date }>(sql`
    update email_changes set undone_at = ${now}
    where hash in (${founders}, ${others}) and undone_at is null and expires_at > ${now}
    returning coalesce(person_id, account_id) as person_id, old_email, created_at`);
  const change = rows[0];
  if (!change) throw new ApiError("UNDO_EXPIRED");
  await client.query(sql`
    update email_changes set undone_at = ${now}
    where coalesce(person_id, account_id) = ${change.person_id} and created_at >= ${change.created_at} and undone_at is null`);
  return change;
}

/** Returns the address that was replaced. */
async function restoreEmail(
  client: Client,
  { personId, email, unusableHash, now }: { personId: string; email: string; unusableHash: string; now: Date },
): Promise<string> {
  const before = await client.query<{ email: string }>(
    sql`select email from people where id = ${personId} for no key update`,
  );
  try {
    await storeEmail(client, { personId, oldEmail: null, email, at: now });
    await storePassword(client, personId, unusableHash, now);
  } catch (error) {
    if (!isEmailTaken(error)) throw error;
    throw new ApiError("EMAIL_TAKEN", {
      message: "Otra cuenta usa ahora ese correo, así que no se hizo nada. Escriba a quien administra su Mostrador.",
      cause: error,
    });
  }
  return oneRow(before.rows).email;
}
