import type { Client, Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { ApiError, validationError } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { oneLine } from "../../lib/one-line.ts";
import { hashToken } from "../../lib/token.ts";
import { isEmailTaken } from "../accounts/create-account.ts";
import type { RequestSource } from "../accounts/hashing-queue.ts";
import { hashPassword } from "../accounts/password.ts";
import { passwordProblem } from "../accounts/password-strength.ts";
import { recordAudit } from "../accounts/record-audit.ts";
import { insertMembership, insertPerson, type NewPerson } from "./insert-member.ts";
import { emailKeyOf } from "./known-device.ts";
import { roleIn, type StoredRole, standingOf } from "./membership.ts";
import { personByEmail } from "./person.ts";
import { askedOf } from "./second-step/asked-step.ts";
import { type OpenedStage, openStage } from "./second-step/stage.ts";
import { enter, provePassword } from "./sign-in.ts";

interface Invitation extends StoredRole {
  id: string;
  account_id: string;
  business: string;
  email: string;
  role_name: string | null;
  role_rights: string[] | null;
  location_ids: string[] | null;
}

/** What the page of the link shows. Its holder reads the mailbox, and so may learn whether the address is known. */
export async function lookAtInvitation(
  deps: CoreDeps,
  token: string,
): Promise<{ business: string; email: string; role: string; is_known: boolean }> {
  const invitation = await findInvitation(deps.pool, token, deps.clock.now());
  const person = await personByEmail(deps.pool, emailKeyOf(invitation.email));
  const { business, email } = invitation;
  return { business, email, role: standingOf(invitation).roleTitle, is_known: person !== undefined };
}

/** Makes the invited person a member and opens a session: with a password of her choice, or with the one that she has. */
export async function acceptInvitation(
  deps: CoreDeps,
  { token, name, password }: { token: string; name: string; password: string },
  source: RequestSource,
  from: { remoteAddress: string | null; userAgent: string | null },
  browserToken?: string,
): Promise<{ token: string; email: string } | { stage: OpenedStage }> {
  const at = deps.clock.now();
  const invitation = await findInvitation(deps.pool, token, at);
  const { email, business } = invitation;
  const known = await personByEmail(deps.pool, emailKeyOf(email));
  const person = known
    ? await provePassword(deps, { email, password }, source, from.remoteAddress)
    : await newPerson(deps, { email, name: oneLine(name), password, business });
  const { knownSince } = source;
  // Her mail is proved by the link; a factor is not.
  const asked = await askedOf(deps, { personId: person.id, browserToken, knownSince, now: at });
  const kinds = asked.filter((kind) => kind !== "mailed_code");
  await deps.partitions.ensure(at);
  const joined = await transaction(deps.pool, async (client) => {
    const accountId = await useInvitation(client, { token, person, isNew: known === undefined, at });
    const standing = standingOf(invitation);
    await recordAudit(client, {
      accountId,
      at,
      action: "person.joined",
      details: { email, role: roleIn(standing) },
      actor: {
        kind: "owner",
        sessionId: null,
        remoteAddress: from.remoteAddress,
        personId: person.id,
        role: roleIn(standing),
      },
    });
    if (kinds.length > 0) return { accountId };
    return { accountId, token: await enter(deps, client, { person, accountId, at, knownSince, ...from }) };
  });
  deps.mail?.emit();
  if (joined.token !== undefined) return { token: joined.token, email };
  const { accountId } = joined;
  return { stage: await openStage(deps, { person, accountId, kinds, knownSince, ...from }) };
}

async function findInvitation(db: Queryable, token: string, now: Date): Promise<Invitation> {
  const { rows } = await db.query<Invitation>(sql`
    select i.id, i.account_id, a.name as business, i.email, i.role, i.role_id, r.name as role_name, r.rights as role_rights,
      i.location_ids
    from invitations i join accounts a on a.id = i.account_id left join roles r on r.id = i.role_id
    where i.hash = ${hashToken(token)} and i.expires_at > ${now} and a.active`);
  if (!rows[0]) throw new ApiError("INVITATION_EXPIRED");
  return rows[0];
}

async function newPerson(
  { clock }: CoreDeps,
  { email, name, password, business }: { email: string; name: string; password: string; business: string },
): Promise<NewPerson> {
  if (name === "")
    throw validationError([{ param: "name", message: "Escriba su nombre: así aparece en lo que haga." }]);
  const message = passwordProblem(password, { email, name: `${business} ${name}` });
  if (message !== undefined) throw validationError([{ param: "password", message }]);
  return { id: uuidv7(clock.now()), email, name, password_hash: await hashPassword(password) };
}

/** The invitation is deleted by whoever uses it first: of two at the same moment, the other finds none. */
async function useInvitation(
  client: Client,
  { token, person, isNew, at }: { token: string; person: NewPerson; isNew: boolean; at: Date },
): Promise<string> {
  const { rows } = await client.query<Pick<Invitation, "account_id" | "role" | "role_id" | "location_ids">>(sql`
    delete from invitations where hash = ${hashToken(token)} and expires_at > ${at}
    returning account_id, role, role_id, location_ids`);
  const [used] = rows;
  if (!used) throw new ApiError("INVITATION_EXPIRED");
  if (isNew)
    await insertPerson(client, person, at).catch((error: unknown) => {
      // Two invitations of one new address: whoever took the other one has a password by now.
      throw isEmailTaken(error) ? new ApiError("EMAIL_TAKEN", { param: "email", cause: error }) : error;
    });
  await insertMembership(client, { ...used, personId: person.id, accountId: used.account_id }, at);
  return used.account_id;
}
