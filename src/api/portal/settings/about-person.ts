import { calledBy, ownersOf } from "../../../access/people/membership.ts";
import type { Right } from "../../../access/people/rights.ts";
import type { Session } from "../../../access/people/session.ts";
import type { Queryable } from "../../../db/pool.ts";
import { oneRow } from "../../../db/read.ts";
import { sql } from "../../../db/sql.ts";

/** Who is signed in, as what, and where else this person could go. */
export interface AboutPerson {
  person: { id: string; name: string; email: string };
  role: { kind: Session["role"]; title: string };
  rights: Right[];
  /** Null is every sede. */
  location_ids: readonly string[] | null;
  /** Whom to ask for more rights. */
  owners: string[];
  /** The active businesses of the person, this one too. */
  businesses: { id: string; name: string }[];
}

export async function aboutPerson(db: Queryable, session: Session): Promise<AboutPerson> {
  const { personId, accountId, role, roleTitle, rights, locationIds } = session;
  const [person, businesses, owners] = await Promise.all([
    db.query<AboutPerson["person"]>(sql`select id, name, email from people where id = ${personId}`),
    db.query<{ id: string; name: string }>(sql`
      select a.id, a.name from memberships m join accounts a on a.id = m.account_id
      where m.person_id = ${personId} and a.active order by lower(a.name), a.id`),
    ownersOf(db, accountId),
  ]);
  return {
    person: oneRow(person.rows),
    role: { kind: role, title: roleTitle },
    rights: [...rights],
    location_ids: locationIds,
    owners: owners.map(calledBy),
    businesses: businesses.rows,
  };
}
