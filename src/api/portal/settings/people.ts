import { standingOf } from "../../../access/people/membership.ts";
import {
  builtInRoles,
  isBuiltIn,
  type Right,
  type RoleKind,
  rightsOfRole,
  roleWords,
} from "../../../access/people/rights.ts";
import { readOwnRoles } from "../../../access/people/roles.ts";
import { readSedes, type Sede } from "../../../access/people/sedes.ts";
import type { Session } from "../../../access/people/session.ts";
import type { Queryable } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";

interface HeldRole {
  /** What a change sends back: a built-in role by name, or one of the business's own by id. */
  id: string;
  kind: RoleKind;
  title: string;
}

export interface ShownMember {
  id: string;
  name: string;
  email: string;
  role: HeldRole;
  /** Null is every sede. */
  location_ids: string[] | null;
  signed_in_at: Date | null;
  /** Whether she attends at the registers with a PIN. */
  is_cashier: boolean;
  is_you: boolean;
}

export interface ShownInvitation {
  id: string;
  email: string;
  role: HeldRole;
  location_ids: string[] | null;
  invited_by: string;
  created_at: Date;
  expires_at: Date;
}

export interface ShownRole extends HeldRole {
  covers: string | null;
  rights: Right[];
}

export interface PeopleOfBusiness {
  data: ShownMember[];
  invitations: ShownInvitation[];
  roles: ShownRole[];
  sedes: Sede[];
}

interface RoleColumns {
  role: string;
  role_id: string | null;
  role_name: string | null;
  role_rights: string[] | null;
  location_ids: string[] | null;
}

export async function readPeople(db: Queryable, session: Session, now: Date): Promise<PeopleOfBusiness> {
  const { accountId, personId } = session;
  const [members, invitations, own, sedes, cashiers] = await Promise.all([
    db.query<RoleColumns & { id: string; name: string; email: string; signed_in_at: Date | null }>(sql`
      select p.id, p.name, p.email, p.signed_in_at, m.role, m.role_id, m.location_ids, r.name as role_name, r.rights as role_rights
      from memberships m join people p on p.id = m.person_id left join roles r on r.id = m.role_id
      where m.account_id = ${accountId} order by m.created_at, p.id`),
    db.query<RoleColumns & { id: string; email: string; invited_by: string; created_at: Date; expires_at: Date }>(sql`
      select i.id, i.email, coalesce(nullif(p.name, ''), p.email) as invited_by, i.created_at, i.expires_at, i.role, i.role_id,
        i.location_ids, r.name as role_name, r.rights as role_rights
      from invitations i join people p on p.id = i.invited_by left join roles r on r.id = i.role_id
      where i.account_id = ${accountId} and i.expires_at > ${now} order by i.created_at desc, i.id`),
    readOwnRoles(db, accountId),
    readSedes(db, accountId),
    db.query<{ person_id: string }>(sql`
      select person_id from cashiers where account_id = ${accountId} and person_id is not null and deleted_at is null`),
  ]);
  const attending = new Set(cashiers.rows.map(({ person_id }) => person_id));
  return {
    data: members.rows.map((row) => ({
      id: row.id,
      name: row.name,
      email: row.email,
      role: heldRole(row),
      location_ids: row.location_ids,
      signed_in_at: row.signed_in_at,
      is_cashier: attending.has(row.id),
      is_you: row.id === personId,
    })),
    invitations: invitations.rows.map((row) => ({
      id: row.id,
      email: row.email,
      role: heldRole(row),
      location_ids: row.location_ids,
      invited_by: row.invited_by,
      created_at: row.created_at,
      expires_at: row.expires_at,
    })),
    roles: [
      ...builtInRoles.map(
        (role): ShownRole => ({ id: role, kind: role, ...roleWords[role], rights: [...rightsOfRole[role]] }),
      ),
      ...own.map(({ id, name, rights }): ShownRole => ({ id, kind: "custom", title: name, covers: null, rights })),
    ],
    sedes,
  };
}

function heldRole(row: RoleColumns): HeldRole {
  const { role, roleTitle } = standingOf(row);
  return { id: isBuiltIn(row.role) ? row.role : (row.role_id ?? row.role), kind: role, title: roleTitle };
}
