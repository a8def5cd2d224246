import type { Queryable } from "../../db/pool.ts";
import { sql } from "../../db/sql.ts";
import { ApiError, referenceNotFound, validationError } from "../../lib/errors.ts";
import { type Standing, standingOf } from "./membership.ts";
import { allRights, isBuiltIn, type Right, rights } from "./rights.ts";
import { readSedes } from "./sedes.ts";

/** What an invitation or a change gives: a role, and the sedes it is for. */
export interface GivenRole {
  /** A built-in role by name, or one of the business's own by id. */
  role: string;
  /** Null is every sede. */
  location_ids: string[] | null;
}

export interface FoundRole extends Standing {
  roleId: string | null;
}

/** The role that is meant, with its rights. */
export async function findRole(db: Queryable, accountId: string, given: GivenRole): Promise<FoundRole> {
  const { role, location_ids } = given;
  if (location_ids?.length === 0)
    throw validationError([{ param: "location_ids", message: "Escoja al menos una sede, o todas." }]);
  if (location_ids !== null) await requireSedes(db, accountId, location_ids);
  if (role === "owner" && location_ids !== null)
    throw validationError([
      { param: "location_ids", message: "Un dueño ve todas las sedes. Escoja todas las sedes, u otro rol." },
    ]);
  if (isBuiltIn(role))
    return requireAny({ ...standingOf({ role, role_name: null, role_rights: null, location_ids }), roleId: null });
  const { rows } = await db.query<{ id: string; name: string; rights: string[] }>(sql`
    select id, name, rights from roles where account_id = ${accountId} and id::text = ${role.toLowerCase()}`);
  if (!rows[0]) throw referenceNotFound("role", "un rol");
  const { id, name, rights: own } = rows[0];
  return requireAny({ ...standingOf({ role: "custom", role_name: name, role_rights: own, location_ids }), roleId: id });
}

/** Somebody whose role is about the whole business could do nothing with a part of it. */
function requireAny(found: FoundRole): FoundRole {
  if (found.locationIds !== null && found.rights.size === 0)
    throw validationError([
      { param: "location_ids", message: "Lo que este rol puede es de todo el negocio. Escoja todas las sedes." },
    ]);
  return found;
}

async function requireSedes(db: Queryable, accountId: string, ids: readonly string[]): Promise<void> {
  const known = new Set((await readSedes(db, accountId)).map(({ id }) => id));
  if (!ids.every((id) => known.has(id.toLowerCase()))) throw referenceNotFound("location_ids", "una sede");
}

/** Nobody gives, or takes from somebody, what she may not do herself: who manages people would make herself an owner. */
export function requireWithin(own: ReadonlySet<Right>, touched: Iterable<Right>, what: string): void {
  const held = new Set(touched);
  const beyond = allRights.find((right) => held.has(right) && !own.has(right));
  if (beyond === undefined) return;
  throw new ApiError("INSUFFICIENT_RIGHTS", {
    message: `${what} incluye ${rights[beyond].words}, y su rol no lo permite. Pídaselo al dueño.`,
    extra: { required_right: beyond },
  });
}
