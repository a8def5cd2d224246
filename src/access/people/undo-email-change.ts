import { randomBytes } from "node:crypto";
import type { Client } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { hour } from "../../lib/clock.ts";
import { ApiError } from "../../lib/errors.ts";
import { hashToken } from "../../lib/token.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { changeUndoneMail } from "../../mail/templates.ts";
import { withAccountLock } from "../accounts/account-lock.ts";
import { isEmailTaken } from "../accounts/create-account.ts";
import { hashPassword } from "../accounts/password.ts";
import { recordAudit } from "../accounts/record-audit.ts";
import { emailKeyOf } from "./known-device.ts";

const undoableMs = 72 * hour;

/** The link with which the old address takes the account back. Its secret is in the fragment, which no server logs. */
export async function makeUndoable(
  client: Client,
  publicUrl: string,
  { accountId, oldEmail, now }: { accountId: string; oldEmail: string; now: Date },
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await client.query(sql`
    insert into email_changes (hash, account_id, old_email, created_at, expires_at)
    values (${hashToken(token)}, ${accountId}, ${oldEmail}, ${now}, ${new Date(now.getTime() + undoableMs)})`);
  return `${publicUrl}/deshacer-correo#${token}`;
}

/**
 * Restores the address that the account had before a change, whatever happened since. Whoever made the change knew the
 * password and may still be signed in, so all sessions, pending codes and the password end. The owner sets a new one with a
 * code.
 */
export async function undoEmailChange(
  deps: CoreDeps,
  token: string,
  remoteAddress: string,
): Promise<{ email: string }> {
  const now = deps.clock.now();
  const found = await deps.pool.query<{ account_id: string }>(sql`
    select account_id from email_changes
    where hash = ${hashToken(token)} and undone_at is null and expires_at > ${now}`);
  const accountId = found.rows[0]?.account_id;
  if (accountId === undefined) throw new ApiError("UNDO_EXPIRED");
  const unusableHash = await hashPassword(randomBytes(32).toString("base64url"));
  await deps.partitions.ensure(now);
  const email = await withAccountLock(deps, accountId, async (client) => {
    const { old_email } = await useLink(client, token, now);
    const replaced = await restoreEmail(client, { accountId, email: old_email, unusableHash, now });
    // Deleted, so that a code that was just compared finds nothing to confirm, and so that codes requested by others do not
    // count against the one that the owner requests next.
    await client.query(sql`delete from confirmations where account_id = ${accountId} and used_at is null`);
    await client.query(sql`
      delete from password_resets where account_id = ${accountId} or email_key = ${emailKeyOf(old_email)}`);
    await client.query(sql`delete from portal_sessions where account_id = ${accountId}`);
    await recordAudit(client, {
      accountId,
      at: now,
      action: "account.undo_email_change",
      details: { old_email: replaced, email: old_email },
      actor: { kind: "owner", sessionId: null, remoteAddress },
    });
    await queueMail(client, accountId, now, changeUndoneMail(old_email), replaced);
    return old_email;
  });
  deps.mail?.emit();
  return { email };
}

/** Uses up the link, and those of all later changes, which would bring the thief's address back. */
async function useLink(client: Client, token: string, now: Date): Promise<{ old_email: string }> {
  const { rows } = await client.query<{ account_id: string; old_email: string; created_at: Date }>(sql`
    update email_changes set undone_at = ${now}
    where hash = ${hashToken(token)} and undone_at is null and expires_at > ${now}
    returning account_id, old_email, created_at`);
  const change = rows[0];
  if (!change) throw new ApiError("UNDO_EXPIRED");
  await client.query(sql`
    update email_changes set undone_at = ${now}
    where account_id = ${change.account_id} and created_at >= ${change.created_at} and undone_at is null`);
  return change;
}

/** Returns the address that was replaced. */
async function restoreEmail(
  client: Client,
  { accountId, email, unusableHash, now }: { accountId: string; email: string; unusableHash: string; now: Date },
): Promise<string> {
  const before = await client.query<{ email: string }>(
    sql`select email from accounts where id = ${accountId} for no key update`,
  );
  try {
    await client.query(sql`
      update accounts set email = ${email}, password_hash = ${unusableHash}, updated_at = ${now} where id = ${accountId}`);
  } catch (error) {
    if (!isEmailTaken(error)) throw error;
    throw new ApiError("EMAIL_TAKEN", {
      message: "Otra cuenta usa ahora ese correo, así que no se hizo nada. Escriba a quien administra su Mostrador.",
      cause: error,
    });
  }
  return oneRow(before.rows).email;
}
