import { randomBytes } from "node:crypto";
import type { Client } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { day, hour } from "../../lib/clock.ts";
import { ApiError, validationError } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { hashToken } from "../../lib/token.ts";
import { invitationMail } from "../../mail/people-templates.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { type Actor, recordAudit } from "../accounts/record-audit.ts";
import { requireFewTo, tooMany } from "./few-invitations.ts";
import { findRole, type GivenRole, requireWithin } from "./given-role.ts";
import { emailKeyOf } from "./known-device.ts";
import { calledBy, roleIn } from "./membership.ts";
import type { Session } from "./session.ts";
import { tell } from "./told/tell.ts";

const validMs = 72 * hour;
/** Said in errors.ts. */
const maxOpen = 20;
/** The address is anybody's: a business cannot mail strangers all day. */
const maxMailsADay = 40;

/** Mails somebody a link with which to join the business, once. A second invitation of the same address replaces the first. */
export async function invite(
  deps: CoreDeps,
  session: Session,
  { email, ...given }: GivenRole & { email: string },
  actor: Actor,
): Promise<{ id: string; expires_at: Date }> {
  const { accountId } = session;
  const at = deps.clock.now();
  const [id, token] = [uuidv7(at), randomBytes(32).toString("base64url")];
  const expiresAt = new Date(at.getTime() + validMs);
  await deps.partitions.ensure(at);
  await transaction(deps.pool, async (client) => {
    const role = await findRole(client, accountId, given);
    requireWithin(session.rights, role.rights, "Ese rol");
    const business = await lockBusiness(client, session);
    await requireNoMember(client, accountId, email);
    await client.query(sql`
      delete from invitations where account_id = ${accountId} and (lower(email) = ${emailKeyOf(email)} or expires_at < ${at})`);
    await requireFewInvitations(client, accountId, at);
    await requireFewTo(client, { accountId, email, at });
    await client.query(sql`
      insert into invitations (id, account_id, hash, email, role, role_id, location_ids, invited_by, created_at, mailed_at, expires_at)
      values (${id}, ${accountId}, ${hashToken(token)}, ${email}, ${role.role}, ${role.roleId},
        ${role.locationIds as string[] | null}, ${session.personId}, ${at}, ${at}, ${expiresAt})`);
    const link = `${deps.config.publicUrl}/invitacion#${token}`;
    await queueMail(client, accountId, at, invitationMail({ ...business, role: role.roleTitle, link }), email);
    const details = { email, role: roleIn(role), location_ids: role.locationIds };
    await recordAudit(client, { accountId, at, action: "person.invited", details, actor });
    await tell(deps, client, {
      ...{ kind: "person_invited", accountId, actorId: session.personId, at, about: { invitation_id: id, email } },
      by: actor,
      title: "se invitó a una persona",
      lines: [`Persona: ${email}`, `Rol: ${role.roleTitle}`],
    });
  });
  deps.mail?.emit();
  return { id, expires_at: expiresAt };
}

export async function withdrawInvitation(deps: CoreDeps, session: Session, id: string, actor: Actor): Promise<void> {
  const { accountId } = session;
  await transaction(deps.pool, async (client) => {
    const { rows } = await client.query<{ email: string }>(sql`
      delete from invitations where account_id = ${accountId} and id = ${id} returning email`);
    if (!rows[0])
      throw new ApiError("NOT_FOUND", {
        param: "id",
        message: "Esa invitación ya no está: se aceptó, venció o se retiró.",
      });
    const details = { email: rows[0].email };
    await recordAudit(client, { accountId, at: deps.clock.now(), action: "invitation.withdrawn", details, actor });
  });
}

/** The account's row is locked, so that invitations are counted one after the other. */
async function lockBusiness(
  client: Client,
  { accountId, personId }: Session,
): Promise<{ business: string; inviter: string }> {
  await client.query(sql`select from accounts where id = ${accountId} for no key update`);
  const { rows } = await client.query<{ business: string; name: string; email: string }>(sql`
    select a.name as business, p.name, p.email from accounts a, people p where a.id = ${accountId} and p.id = ${personId}`);
  const { business, name, email } = oneRow(rows);
  return { business, inviter: calledBy({ name, email }) };
}

async function requireNoMember(client: Client, accountId: string, email: string): Promise<void> {
  const { rowCount } = await client.query(sql`
    select from memberships m join people p on p.id = m.person_id
    where m.account_id = ${accountId} and lower(p.email) = ${emailKeyOf(email)}`);
  if (rowCount !== 0)
    throw validationError([
      { param: "email", message: "Esta persona ya hace parte del negocio. Cambie su rol en la lista." },
    ]);
}

async function requireFewInvitations(client: Client, accountId: string, at: Date): Promise<void> {
  const { rows } = await client.query<{ open: number }>(
    sql`select count(*)::int as open from invitations where account_id = ${accountId}`,
  );
  if (oneRow(rows).open >= maxOpen) throw new ApiError("TOO_MANY_INVITATIONS");
  const { rows: mails } = await client.query<{ sent: number }>(sql`
    select count(*)::int as sent from mails
    where account_id = ${accountId} and kind = 'invitation' and created_at > ${new Date(at.getTime() - day)}`);
  if (oneRow(mails).sent >= maxMailsADay)
    throw tooMany("Hoy este negocio ya envió demasiadas invitaciones. Siga mañana.", day);
}
