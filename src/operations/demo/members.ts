import { insertMembership } from "../../access/people/insert-member.ts";
import type { BuiltInRole } from "../../access/people/rights.ts";
import { sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import { uuidv7 } from "../../lib/ids.ts";

/** Who else enters the portal of the demo, with the owner's password: one of each role, the manager for the second sede. The guide names them. */
export const demoMembers = [
  { role: "administrator", email: "administracion@tienda.example", name: "Camila Torres" },
  { role: "manager", email: "encargado@tienda.example", name: "Jhon Jairo Mejía" },
  { role: "accountant", email: "contador@tienda.example", name: "Óscar Villamizar" },
  { role: "developer", email: "desarrollo@tienda.example", name: "Paula Andrea Gil" },
] as const satisfies readonly { role: BuiltInRole; email: string; name: string }[];

export const demoOwnerName = "Marta Restrepo";

/** A demo whose building was interrupted may have left them behind: they are the same people again. */
export async function addDemoMembers(
  { pool }: Deps,
  { accountId, second }: { accountId: string; second: string },
  at: Date,
): Promise<void> {
  await transaction(pool, async (client) => {
    await client.query(sql`update people set name = ${demoOwnerName} where id = ${accountId}`);
    for (const { role, email, name } of demoMembers) {
      await client.query(sql`
        insert into people (id, email, name, password_hash, created_at, updated_at)
        select ${uuidv7(at)}, ${email}, ${name}, password_hash, ${at}, ${at} from people where id = ${accountId}
        on conflict ((lower(email))) do update set password_hash = excluded.password_hash`);
      const { rows } = await client.query<{ id: string }>(sql`select id from people where lower(email) = ${email}`);
      const location_ids = role === "manager" ? [second] : null;
      for (const { id: personId } of rows)
        await insertMembership(client, { personId, accountId, role, role_id: null, location_ids }, at);
    }
  });
}
