import { createHmac, hkdfSync, randomInt, timingSafeEqual } from "node:crypto";
import { Type } from "typebox";
import { hashPassword, longestPassword, shortestPassword } from "../accounts/password.ts";
import { recordAudit } from "../accounts/record-audit.ts";
import type { Client } from "../db/pool.ts";
import { sql } from "../db/sql.ts";
import { transaction } from "../db/transaction.ts";
import type { Deps } from "../deps.ts";
import { day, minute } from "../lib/clock.ts";
import { ApiError } from "../lib/errors.ts";
import { uuidv7 } from "../lib/ids.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { passwordResetMail, securityNoticeMail } from "../mail/templates.ts";
import { requireStrongPassword } from "./require-strong-password.ts";

export const newPassword = Type.String({ minLength: shortestPassword, maxLength: longestPassword });

const lifeMinutes = 10;
const maxTries = 5;
const codesPerDay = 5;

/**
 * Mails a code for a new password. A code and not a link: no secret stands in an address. Whether anyone has the
 * mail address shows neither in the answer nor in what follows it.
 */
export async function askReset(deps: Deps, email: string): Promise<{ reset_id: string; expires_at: Date }> {
  const now = deps.clock.now();
  const key = email.trim().toLowerCase();
  const id = uuidv7(now);
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  const expiresAt = new Date(now.getTime() + lifeMinutes * minute);
  await deps.partitions.ensure(now);
  await transaction(deps.pool, async (client) => {
    // Codes asked for side by side are counted one after the other.
    await client.query(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 7042600003))`);
    const { rows } = await client.query<{ count: number; oldest: Date | null }>(sql`
      select count(*), min(created_at) as oldest from password_resets
      where email_key = ${key} and created_at > ${new Date(now.getTime() - day)}`);
    const { count, oldest } = rows[0]!;
    if (count >= codesPerDay) {
      const seconds = Math.ceil((oldest!.getTime() + day - now.getTime()) / 1000);
      throw new ApiError("TOO_MANY_CODES", { headers: { "retry-after": String(Math.max(1, seconds)) } });
    }
    const found = await client.query<{ id: string }>(
      sql`select id from accounts where lower(email) = ${key} and active`,
    );
    const accountId = found.rows[0]?.id ?? null;
    await client.query(sql`delete from password_resets where created_at < ${new Date(now.getTime() - 2 * day)}`);
    await client.query(sql`
      insert into password_resets (id, email_key, account_id, code_hash, created_at, expires_at)
      values (${id}, ${key}, ${accountId}, ${hashCode(deps, id, code)}, ${now}, ${expiresAt})`);
    if (accountId) await queueMail(client, accountId, now, passwordResetMail(code, lifeMinutes));
  });
  deps.mail?.ring();
  return { reset_id: id, expires_at: expiresAt };
}

/** Tries a code; the try is counted, and committed, before it is compared. All sessions end: whoever had one has it no more. */
export async function resetPassword(
  deps: Deps,
  id: string,
  { code, password }: { code: string; password: string },
  remoteAddress: string,
): Promise<void> {
  const now = deps.clock.now();
  const { rows } = await deps.pool.query<{ account_id: string | null; code_hash: Buffer; attempts: number }>(sql`
    update password_resets set attempts = attempts + 1
    where id = ${id} and used_at is null and expires_at > ${now} and attempts < ${maxTries}
    returning account_id, code_hash, attempts`);
  const asked = rows[0];
  if (!asked) throw new ApiError("CODE_EXPIRED");
  if (!timingSafeEqual(hashCode(deps, id, code), asked.code_hash) || asked.account_id === null)
    throw new ApiError("CODE_INCORRECT", { param: "code", extra: { attempts_left: maxTries - asked.attempts } });
  const accountId = asked.account_id;
  await requireStrongPassword(deps.pool, accountId, "password", password);
  const hash = await hashPassword(password);
  await deps.partitions.ensure(now);
  await transaction(deps.pool, async (client) => {
    // The account's row comes first, for every change that ends codes: two of them side by side wait, and do not deadlock.
    const account = await client.query<{ email: string }>(sql`
      update accounts set password_hash = ${hash}, updated_at = ${now} where id = ${accountId} returning email`);
    const used = await client.query(
      sql`update password_resets set used_at = ${now} where id = ${id} and used_at is null`,
    );
    if (used.rowCount === 0) throw new ApiError("CODE_EXPIRED");
    await endResets(client, accountId, now);
    await client.query(sql`delete from portal_sessions where account_id = ${accountId}`);
    await client.query(sql`delete from sign_in_failures where email_key = ${account.rows[0]!.email.toLowerCase()}`);
    await recordAudit(client, {
      accountId,
      at: now,
      action: "password.reset",
      details: {},
      actor: { kind: "owner", sessionId: null, remoteAddress },
    });
    const notice = securityNoticeMail(deps.config.publicUrl, {
      title: "se restableció su contraseña",
      lines: ["Se cerraron todas las sesiones abiertas."],
    });
    await queueMail(client, accountId, now, notice);
  });
  deps.mail?.ring();
}

/**
 * A code that is under way must not undo what its owner has just done: take another address, because the old one is read
 * by somebody else, or another password. Used and not deleted: it still counts among the codes of its day.
 */
export async function endResets(client: Client, accountId: string, now: Date): Promise<void> {
  await client.query(
    sql`update password_resets set used_at = ${now} where account_id = ${accountId} and used_at is null`,
  );
}

function hashCode({ config }: Deps, id: string, code: string): Buffer {
  const key = Buffer.from(hkdfSync("sha256", config.secretKey, "", "mostrador password resets", 32));
  return createHmac("sha256", key).update(`${id}\n${code}`).digest();
}
