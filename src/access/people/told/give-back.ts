import type { Client } from "../../../db/pool.ts";
import { sql } from "../../../db/sql.ts";
import type { StoredRole } from "../membership.ts";
import { isBuiltIn } from "../rights.ts";
import type { About } from "./kinds.ts";

/**
 * The role that a membership had, as far as it is known. One of the business's own that was deleted meanwhile is made again, with the
 * name and the rights that it had.
 */
export async function roleGivenBack(
  client: Client,
  { accountId, about, at }: { accountId: string; about: About; at: Date },
): Promise<StoredRole | undefined> {
  const { role, role_id: roleId } = about;
  if (role === undefined) return undefined;
  if (isBuiltIn(role)) return { role, role_id: null };
  if (!roleId) return undefined;
  const { rows } = await client.query<{ id: string; name: string }>(sql`
    select id, name from roles where account_id = ${accountId}`);
  if (!rows.some(({ id }) => id === roleId)) {
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
