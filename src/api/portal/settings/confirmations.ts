import { withAccountLock } from "../../../access/accounts/account-lock.ts";
import { type Actor, recordAudit } from "../../../access/accounts/record-audit.ts";
import {
  codeExpiry,
  incorrectCode,
  isMailedCode,
  mailedCode,
  maxCodeTries,
  tooManyCodes,
} from "../../../access/people/mailed-code.ts";
import { requireOwnScopes } from "../../../access/people/require-own-scopes.ts";
import { requireRight } from "../../../access/people/require-right.ts";
import type { Session } from "../../../access/people/session.ts";
import { tell } from "../../../access/people/told/tell.ts";
import type { Client } from "../../../db/pool.ts";
import { oneRow } from "../../../db/read.ts";
import { sql } from "../../../db/sql.ts";
import type { Deps } from "../../../deps.ts";
import { day, minute, second } from "../../../lib/clock.ts";
import { ApiError, validationError } from "../../../lib/errors.ts";
import { uuidv7 } from "../../../lib/ids.ts";
import { currentKey, derivedKey, hmac } from "../../../lib/secret-keys.ts";
import { codeLifeMinutes } from "../../../mail/mail-kinds.ts";
import { addressesOfOwners, queueMail } from "../../../mail/queue-mail.ts";
import { codeMail, securityNoticeMail } from "../../../mail/templates.ts";
import type { Answers, RequestedConfirmation } from "../answers.ts";
import { type ConfirmableAction, confirmableActions, type Payloads } from "./confirmable-actions.ts";

const codesPerDay = 10;
/** A repeated request this soon is a double click, or a mail that is slow to arrive: it reuses the confirmation. */
const reuseWithinMs = minute;
const repeatMailAfterMs = 20 * second;

/** Mails a code for a change. The change is stored exactly as described and done once its session presents the code. */
export async function requestConfirmation<A extends ConfirmableAction>(
  deps: Deps,
  session: Session,
  action: A,
  payload: Payloads[A],
): Promise<RequestedConfirmation> {
  const now = deps.clock.now();
  const { accountId, personId } = session;
  const requestHash = hashRequest(deps, accountId, action, payload);
  const expiresAt = codeExpiry(now);
  const { scopes } = confirmableActions[action];
  if (scopes) requireOwnScopes(session, scopes(payload));
  await deps.partitions.ensure(now);
  const id = await withAccountLock(deps, accountId, async (client) => {
    const same = await client.query<{ id: string; mailed_at: Date }>(sql`
      select id, mailed_at from confirmations
      where account_id = ${accountId} and action = ${action} and created_at > ${new Date(now.getTime() - reuseWithinMs)}
        and session_id = ${session.id} and request_hash = ${requestHash}
        and used_at is null and expires_at > ${now} and attempts < ${maxCodeTries}
      order by created_at desc limit 1`);
    const found = same.rows[0];
    if (found) {
      const sendsMail = now.getTime() - found.mailed_at.getTime() >= repeatMailAfterMs;
      await client.query(sql`
        update confirmations set expires_at = ${expiresAt},
          mailed_at = case when ${sendsMail} then ${now} else mailed_at end
        where account_id = ${accountId} and id = ${found.id}`);
      if (sendsMail) await mailCodes(deps, client, { accountId, personId, id: found.id, now, action, payload });
      return found.id;
    }
    await requireCodesLeft(client, accountId, action, now);
    const newId = uuidv7(now);
    await client.query(sql`
      insert into confirmations (account_id, id, session_id, action, payload, request_hash, created_at, expires_at, mailed_at)
      values (${accountId}, ${newId}, ${session.id}, ${action}, ${JSON.stringify(payload)}, ${requestHash},
        ${now}, ${expiresAt}, ${now})`);
    await mailCodes(deps, client, { accountId, personId, id: newId, now, action, payload });
    return newId;
  });
  deps.mail?.emit();
  return { confirmation_id: id, expires_at: expiresAt.toISOString() };
}

/** Confirmed codes do not count: enrolling the eleventh register in a morning is no attack. */
async function requireCodesLeft(client: Client, accountId: string, action: string, now: Date): Promise<void> {
  const { rows } = await client.query<{ count: number; oldest: Date | null }>(sql`
    select count(*), min(created_at) as oldest from confirmations
    where account_id = ${accountId} and action = ${action} and created_at > ${new Date(now.getTime() - day)}
      and used_at is null`);
  const { count, oldest } = rows[0]!;
  if (count >= codesPerDay) throw tooManyCodes(new Date(oldest!.getTime() + day), now);
}

async function mailCodes<A extends ConfirmableAction>(
  deps: Deps,
  client: Client,
  request: { accountId: string; personId: string; id: string; now: Date; action: A; payload: Payloads[A] },
): Promise<void> {
  const { accountId, id, now, payload } = request;
  const email = await addressOf(client, request.personId);
  const { describe, newAddress } = confirmableActions[request.action];
  const codes = codesOf(deps, id);
  const mail = (code: string) => codeMail(code, describe(payload), codeLifeMinutes);
  await queueMail(client, accountId, now, mail(codes.code), email);
  if (newAddress) await queueMail(client, accountId, now, mail(codes.new_email_code), newAddress(payload));
}

async function addressOf(client: Client, personId: string): Promise<string> {
  const { rows } = await client.query<{ email: string }>(sql`select email from people where id = ${personId}`);
  return oneRow(rows).email;
}

interface Codes {
  code: string;
  /** For a change of address: the code mailed to the new one. */
  new_email_code: string;
}

/** A session that was asked for its second step, and has one, needs no code of the mail to whoever acts. */
type GivenCodes = (Pick<Codes, "code"> | { steppedUp: true }) & { new_email_code?: string | undefined };

/** Tries a code, or both. The try is counted and committed before they are compared. */
export async function confirm(
  deps: Deps,
  session: Session,
  id: string,
  given: GivenCodes,
  actor: Actor,
): Promise<Answers["POST /confirmations/:id"]> {
  const now = deps.clock.now();
  const { accountId, personId } = session;
  const { rows } = await deps.pool.query(sql`
    update confirmations set attempts = attempts + 1
    where account_id = ${accountId} and id = ${id} and session_id = ${session.id}
      and used_at is null and expires_at > ${now} and attempts < ${maxCodeTries}
    returning action, payload, attempts`);
  const confirmation = rows[0];
  if (!confirmation) throw await expiredOrUnknown(deps, session, id);
  const action = confirmation.action as ConfirmableAction;
  const { right, scopes, perform, notice, noticeTo, newAddress } = confirmableActions[action];
  await requireRight(deps.pool, session, right);
  const payload = JSON.parse(confirmation.payload);
  if (scopes) requireOwnScopes(session, scopes(payload as never));
  const wrong = wrongCode(deps, id, given, newAddress !== undefined);
  if (wrong) throw incorrectCode(wrong, confirmation.attempts);
  await deps.partitions.ensure(now);
  const result = await withAccountLock(deps, accountId, async (client, account) => {
    const used = await client.query(sql`
      update confirmations set used_at = ${now} where account_id = ${accountId} and id = ${id} and used_at is null`);
    if (used.rowCount === 0) throw new ApiError("CODE_EXPIRED");
    const done = await perform(
      { deps, client, accountId, personId, hasPro: account.recordsEvents, now },
      payload as never,
    );
    await recordAudit(client, { accountId, at: now, action, details: done.details, actor });
    if (done.told) {
      const { title, lines } = notice(payload as never);
      await tell(deps, client, { ...done.told, accountId, actorId: personId, title, lines, at: now, by: actor });
      return done.result;
    }
    const mail = securityNoticeMail(deps.config.publicUrl, { ...notice(payload as never), undoLink: done.undoLink });
    const own = noticeTo?.(payload as never);
    const told = own === undefined ? await whoIsTold(client, session) : [own];
    for (const address of told) await queueMail(client, accountId, now, mail, address);
    return done.result;
  });
  deps.mail?.emit();
  // The old key must stop working in this process before the response, not when the notification arrives.
  if (action === "api_key.rotate") deps.access.clear();
  return result;
}

/** Whoever acted, and the owners. */
async function whoIsTold(client: Client, { accountId, personId }: Session): Promise<string[]> {
  return [...new Set([await addressOf(client, personId), ...(await addressesOfOwners(client, accountId))])];
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

const purposes = {
  code: "confirmation codes",
  new_email_code: "confirmation codes of new addresses",
} as const satisfies Record<keyof Codes, string>;

function codesOf({ config: { secretKeys: secretKey } }: Deps, id: string): Codes {
  return {
    code: mailedCode(secretKey, purposes.code, id),
    new_email_code: mailedCode(secretKey, purposes.new_email_code, id),
  };
}

/** The first code that is not the mailed one. */
function wrongCode({ config }: Deps, id: string, given: GivenCodes, needsBoth: boolean): keyof Codes | undefined {
  const { new_email_code } = given;
  if (needsBoth && new_email_code === undefined)
    throw validationError([
      { param: "new_email_code", message: "Falta el código que llegó al correo nuevo: se confirma con los dos." },
    ]);
  const isRight = (code: string, purpose: (typeof purposes)[keyof Codes]) =>
    isMailedCode(code, config.secretKeys, purpose, id);
  if ("code" in given && !isRight(given.code, purposes.code)) return "code";
  if (needsBoth && !isRight(new_email_code ?? "", purposes.new_email_code)) return "new_email_code";
  return undefined;
}

/** Equal for equal requests, although their secrets are encrypted differently. An HMAC, because it covers secrets. */
function hashRequest<A extends ConfirmableAction>(
  { config: { secretKeys: secretKey } }: Deps,
  accountId: string,
  action: A,
  payload: Payloads[A],
): Buffer {
  const plain = confirmableActions[action].unseal?.({ secretKey, accountId }, payload) ?? payload;
  return hmac(derivedKey(currentKey(secretKey), "confirmation requests"), JSON.stringify(plain));
}
