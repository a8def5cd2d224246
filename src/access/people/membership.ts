import type { Reads } from "../../db/shared-reads.ts";
import { sql } from "../../db/sql.ts";
import { isBuiltIn, knownRights, type Right, type RoleKind, rightsOfRole, rightsWithin, roleWords } from "./rights.ts";

/** A role as it is stored: one that every business has, or one of its own by id. */
export interface StoredRole {
  role: RoleKind;
  role_id: string | null;
}

/** What a person may do in a business. */
export interface Standing {
  role: RoleKind;
  /** "Contador" */
  roleTitle: string;
  rights: ReadonlySet<Right>;
  /** The sedes that the person sees: null is all, those to come as well. */
  locationIds: readonly string[] | null;
}

/** As the columns `role`, `role_rights`, `role_name` and `location_ids` of a membership joined with its role say. */
export interface StandingRow {
  role: string;
  role_name: string | null;
  role_rights: string[] | null;
  location_ids: string[] | null;
}

/** A role that only a newer version knows gives no right at all. */
export function standingOf({ role, role_name, role_rights, location_ids }: StandingRow): Standing {
  // Whoever may do everything sees all sedes: somebody must.
  const locationIds = role === "owner" ? null : location_ids;
  if (isBuiltIn(role))
    return {
      role,
      roleTitle: roleWords[role].title,
      rights: rightsWithin(rightsOfRole[role], locationIds),
      locationIds,
    };
  const held = new Set(knownRights(role_rights ?? []));
  return { role: "custom", roleTitle: role_name ?? role, rights: rightsWithin(held, locationIds), locationIds };
}

/** A role by the name that stays: its kind, or what a business calls its own. */
export function roleIn({ role, roleTitle }: Pick<Standing, "role" | "roleTitle">): string {
  return role === "custom" ? roleTitle : role;
}

export interface Owner {
  id: string;
  name: string;
  email: string;
}

/** Whoever may do everything in the account, those who came first before the others. */
export async function ownersOf(db: Reads, accountId: string): Promise<Owner[]> {
  const { rows } = await db.query<Owner>(sql`
    select p.id, p.name, p.email from memberships m join people p on p.id = m.person_id
    where m.account_id = ${accountId} and m.role = 'owner' order by m.created_at, p.id`);
  return rows;
}

/** "Ana Restrepo (ana@example.com)", or the address of somebody who has not said a name. */
export function calledBy({ name, email }: Pick<Owner, "name" | "email">): string {
  return name === "" ? email : `${name} (${email})`;
}

/** Somebody of the business, as advice is given to her. */
export async function advisedIn(
  db: Reads,
  { accountId, rights }: { accountId: string; rights: ReadonlySet<Right> },
): Promise<{ rights: ReadonlySet<Right>; ask: string[] }> {
  return { rights, ask: (await ownersOf(db, accountId)).map(calledBy) };
}
