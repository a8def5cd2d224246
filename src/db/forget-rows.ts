import { ofAllAccounts } from "./nodes.ts";
import type { Pool } from "./pool.ts";
import { prepared } from "./sql.ts";

const batchSize = 1000;

/** Removes the rows whose instant is older, account by account and in batches. Returns how many. `column` may follow a condition. */
export async function forgetRows(pool: Pool, table: string, column: string, before: Date): Promise<number> {
  const accounts = await ofAllAccounts(pool, async (part) => {
    const text = `
      select c.account_id as id from account_clock c where ${part.of("c.account_id", 2)} and exists (
        select from ${table} t where t.account_id = c.account_id and ${column} < $1)`;
    return (await pool.query<{ id: string }>(prepared(text, [before, ...part.values]))).rows;
  });
  let gone = 0;
  for (const { id } of accounts) {
    const text = `delete from ${table} where account_id = $1 and id in (
      select id from ${table} where account_id = $1 and ${column} < $2 limit ${batchSize})`;
    for (let count = batchSize; count === batchSize; gone += count)
      count = (await pool.query(prepared(text, [id, before]))).rowCount ?? 0;
  }
  return gone;
}
