import { ofAllAccounts } from "../../db/nodes.ts";
import type { Client, Pool } from "../../db/pool.ts";
import { prepared, sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { day } from "../../lib/clock.ts";

const mostAtOnce = 500;

/**
 * Forgets whoever has belonged to no business for the operator's term. An invitation that is still open keeps its person: she would
 * have to choose a password anew. Returns how many are gone.
 */
export async function forgetPeople(pool: Pool, now: Date, days: number): Promise<number> {
  await pool.query(sql`
    update people p set alone_since = null
    where alone_since is not null and exists (select from memberships m where m.person_id = p.id)`);
  await pool.query(sql`
    update people p set alone_since = ${now}
    where alone_since is null and not exists (select from memberships m where m.person_id = p.id)`);
  const { rows } = await pool.query<{ id: string }>(sql`
    select p.id from people p
    where p.alone_since <= ${new Date(now.getTime() - days * day)} and not exists (
        select from invitations i
        where i.invited_by = p.id or (lower(i.email) = lower(p.email) and i.expires_at > ${now}))
    order by p.alone_since limit ${mostAtOnce}`);
  let gone = 0;
  for (const { id } of rows) if (await transaction(pool, (client) => forgetPerson(client, id))) gone += 1;
  await forgetChoices(
    pool,
    rows.map(({ id }) => id),
  );
  return gone;
}

/**
 * Removes a person who belongs to no business, with all that is hers alone. What she did stays in the audit logs of the businesses
 * where she did it. Resolves with whether she is gone.
 */
export async function forgetPerson(client: Client, id: string): Promise<boolean> {
  const { rows } = await client.query<{ email: string }>(sql`select email from people where id = ${id} for update`);
  // Asked behind the lock, so that what somebody accepted or invited meanwhile is seen.
  const { rowCount: ties } = await client.query(sql`
    select from memberships where person_id = ${id} union all select from invitations where invited_by = ${id} limit 1`);
  const email = rows[0]?.email;
  if (email === undefined || ties !== 0) return false;
  await client.query(sql`
    delete from security_notices where actor_id = ${id} or person_id = ${id}
      or exists (select from unnest(lines) line where position(lower(${email}) in lower(line)) > 0)`);
  await client.query(sql`delete from security_freezes where person_id = ${id}`);
  await client.query(sql`delete from portal_sessions where person_id = ${id}`);
  await client.query(sql`delete from sign_in_stages where person_id = ${id}`);
  await client.query(sql`delete from trusted_browsers where person_id = ${id}`);
  await client.query(sql`delete from recovery_codes where person_id = ${id}`);
  await client.query(sql`delete from factors where person_id = ${id}`);
  await client.query(sql`delete from email_changes where person_id = ${id}`);
  await client.query(sql`delete from password_resets where person_id = ${id} or email_key = lower(${email})`);
  await client.query(sql`delete from sign_in_failures where email_key = lower(${email})`);
  await client.query(sql`delete from people where id = ${id}`);
  return true;
}

/** What stands with the businesses' own data, each on its node: what she chose to be told of, and that a cashier was she. */
async function forgetChoices(pool: Pool, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await ofAllAccounts(pool, async (part) => {
    const text = `update cashiers c set person_id = null where person_id = any($1::uuid[]) and ${part.of("c.account_id", 2)}
      and not exists (select from people p where p.id = c.person_id) returning 1`;
    return (await pool.query(prepared(text, [[...ids], ...part.values]))).rows;
  });
  await ofAllAccounts(pool, async (part) => {
    const text = `delete from alert_choices c where person_id = any($1::uuid[]) and ${part.of("c.account_id", 2)}
      and not exists (select from people p where p.id = c.person_id) returning 1`;
    return (await pool.query(prepared(text, [[...ids], ...part.values]))).rows;
  });
}
