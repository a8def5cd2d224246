import { sql } from "../../db/sql.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { recordAudit, theOperator } from "../accounts/record-audit.ts";
import { changingPeople } from "./follow-at-counter.ts";
import { emailKeyOf } from "./known-device.ts";
import { personByEmail } from "./person.ts";

/** For an operator, when nobody is left who could: makes a person an owner, whatever she was. Whether there is such a person. */
export async function makeOwner(deps: CoreDeps, accountId: string, email: string): Promise<boolean> {
  const at = deps.clock.now();
  return changingPeople(deps, { accountId, at, actor: theOperator }, async (client) => {
    const account = await client.query(sql`select from accounts where id = ${accountId} for no key update`);
    const person = await personByEmail(client, emailKeyOf(email));
    if (!person || account.rowCount === 0) return false;
    await client.query(sql`
      insert into memberships (person_id, account_id, role, created_at, updated_at)
      values (${person.id}, ${accountId}, 'owner', ${at}, ${at})
      on conflict (person_id, account_id) do update
        set role = 'owner', role_id = null, location_ids = null, updated_at = excluded.updated_at`);
    const details = { email: person.email, role: "owner" };
    await recordAudit(client, { accountId, at, action: "person.changed", details, actor: theOperator });
    return true;
  });
}
