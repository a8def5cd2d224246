import type { BuiltInRole } from "../../src/access/people/rights.ts";
import { openSession } from "../../src/access/people/session.ts";
import { sql } from "../../src/db/sql.ts";
import { uuidv7 } from "../../src/lib/ids.ts";
import { type Portal, passwordHash, portalOf } from "./portal.ts";
import type { Business, Service } from "./service.ts";

export interface Member {
  personId: string;
  email: string;
}

/** A person who signs in with `password` and belongs to a business, as an accepted invitation leaves her. */
export async function addMember(
  { deps }: Service,
  accountId: string,
  role: BuiltInRole | { custom: string },
  { name = "", email, locationIds = null }: { name?: string; email?: string; locationIds?: string[] | null } = {},
): Promise<Member> {
  const now = deps.clock.now();
  const personId = uuidv7(now);
  const address = email ?? `${personId}@example.com`;
  await deps.pool.query(sql`
    insert into people (id, email, name, password_hash, created_at, updated_at)
    values (${personId}, ${address}, ${name}, ${passwordHash}, ${now}, ${now})`);
  const [kind, roleId] = typeof role === "string" ? [role, null] : ["custom", role.custom];
  await deps.pool.query(sql`
    insert into memberships (person_id, account_id, role, role_id, location_ids, created_at, updated_at)
    values (${personId}, ${accountId}, ${kind}, ${roleId}, ${locationIds}, ${now}, ${now})`);
  return { personId, email: address };
}

/** The browser of such a person, signed in to the business. */
export async function enterAs(
  service: Service,
  business: Business,
  role: BuiltInRole | { custom: string },
  options: Parameters<typeof addMember>[3] = {},
): Promise<Portal & Member> {
  const member = await addMember(service, business.accountId, role, options);
  const { token } = await openSession(service.deps, business.accountId, { personId: member.personId });
  return { ...portalOf(service, business, { token, email: member.email }), ...member };
}
