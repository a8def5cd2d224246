import type { Client } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { day } from "../../lib/clock.ts";
import { ApiError } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { Type } from "../../lib/schema.ts";
import { codeLifeMinutes } from "../../mail/mail-kinds.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { passwordResetMail, securityNoticeMail } from "../../mail/templates.ts";
import type { RequestSource } from "../accounts/hashing-queue.ts";
import { hashPassword, maxPasswordLength, minPasswordLength } from "../accounts/password.ts";
import { recordAudit } from "../accounts/record-audit.ts";
import { decideReset, type PastReset } from "./decide-reset.ts";
import { emailKeyOf } from "./known-device.ts";
import { codeExpiry, incorrectCode, isMailedCode, mailedCode, maxCodeTries, tooManyCodes } from "./mailed-code.ts";
import { homeOf, type Person, personByEmail, storePassword } from "./person.ts";
import { requireStrongPassword } from "./require-strong-password.ts";
import { forgetStages } from "./second-step/stage.ts";
import { endSessions } from "./session.ts";

export const newPassword = Type.String({ minLength: minPasswordLength, maxLength: maxPasswordLength });

/**
 * Mails a code for setting a new password. A code instead of a link keeps the secret out of URLs. Neither the response nor
 * any later one reveals whether somebody has this address.
 */
export async function requestReset(
  deps: CoreDeps,
  email: string,
  source: RequestSource,
): Promise<{ reset_id: string; expires_at: Date }> {
  const now = deps.clock.now();
  const key = emailKeyOf(email);
  const expiresAt = codeExpiry(now);
  await deps.partitions.ensure(now);
  const id = await transaction(deps.pool, async (client) => {
    // Serializes concurrent requests for one address, so that each is counted.
    await client.query(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 7042600003))`);
    await client.query(sql`delete from password_resets where created_at < ${new Date(now.getTime() - 2 * day)}`);
    const { rows: past } = await client.query<PastReset>(sql`
      select id, source, created_at, expires_at, attempts, used_at, mails, mailed_at from password_resets
      where email_key = ${key} and created_at > ${new Date(now.getTime() - day)} order by created_at desc, id desc`);
    const step = decideReset(past, source, now);
    if (step.kind === "refuse") throw tooManyCodes(step.until, now);
    const person = await reachable(client, key);
    const personId = person?.id ?? null;
    // A process of the version before finds a founder by the account.
    const accountId = person?.founded ? person.id : null;
    const mails = step.sendsMail ? 1 : 0;
    const resetId = step.kind === "repeat" ? step.id : uuidv7(now);
    if (step.kind === "repeat") {
      await client.query(sql`
        update password_resets set account_id = ${accountId}, person_id = ${personId}, expires_at = ${expiresAt}, mails = mails + ${mails},
          mailed_at = case when ${step.sendsMail} then ${now} else mailed_at end
        where id = ${resetId}`);
    } else {
      await client.query(sql`
        insert into password_resets (id, email_key, source, account_id, person_id, created_at, expires_at, mails, mailed_at)
        values (${resetId}, ${key}, ${source.name}, ${accountId}, ${personId}, ${now}, ${expiresAt}, ${mails}, ${now})`);
    }
    if (person && step.sendsMail) {
      const mail = passwordResetMail(codeOf(deps, resetId), codeLifeMinutes);
      await queueMail(client, person.accountId, now, mail, person.email);
    }
    return resetId;
  });
  deps.mail?.emit();
  return { reset_id: id, expires_at: expiresAt };
}

/** Somebody who could sign in, with the business whose mail tells her. */
async function reachable(
  client: Client,
  emailKey: string,
): Promise<(Pick<Person, "id" | "email" | "founded"> & { accountId: string }) | undefined> {
  const person = await personByEmail(client, emailKey);
  const home = person && (await homeOf(client, person.id));
  return person && home?.active ? { ...person, accountId: home.id } : undefined;
}

/** Tries a code. The try is counted and committed before the code is compared. Success ends all sessions. */
export async function resetPassword(
  deps: CoreDeps,
  id: string,
  { code, password }: { code: string; password: string },
  remoteAddress: string,
): Promise<{ email: string }> {
  const now = deps.clock.now();
  const { rows } = await deps.pool.query<{ person_id: string | null; attempts: number }>(sql`
    update password_resets set attempts = attempts + 1
    where id = ${id} and used_at is null and expires_at > ${now} and attempts < ${maxCodeTries}
    returning coalesce(person_id, account_id) as person_id, attempts`);
  const reset = rows[0];
  if (!reset) throw new ApiError("CODE_EXPIRED");
  if (!isMailedCode(code, deps.config.secretKeys, "password resets", id) || reset.person_id === null)
    throw incorrectCode("code", reset.attempts);
  const personId = reset.person_id;
  const home = await homeOf(deps.pool, personId);
  if (!home) throw new ApiError("CODE_EXPIRED");
  const accountId = home.id;
  await requireStrongPassword(deps.pool, personId, "password", password);
  const hash = await hashPassword(password);
  await deps.partitions.ensure(now);
  const email = await transaction(deps.pool, async (client) => {
    // Every change that ends codes locks the person's row first, so that two concurrent ones cannot deadlock.
    await storePassword(client, personId, hash, now);
    // Deleted instead of marked: a code that was used correctly does not count towards the daily limit.
    const used = await client.query(sql`delete from password_resets where id = ${id} and used_at is null`);
    if (used.rowCount === 0) throw new ApiError("CODE_EXPIRED");
    await endResets(client, personId, now);
    await endSessions(client, personId);
    await forgetStages(client, personId);
    const person = await client.query<{ email: string }>(sql`select email from people where id = ${personId}`);
    const { email } = oneRow(person.rows);
    await client.query(sql`delete from sign_in_failures where email_key = ${emailKeyOf(email)}`);
    await recordAudit(client, {
      accountId,
      at: now,
      action: "password.reset",
      details: {},
      actor: { kind: "owner", sessionId: null, remoteAddress, personId },
    });
    const notice = securityNoticeMail(deps.config.publicUrl, {
      title: "se restableció su contraseña",
      lines: ["Se cerraron todas las sesiones abiertas."],
    });
    await queueMail(client, accountId, now, notice, email);
    return email;
  });
  deps.mail?.emit();
  return { email };
}

/**
 * Invalidates outstanding codes after a person changed the address or the password: whoever reads the old mailbox must not
 * undo that. They are marked as used instead of deleted, so that they still count towards the daily limit.
 */
export async function endResets(client: Client, personId: string, now: Date): Promise<void> {
  await client.query(sql`
    update password_resets set used_at = ${now}
    where coalesce(person_id, account_id) = ${personId} and used_at is null`);
}

function codeOf({ config }: CoreDeps, id: string): string {
  return mailedCode(config.secretKeys, "password resets", id);
}
