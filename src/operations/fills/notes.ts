import { lockAccount } from "../../access/accounts/account-lock.ts";
import { addTotalsSql, type TotalsName, totalsTables } from "../../business/sale-totals/tables.ts";
import type { Client } from "../../db/pool.ts";
import { prepared } from "../../db/sql.ts";
import { type Batch, upgradedJustNow } from "./batch.ts";

/** The column of a note that has the rows of each of the totals. */
const columns: Record<TotalsName, string> = { hours: "sold", shifts: "sold", products: "products", taxes: "taxes" };
/** What notes of some versions ago were written without. */
const absent: Record<string, string> = { passthrough: "0", payments: "r.tickets" };

const newNotes = "from account_clock c join sale_journal j on j.account_id = c.account_id and j.seq > c.journal_seq";

const addTexts = Object.entries(totalsTables).map(([name, table]) => {
  const keys = Object.keys(table.keys).map((key) => `r.${key}`);
  const sums = Object.keys(table.sums).map((sum) => `sum(coalesce(r.${sum}, ${absent[sum] ?? "0"}))`);
  const typed = Object.entries({ ...table.keys, ...table.sums }).map(([column, type]) => `${column} ${type}`);
  return addTotalsSql(
    table,
    `select j.account_id, ${[...keys, ...sums].join(", ")} ${newNotes}
      cross join lateral json_to_recordset(j.${columns[name as TotalsName]}) as r(${typed.join(", ")})
      where c.account_id = $1 group by j.account_id, ${keys.join(", ")}`,
  );
});

/**
 * Adds to an account's totals what processes of before noted of its sales in a journal. Its clock must be held. They find what is left to be
 * added by the mark, as they leave it themselves.
 */
export async function foldNotes(client: Client, accountId: string): Promise<void> {
  for (const text of [
    ...addTexts,
    "delete from sale_journal j using account_clock c where j.account_id = $1 and c.account_id = $1 and j.seq > c.journal_seq",
    "update account_clock set journal_seq = seq where account_id = $1",
  ])
    await client.query(prepared(text, [accountId]));
}

/** The next account with notes. As long as processes of before may write more of them, it is asked again every minute. */
export async function noteBatch(client: Client): Promise<Batch | undefined> {
  const { rows } = await client.query<{ account_id: string }>(`select j.account_id ${newNotes} limit 1`);
  const account = rows[0]?.account_id;
  if (account === undefined) {
    const { rowCount } = await client.query(`select where ${upgradedJustNow}`);
    return rowCount === 0 ? undefined : { seen: 0, changed: 0, position: {}, waits: true };
  }
  await lockAccount(client, account);
  await foldNotes(client, account);
  return { seen: 1, changed: 1, position: {} };
}
