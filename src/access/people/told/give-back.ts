import type { Client } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import type { StoredRole } from "../membership.ts";
import { isBuiltIn, knownRights, type Right, rightsOfRole } from "../rights.ts";
import type { About } from "./kinds.ts";

/**
 * The role that a membership had, as far as it is known and nothing beyond what whoever gives it back may do today. One of the
 * business's own that was deleted meanwhile is made again, with the name and the rights that it had.
 */
export async function roleGivenBack(
  client: Client,
  { accountId, rights, about, at }: { accountId: string; rights: ReadonlySet<Right>; about: About; at: Date },
): Promise<StoredRole | undefined> {
  const { role, role_id: roleId } = about;
  if (role === undefined) return undefined;
  const isWithin = (given: Iterable<Right>) => [...given].every((right) => rights.has(right));
  if (isBuiltIn(role)) return isWithin(rightsOfRole[role]) ? { role, role_id: null } : undefined;
  if (!roleId) return undefined;
  const { rows } = await client.query<{ id: string; name: string; rights: string[] }>(sql`
    select id, name, rights from roles where account_id = ${accountId}`);
  const existing = rows.find(({ id }) => id === roleId);
  if (!isWithin(knownRights(existing?.rights ?? about.role_rights ?? []))) return undefined;
  if (!existing) {
    const taken = new Set(rows.map(({ name }) => name.toLowerCase()));
    const name = freeName(about.role_name ?? "Rol anterior", taken);
    await client.query(sql`
      insert into roles (id, account_id, name, rights, created_at, updated_at)
      values (${roleId}, ${accountId}, ${name}, ${[...(about.role_rights ?? [])]}, ${at}, ${at})`);
  }
  return { role: "custom", role_id: roleId };
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let i = 2; taken.has(free.toLowerCase()); i++) free = `${name} (${i})`;
  return free;
}
