import { sql } from "../../db/sql.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { type Actor, recordAudit } from "../accounts/record-audit.ts";
import { changingPeople } from "./follow-at-counter.ts";
import type { Session } from "./session.ts";

/** The name that others read beside what a person did, and at the registers where she attends. */
export async function renamePerson(
  deps: CoreDeps,
  { accountId, personId }: Session,
  name: string,
  actor: Actor,
): Promise<void> {
  const at = deps.clock.now();
  await changingPeople(deps, { accountId, at, actor }, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      sql`select name from people where id = ${personId} for no key update`,
    );
    await client.query(sql`update people set name = ${name}, updated_at = ${at} where id = ${personId}`);
    const details = { old_name: rows[0]?.name ?? "", name };
    await recordAudit(client, { accountId, at, action: "person.renamed", details, actor });
  });
  const { rows: others } = await deps.pool.query<{ account_id: string }>(sql`
    select account_id from memberships where person_id = ${personId} and account_id <> ${accountId} order by account_id`);
  for (const { account_id: other } of others)
    await changingPeople(deps, { accountId: other, at, actor: { ...actor, sessionId: null } }, async () => {});
}
