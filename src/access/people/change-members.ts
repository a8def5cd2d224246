import type { Client } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { ApiError } from "../../lib/errors.ts";
import { forgetAlertChoices } from "../../notices/alert-choices.ts";
import { type Actor, recordAudit } from "../accounts/record-audit.ts";
import { changingPeople, requireOwnPin } from "./follow-at-counter.ts";
import { findRole, type GivenRole, requireWithin } from "./given-role.ts";
import { roleIn, type Standing, type StandingRow, standingOf } from "./membership.ts";
import { endSessions, type Session } from "./session.ts";
import { requireNotFrozen } from "./told/freezes.ts";
import type { About } from "./told/kinds.ts";
import { tell } from "./told/tell.ts";

interface Member extends Standing {
  roleId: string | null;
  /** Of a role of the business's own, for whoever has it in all sedes. */
  roleRights: readonly string[];
  name: string;
  email: string;
}

/** What giving the membership back needs to know. */
function aboutMember(memberId: string, { role, roleId, roleTitle, roleRights, locationIds }: Member): About {
  const about = { member_id: memberId, role, role_id: roleId, location_ids: locationIds };
  return roleId === null ? about : { ...about, role_name: roleTitle, role_rights: roleRights };
}

/** "Encargado de 2 sedes" */
function inSedes({ roleTitle, locationIds }: Standing): string {
  if (locationIds === null) return roleTitle;
  return `${roleTitle} de ${locationIds.length === 1 ? "una sede" : `${locationIds.length} sedes`}`;
}

/** Whether somebody may do more than before, or the same in more sedes. */
function isRaised(before: Standing, after: Standing): boolean {
  if ([...after.rights].some((right) => !before.rights.has(right))) return true;
  const former = before.locationIds;
  return former !== null && (after.locationIds === null || after.locationIds.some((id) => !former.includes(id)));
}

/** Gives a member another role or other sedes. It counts from her next request on. */
export async function changeMember(
  deps: CoreDeps,
  session: Session,
  personId: string,
  given: GivenRole,
  actor: Actor,
): Promise<void> {
  const { accountId } = session;
  const at = deps.clock.now();
  await deps.partitions.ensure(at);
  await changingPeople(deps, { accountId, at, actor }, async (client) => {
    const before = await lockMember(client, accountId, personId);
    const after = await findRole(client, accountId, given);
    requireWithin(session.rights, before.rights, "El rol que tiene hoy esta persona");
    requireWithin(session.rights, after.rights, "Ese rol");
    if (isRaised(before, after)) await requireNotFrozen(client, session, "people", at);
    if (before.role === "owner" && after.role !== "owner") {
      await requireAnotherOwner(client, accountId, personId);
      await unfound(client, { accountId, personId, at });
    }
    await requireOwnPin(client, { accountId, personId, location_ids: after.locationIds });
    await client.query(sql`
      update memberships set role = ${after.role}, role_id = ${after.roleId}, location_ids = ${after.locationIds as string[] | null},
        updated_at = ${at}
      where person_id = ${personId} and account_id = ${accountId}`);
    const details = {
      email: before.email,
      old_role: roleIn(before),
      role: roleIn(after),
      location_ids: after.locationIds,
    };
    await recordAudit(client, { accountId, at, action: "person.changed", details, actor });
    if (!isRaised(before, after)) return;
    await tell(deps, client, {
      ...{ kind: "role_raised", accountId, actorId: session.personId, at, about: aboutMember(personId, before) },
      by: actor,
      title: "una persona puede más que antes",
      lines: [`Persona: ${before.email}`, `Rol: ${inSedes(after)}`, `Antes: ${inSedes(before)}`],
    });
  });
  deps.mail?.emit();
}

/** Ends a membership, and with it every session in this business. What the person did stays in the audit log. */
export async function removeMember(deps: CoreDeps, session: Session, personId: string, actor: Actor): Promise<void> {
  const { accountId } = session;
  const at = deps.clock.now();
  await deps.partitions.ensure(at);
  await changingPeople(deps, { accountId, at, actor }, async (client) => {
    const before = await lockMember(client, accountId, personId);
    const isOwn = personId === session.personId;
    if (!isOwn) requireWithin(session.rights, before.rights, "El rol que tiene hoy esta persona");
    if (before.role === "owner") await requireAnotherOwner(client, accountId, personId);
    await unfound(client, { accountId, personId, at });
    await client.query(sql`delete from memberships where person_id = ${personId} and account_id = ${accountId}`);
    await client.query(sql`
      update people set last_account_id = null where id = ${personId} and last_account_id = ${accountId}`);
    await endSessions(client, personId, null, accountId);
    await forgetAlertChoices(client, accountId, personId);
    const details = { email: before.email, role: roleIn(before) };
    await recordAudit(client, { accountId, at, action: isOwn ? "person.left" : "person.removed", details, actor });
    if (isOwn) return;
    await tell(deps, client, {
      ...{ kind: "person_removed", accountId, actorId: session.personId, at, about: aboutMember(personId, before) },
      by: actor,
      title: "se retiró a una persona",
      lines: [`Persona: ${before.email}`, `Rol: ${before.roleTitle}`],
    });
  });
  deps.mail?.emit();
}

/** With the account locked, so that two owners who lower each other at the same moment do not both succeed. */
async function lockMember(client: Client, accountId: string, personId: string): Promise<Member> {
  await client.query(sql`select from accounts where id = ${accountId} for no key update`);
  const { rows } = await client.query<StandingRow & { name: string; email: string; role_id: string | null }>(sql`
    select m.role, m.role_id, m.location_ids, r.name as role_name, r.rights as role_rights, p.name, p.email
    from memberships m join people p on p.id = m.person_id left join roles r on r.id = m.role_id
    where m.account_id = ${accountId} and m.person_id = ${personId}`);
  if (!rows[0])
    throw new ApiError("NOT_FOUND", {
      param: "id",
      message: "Esta persona no hace parte del negocio. Vuelva a leer la lista.",
    });
  const { name, email, role_id: roleId, role_rights: roleRights } = rows[0];
  return { ...standingOf(rows[0]), name, email, roleId, roleRights: roleRights ?? [] };
}

async function requireAnotherOwner(client: Client, accountId: string, personId: string): Promise<void> {
  const { rowCount } = await client.query(sql`
    select from memberships where account_id = ${accountId} and role = 'owner' and person_id <> ${personId}`);
  if (rowCount === 0) throw new ApiError("LAST_OWNER");
}

/**
 * A process of the version before lets the account's own address and password in as its owner. When the person whose they are
 * is its owner no more, they go: what is left there nobody can sign in with, and the address is free.
 */
async function unfound(
  client: Client,
  { accountId, personId, at }: { accountId: string; personId: string; at: Date },
): Promise<void> {
  if (personId !== accountId) return;
  await client.query(sql`update people set founded = false, updated_at = ${at} where id = ${personId}`);
  await client.query(sql`
    update accounts set email = id || '@former.invalid', password_hash = 'none', updated_at = ${at} where id = ${accountId}`);
  await endSessions(client, personId, null, accountId);
}
