import { forgetPerson } from "../../access/people/forget-people.ts";
import { ofAllAccounts } from "../../db/nodes.ts";
import type { Pool } from "../../db/pool.ts";
import { prepared, sql } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { searchedTable } from "../mentions.ts";
import { tableNames } from "../tables.ts";

const rowsPerDelete = 2_000;

/**
 * Removes the data of businesses whose term is over, one after another and in pieces: an interruption loses nothing, and the next
 * run goes on with what is left. The account itself goes last. Returns how many are gone.
 */
export async function purgeClosed({ pool }: { pool: Pool }, now: Date): Promise<number> {
  const due = await ofAllAccounts(pool, async (part) => {
    const text = `select account_id from closed_accounts
      where gone_at is null and data_goes_at <= $1 and ${part.of("account_id", 2)} order by data_goes_at`;
    return (await pool.query<{ account_id: string }>(prepared(text, [now, ...part.values]))).rows;
  });
  for (const { account_id } of due) await purge(pool, account_id, now);
  return due.length;
}

async function purge(pool: Pool, accountId: string, now: Date): Promise<void> {
  await letPeopleGo(pool, accountId);
  for (const name of await ownTables(pool)) await deleteRows(pool, name, accountId);
  await pool.query(sql`
    delete from sign_in_failures where email_key = (select lower(email) from accounts where id = ${accountId})`);
  await pool.query(sql`
    delete from password_resets where email_key = (select lower(email) from accounts where id = ${accountId})`);
  await deleteRows(pool, "account_clock", accountId);
  await pool.query(sql`delete from accounts where id = ${accountId}`);
  await pool.query(sql`update closed_accounts set gone_at = ${now} where account_id = ${accountId}`);
}

/** Whoever belongs to no other business is forgotten with this one; in one transaction, because afterwards nobody knows who it was. */
async function letPeopleGo(pool: Pool, accountId: string): Promise<void> {
  await transaction(pool, async (client) => {
    await client.query(sql`delete from invitations where account_id = ${accountId}`);
    await client.query(sql`delete from portal_sessions where account_id = ${accountId}`);
    const { rows } = await client.query<{ person_id: string }>(
      sql`delete from memberships where account_id = ${accountId} returning person_id`,
    );
    await client.query(sql`update people set last_account_id = null where last_account_id = ${accountId}`);
    for (const { person_id } of rows) await forgetPerson(client, person_id);
  });
}

/** Those with a business's rows, but for the last three. */
async function ownTables(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
     where c.relname = any($1::text[]) and c.relnamespace = current_schema()::regnamespace and not c.relispartition
       and c.relname not in ('accounts', 'account_clock', 'closed_accounts') order by c.relname`,
    [[...tableNames]],
  );
  return rows.map(({ name }) => name);
}

async function deleteRows(pool: Pool, name: string, accountId: string): Promise<void> {
  const { key } = await searchedTable(pool, name);
  const columns = key.length === 0 ? "account_id" : key.map((column) => column.name).join(", ");
  const text = `delete from ${name} where account_id = $1 and (${columns}) in (
    select ${columns} from ${name} where account_id = $1 limit ${rowsPerDelete})`;
  for (let gone = rowsPerDelete; gone === rowsPerDelete; )
    gone = (await pool.query(prepared(text, [accountId]))).rowCount ?? 0;
}
