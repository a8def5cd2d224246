import type { Client, Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { ApiError, validationError } from "../../lib/errors.ts";
import { uuidv7 } from "../../lib/ids.ts";
import { type Actor, recordAudit } from "../accounts/record-audit.ts";
import { changingPeople } from "./follow-at-counter.ts";
import { requireWithin } from "./given-role.ts";
import { builtInRoles, knownRights, type Right, rights as rightWords, roleWords } from "./rights.ts";
import type { Session } from "./session.ts";
import { tell } from "./told/tell.ts";

export interface OwnRole {
  id: string;
  name: string;
  rights: Right[];
}

export const maxOwnRoles = 20;

export async function readOwnRoles(db: Queryable, accountId: string): Promise<OwnRole[]> {
  const { rows } = await db.query<{ id: string; name: string; rights: string[] }>(sql`
    select id, name, rights from roles where account_id = ${accountId} order by lower(name), id`);
  return rows.map(({ id, name, rights }) => ({ id, name, rights: knownRights(rights) }));
}

/** A role of the business's own. An edit counts at once for whoever has it. */
export async function saveRole(
  deps: CoreDeps,
  session: Session,
  { id, name, rights }: { id: string | null; name: string; rights: Right[] },
  actor: Actor,
): Promise<OwnRole> {
  const { accountId } = session;
  requireWithin(session.rights, rights, "Este rol");
  if (builtInRoles.some((role) => roleWords[role].title.toLowerCase() === name.toLowerCase())) throw nameTaken(name);
  const at = deps.clock.now();
  const roleId = id ?? uuidv7(at);
  await deps.partitions.ensure(at);
  await changingPeople(deps, { accountId, at, actor }, async (client) => {
    await client.query(sql`select from accounts where id = ${accountId} for no key update`);
    const before = await readOwnRoles(client, accountId);
    const same = before.find((role) => role.id === id);
    if (id !== null && !same) throw unknownRole();
    if (same) requireWithin(session.rights, same.rights, "Este rol");
    if (before.some((role) => role.id !== id && role.name.toLowerCase() === name.toLowerCase())) throw nameTaken(name);
    if (id === null && before.length >= maxOwnRoles)
      throw validationError([{ param: "name", message: `Ya hay ${maxOwnRoles} roles propios. Elimine uno primero.` }]);
    await client.query(sql`
      insert into roles (id, account_id, name, rights, created_at, updated_at)
      values (${roleId}, ${accountId}, ${name}, ${rights}, ${at}, ${at})
      on conflict (id) do update set name = excluded.name, rights = excluded.rights, updated_at = excluded.updated_at`);
    const details = { name, rights, ...(same && { old_name: same.name, old_rights: same.rights }) };
    const action = same ? "role.updated" : "role.created";
    await recordAudit(client, { accountId, at, action, details, actor });
    if (same) await tellWidened(deps, client, session, { before: same, name, rights, at, by: actor });
  });
  deps.mail?.emit();
  return { id: roleId, name, rights };
}

/** Whoever holds a role that may do more now was raised with it. One that nobody holds raises nobody yet. */
async function tellWidened(
  deps: CoreDeps,
  client: Client,
  { accountId, personId }: Session,
  { before, name, rights: after, at, by }: { before: OwnRole; name: string; rights: Right[]; at: Date; by: Actor },
): Promise<void> {
  const added = after.filter((right) => !before.rights.includes(right));
  if (added.length === 0) return;
  const { rows: holders } = await client.query<{ id: string; email: string }>(sql`
    select p.id, p.email from memberships m join people p on p.id = m.person_id
    where m.account_id = ${accountId} and m.role_id = ${before.id} order by p.email`);
  const { rowCount: invited } = await client.query(sql`
    select from invitations where account_id = ${accountId} and role_id = ${before.id} and expires_at > ${at}`);
  if (holders.length === 0 && invited === 0) return;
  await tell(deps, client, {
    ...{ kind: "role_widened", accountId, actorId: personId, at, by, alsoTo: holders },
    about: { role_id: before.id, role_name: before.name, role_rights: before.rights },
    title: "un rol permite más que antes",
    lines: [
      `Rol: ${name}`,
      `Ahora permite además: ${added.map((right) => rightWords[right].words).join(", ")}`,
      `Lo tienen: ${holders.length === 1 ? "una persona" : `${holders.length} personas`}`,
    ],
  });
}

/** Only a role that nobody has, and that no invitation gives. */
export async function deleteRole(deps: CoreDeps, { accountId }: Session, id: string, actor: Actor): Promise<void> {
  const at = deps.clock.now();
  await transaction(deps.pool, async (client) => {
    await client.query(sql`select from accounts where id = ${accountId} for no key update`);
    const { rowCount } = await client.query(sql`
      select from memberships where account_id = ${accountId} and role_id = ${id}
      union all select from invitations where account_id = ${accountId} and role_id = ${id} limit 1`);
    if (rowCount !== 0) throw new ApiError("ROLE_IN_USE");
    const { rows } = await client.query<{ name: string }>(sql`
      delete from roles where id = ${id} and account_id = ${accountId} returning name`);
    if (!rows[0]) throw unknownRole();
    await recordAudit(client, { accountId, at, action: "role.deleted", details: { name: rows[0].name }, actor });
  });
}

function unknownRole(): ApiError {
  return new ApiError("NOT_FOUND", { param: "id", message: "No existe este rol en el negocio." });
}

function nameTaken(name: string): ApiError {
  return validationError([{ param: "name", message: `Ya hay un rol que se llama «${name}». Póngale otro nombre.` }]);
}
