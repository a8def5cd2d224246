import { createHmac, hkdfSync, randomInt, timingSafeEqual } from "node:crypto";
import { holdingAccount } from "../accounts/hold-account.ts";
import { type Actor, recordAudit } from "../accounts/record-audit.ts";
import { sql } from "../db/sql.ts";
import type { Deps } from "../deps.ts";
import { day, minute } from "../lib/clock.ts";
import { ApiError } from "../lib/errors.ts";
import { uuidv7 } from "../lib/ids.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { codeMail, securityNoticeMail } from "../mail/templates.ts";
import { type ConfirmableAction, confirmableActions, type Payloads } from "./confirmable-actions.ts";
import type { Session } from "./session.ts";

const lifeMinutes = 10;
const maxTries = 5;
const codesPerDay = 5;

/** Mails a code for a change; the change waits, exactly as it was described, for whoever holds the session and the mail. */
export async function requestConfirmation<A extends ConfirmableAction>(
  deps: Deps,
  session: Session,
  action: A,
  payload: Payloads[A],
): Promise<{ confirmation_id: string; expires_at: string }> {
  const now = deps.clock.now();
  const id = uuidv7(now);
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  const expiresAt = new Date(now.getTime() + lifeMinutes * minute);
  await deps.partitions.ensure(now);
  await holdingAccount(deps, session.accountId, async (client) => {
    const { rows } = await client.query<{ count: number; oldest: Date | null }>(sql`
      select count(*), min(created_at) as oldest from confirmations
      where account_id = ${session.accountId} and action = ${action} and created_at > ${new Date(now.getTime() - day)}`);
    const { count, oldest } = rows[0]!;
    if (count >= codesPerDay) {
      const seconds = Math.ceil((oldest!.getTime() + day - now.getTime()) / 1000);
      throw new ApiError("TOO_MANY_CODES", { headers: { "retry-after": String(Math.max(1, seconds)) } });
    }
    await client.query(sql`
      insert into confirmations (account_id, id, session_id, action, payload, code_hash, created_at, expires_at)
      values (${session.accountId}, ${id}, ${session.id}, ${action}, ${JSON.stringify(payload)}, ${hashCode(deps, id, code)},
        ${now}, ${expiresAt})`);
    const { describe, codeTo } = confirmableActions[action];
    const mail = codeMail(code, describe(payload), lifeMinutes);
    await queueMail(client, session.accountId, now, mail, codeTo?.(payload));
  });
  deps.mail?.ring();
  return { confirmation_id: id, expires_at: expiresAt.toISOString() };
}

/** Tries a code. The try is counted, and committed, before the code is compared. */
export async function confirm(deps: Deps, session: Session, id: string, code: string, actor: Actor): Promise<object> {
  const now = deps.clock.now();
  const { accountId } = session;
  const { rows } = await deps.pool.query(sql`
    update confirmations set attempts = attempts + 1
    where account_id = ${accountId} and id = ${id} and session_id = ${session.id}
      and used_at is null and expires_at > ${now} and attempts < ${maxTries}
    returning action, payload, code_hash, attempts`);
  const asked = rows[0];
  if (!asked) throw await expiredOrUnknown(deps, session, id);
  if (!timingSafeEqual(hashCode(deps, id, code), asked.code_hash)) {
    throw new ApiError("CODE_INCORRECT", { param: "code", extra: { attempts_left: maxTries - asked.attempts } });
  }
  await deps.partitions.ensure(now);
  const action = asked.action as ConfirmableAction;
  const payload = JSON.parse(asked.payload);
  const { perform, notice, noticeTo } = confirmableActions[action];
  const outcome = await holdingAccount(deps, accountId, async (client, account) => {
    const used = await client.query(sql`
      update confirmations set used_at = ${now} where account_id = ${accountId} and id = ${id} and used_at is null`);
    if (used.rowCount === 0) throw new ApiError("CODE_EXPIRED");
    const done = await perform({ deps, client, accountId, hasPro: account.recordsEvents, now }, payload as never);
    await recordAudit(client, { accountId, at: now, action, details: done.details, actor });
    const mail = securityNoticeMail(deps.config.publicUrl, notice(payload as never));
    await queueMail(client, accountId, now, mail, noticeTo?.(payload as never));
    return done.outcome;
  });
  deps.mail?.ring();
  // Rotating a key ends another one: whoever confirmed must not see it work on here.
  if (action === "api_key.rotate") deps.access.clear();
  return outcome;
}

async function expiredOrUnknown(deps: Deps, session: Session, id: string): Promise<ApiError> {
  const { rowCount } = await deps.pool.query(sql`
    select 1 from confirmations where account_id = ${session.accountId} and id = ${id} and session_id = ${session.id}`);
  return rowCount === 0
    ? new ApiError("NOT_FOUND", {
        param: "confirmation_id",
        message: "No existe esta confirmación en su sesión. Empiece de nuevo.",
      })
    : new ApiError("CODE_EXPIRED");
}

/** Six digits are guessed in a moment by who reads the table, unless a key that is not in it takes part. */
function hashCode({ config }: Deps, id: string, code: string): Buffer {
  const key = Buffer.from(hkdfSync("sha256", config.secretKey, "", "mostrador confirmation codes", 32));
  return createHmac("sha256", key).update(`${id}\n${code}`).digest();
}
