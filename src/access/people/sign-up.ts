import type { Client } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { day, hour } from "../../lib/clock.ts";
import { ApiError, validationError } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { codeLifeMinutes } from "../../mail/mail-kinds.ts";
import { alreadyKnownMail, signUpMail } from "../../mail/people-templates.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import type { NewAccount } from "../accounts/create-account.ts";
import type { RequestSource } from "../accounts/hashing-queue.ts";
import { passwordProblem } from "../accounts/password-strength.ts";
import { decideReset, type PastReset } from "./decide-reset.ts";
import { emailKeyOf } from "./known-device.ts";
import { codeExpiry, incorrectCode, isSameCode, mailedCode, maxCodeTries, tooManyCodes } from "./mailed-code.ts";
import { personByEmail } from "./person.ts";

/** Their mails are nobody's yet: all together they are one account that takes its turn. */
const strangersAccount = "00000000-0000-0000-0000-000000000000";
const linkLifeMs = 72 * hour;

/** Mails a code with which to open a business. To somebody who is here already it mails that, and the response is the same. */
export async function requestSignUp(
  deps: CoreDeps,
  email: string,
  source: RequestSource,
): Promise<{ sign_up_id: string; expires_at: Date }> {
  if (deps.config.signUp !== "open") throw signUpClosed(deps);
  const now = deps.clock.now();
  const key = emailKeyOf(email);
  const expiresAt = codeExpiry(now);
  await deps.partitions.ensure(now);
  const id = await transaction(deps.pool, async (client) => {
    await client.query(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 7042600006))`);
    await client.query(sql`delete from sign_ups where expires_at < ${new Date(now.getTime() - day)}`);
    const { rows: past } = await client.query<PastReset>(sql`
      select id, source, created_at, expires_at, attempts, used_at, mails, mailed_at from sign_ups
      where email_key = ${key} and created_at > ${new Date(now.getTime() - day)} order by created_at desc, id desc`);
    const step = decideReset(past, source, now);
    if (step.kind === "refuse") throw tooManyCodes(step.until, now);
    const mails = step.sendsMail ? 1 : 0;
    const signUpId = step.kind === "repeat" ? step.id : uuidv7(now);
    await client.query(sql`
      insert into sign_ups (id, email_key, email, source, created_at, expires_at, mails, mailed_at)
      values (${signUpId}, ${key}, ${email.trim()}, ${source.name}, ${now}, ${expiresAt}, ${mails}, ${now})
      on conflict (id) do update set expires_at = excluded.expires_at, mails = sign_ups.mails + excluded.mails,
        mailed_at = case when ${step.sendsMail} then excluded.mailed_at else sign_ups.mailed_at end`);
    if (step.sendsMail) await tell(deps, client, { id: signUpId, email: email.trim(), now });
    return signUpId;
  });
  deps.mail?.emit();
  return { sign_up_id: id, expires_at: expiresAt };
}

async function tell(
  deps: CoreDeps,
  client: Client,
  { id, email, now }: { id: string; email: string; now: Date },
): Promise<void> {
  const known = await personByEmail(client, emailKeyOf(email));
  const mail = known ? alreadyKnownMail(deps.config.publicUrl) : signUpMail(codeOf(deps, id), codeLifeMinutes);
  await queueMail(client, strangersAccount, now, mail, email);
}

/** A link with which somebody may open one business, from whoever operates the installation. */
export async function makeSignUpLink(deps: CoreDeps, email: string): Promise<{ link: string; expires_at: Date }> {
  if (deps.config.signUp === "off") throw signUpClosed(deps);
  const now = deps.clock.now();
  const id = uuidv7(now);
  const expiresAt = new Date(now.getTime() + linkLifeMs);
  await deps.pool.query(sql`
    insert into sign_ups (id, email_key, email, source, created_at, expires_at, mails, mailed_at)
    values (${id}, ${emailKeyOf(email)}, ${email}, 'operator', ${now}, ${expiresAt}, 0, ${now})`);
  return { link: `${deps.config.publicUrl}/registro#${id}.${codeOf(deps, id)}`, expires_at: expiresAt };
}

/**
 * What a business is opened with, once the code was right. The try is counted and committed before the code is compared; one
 * for somebody who is here already is never right, since nobody was told it.
 */
export async function confirmSignUp(
  deps: CoreDeps,
  id: string,
  { code, business, password }: { code: string; business: string; password: string },
): Promise<NewAccount> {
  if (deps.config.signUp === "off") throw signUpClosed(deps);
  const now = deps.clock.now();
  const { rows } = await deps.pool.query<{ email: string; attempts: number }>(sql`
    update sign_ups set attempts = attempts + 1
    where id = ${id} and used_at is null and expires_at > ${now} and attempts < ${maxCodeTries}
    returning email, attempts`);
  const [asked] = rows;
  if (!asked) throw new ApiError("CODE_EXPIRED");
  const { email, attempts } = asked;
  const isKnown = (await personByEmail(deps.pool, emailKeyOf(email))) !== undefined;
  if (!isSameCode(code, codeOf(deps, id)) || isKnown) throw incorrectCode("code", attempts);
  const message = passwordProblem(password, { email, name: business });
  if (message !== undefined) {
    // A code that was right is not used up by a password that was refused.
    await deps.pool.query(sql`update sign_ups set attempts = attempts - 1 where id = ${id}`);
    throw validationError([{ param: "password", message }]);
  }
  const used = await deps.pool.query(sql`delete from sign_ups where id = ${id} and used_at is null`);
  if (used.rowCount === 0) throw new ApiError("CODE_EXPIRED");
  return { name: business, email, password, plan: "basic" };
}

function signUpClosed({ config }: CoreDeps): ApiError {
  return new ApiError("SIGN_UP_CLOSED", {
    ...(config.signUp === "invite" && {
      message: "Para abrir un negocio aquí se necesita un enlace. Pídalo a quien opera este Mostrador.",
    }),
  });
}

function codeOf({ config }: CoreDeps, id: string): string {
  return mailedCode(config.secretKey, "sign-ups", id);
}
